"""What is compared of two renderings of a page."""

import json
from html.parser import HTMLParser
from typing import Any

import httpx

from tests.catalog.storefront import Storefront

HOSTILE = '</script><script>alert(1)</script><!--<script> & "it\'s" $& $1 <!--app-state-->'


class Outline(HTMLParser):
    """The elements of a page in order, and the text of its scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.words = ""
        self._in_script = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._in_script = tag == "script"
        if self._in_script:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def handle_data(self, data: str) -> None:
        if self._in_script:
            self.scripts[-1] += data
        else:
            self.words += data

    def all(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        return [
            element_attributes
            for name, element_attributes in self.elements
            if name == tag and attributes.items() <= element_attributes.items()
        ]

    @property
    def modules(self) -> str:
        """The scripts that are run once the page is painted."""
        [named] = self.all("meta", name="modules")
        return named["content"] or ""

    def linked(self) -> dict[str, Any]:
        """What the page says in schema.org's words, by type."""
        kinds = [attributes.get("type") for name, attributes in self.elements if name == "script"]
        said = [
            json.loads(body) for kind, body in zip(kinds, self.scripts, strict=True) if kind == "application/ld+json"
        ]
        return {one["@type"]: one for one in said}


def outline(response: httpx.Response) -> Outline:
    return Outline(response.text)


def failures(storefront: Storefront) -> int:
    count: int = storefront.app.state.shop.pages.views.renderer.failures
    return count
