"""Markdown becomes HTML that shoppers may see; raw HTML stays text, and links lead where they may."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.content import markdown
from server.content.links import WRONG, link_problem
from tests.content.html_parts import dangerous_parts


@pytest.mark.spec("guards.markdown")
@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Plain *and* **bold**", "<p>Plain <em>and</em> <strong>bold</strong></p>\n"),
        ("# Heading", "<h2>Heading</h2>\n"),
        ("###### Deep", "<h4>Deep</h4>\n"),
        ("- one\n- two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"),
        ("[Men](/category/men)", '<p><a href="/category/men" rel="noopener noreferrer">Men</a></p>\n'),
        ("<b onclick='x'>no</b>", "<p>&lt;b onclick='x'&gt;no&lt;/b&gt;</p>\n"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
        ("[x](javascript:alert(1))", '<p><a rel="noopener noreferrer">x</a></p>\n'),
        ("![x](https://evil.test/a.png)", "<p></p>\n"),
    ],
)
def test_markdown_becomes_html_of_few_tags(text: str, html: str) -> None:
    assert markdown.to_html(text) == html


@pytest.mark.spec("guards.markdown")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[Men](/category/men) and [mail](mailto:shop@minimal.test)", None),
        ("<https://example.com/a?b=1#c>", None),
        ("[x](javascript:alert(1))", WRONG),
        ("[x](JaVaScRiPt:alert)", WRONG),
        ("[x](data:text/html,hi)", WRONG),
        ("- deep\n  > [x](vbscript:a)", WRONG),
        ("[x](//evil.test)", WRONG),
        ("![x](/images/a.png)", markdown.NO_PICTURES),
        ("`[x](javascript:alert)`", None),
    ],
)
def test_links_and_pictures_of_markdown_are_checked(text: str, problem: str | None) -> None:
    assert markdown.problem_of(text) == problem


@pytest.mark.parametrize(
    "link",
    ["/", "/category/men", "#care", "https://example.com", "http://example.com:8080/a?b", "mailto:a@b.co"],
)
def test_a_link_leads_to_the_shop_or_to_the_web(link: str) -> None:
    assert link_problem(link) is None


@pytest.mark.parametrize(
    "link",
    [
        *("javascript:alert(1)", "//evil.test", "/\\evil.test", "https://", "https:evil", "category/men", "ftp://a.b"),
        *("/a b", "\tjavascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "mailto:", "https://[::1", ""),
        "/" + "a" * 500,
    ],
)
def test_any_other_link_is_refused(link: str) -> None:
    assert link_problem(link) is not None


PIECES = st.sampled_from(
    [
        *(
            "<script>",
            "</script>",
            "<img src=x onerror=alert(1)>",
            "[a](javascript:x)",
            "<svg/onload=x>",
            "`",
            "*",
            "_",
        ),
        *(
            "# ",
            "> ",
            "- ",
            "\n",
            "\n\n",
            "[",
            "]",
            "(",
            ")",
            "<",
            ">",
            "&lt;",
            "&#106;",
            '"',
            "'",
            "text",
            "\x00",
            "é",
        ),
        *("[a]: javascript:x", "![x](x)", "<a href='javascript:x'>", "\\", "~~~", "<!--", "-->", "<![CDATA["),
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_no_text_becomes_html_that_runs(text: str) -> None:
    assert dangerous_parts(markdown.to_html(text), markdown.TAGS) == []
