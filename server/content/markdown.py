"""Markdown as shoppers may see it: parsed by markdown-it-py, cleaned by nh3. Raw HTML is shown as it was typed.

Both are loaded by the first page that has any.
"""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from server.content.links import link_problem

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

TAGS = {"p", "br", "hr", "h2", "h3", "h4", "strong", "em", "a", "ul", "ol", "li", "blockquote", "code", "pre"}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
DEEPEST_HEADING = 4
NO_PICTURES = "Pictures are blocks of their own"


def to_html(text: str) -> str:
    """The text as HTML. Its largest headings are of the second level, below the page's title."""
    import nh3

    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, DEEPEST_HEADING)}"
    html = parser.renderer.render(tokens, parser.options, {})
    return nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES)


def problem_of(text: str) -> str | None:
    """What is wrong with its links; None when nothing is."""
    for token in _inline(_parser().parse(text)):
        if token.type == "image":
            return NO_PICTURES
        if token.type == "link_open" and (problem := link_problem(str(token.attrs.get("href", "")))):
            return problem
    return None


def _inline(tokens: "list[Token]") -> "Iterator[Token]":
    for token in tokens:
        yield token
        yield from _inline(token.children or [])


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False})
    # By default what looks dangerous stays text; here `problem_of` says what is wrong with it, and nh3 removes it.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser
