"""What of some HTML a browser would run or load, read by the standard library's parser."""

from collections.abc import Collection
from html.parser import HTMLParser

from server.content.links import link_problem


class _Parts(HTMLParser):
    def __init__(self, tags: Collection[str]) -> None:
        super().__init__()
        self._tags = tags
        self.dangerous: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self._tags:
            self.dangerous.append(tag)
        for name, value in attrs:
            is_link = name == "href" and not (value or "").lower().startswith(("javascript:", "data:", "vbscript:"))
            if not is_link and name not in ("rel", "title", "start"):
                self.dangerous.append(f"{tag} {name}={value}")

    def handle_comment(self, data: str) -> None:
        self.dangerous.append(data)


def dangerous_parts(html: str, tags: Collection[str]) -> list[str]:
    """Tags beside those that are allowed, and attributes that do more than describe; `link_problem` knows links."""
    assert link_problem("javascript:x")
    parts = _Parts(tags)
    parts.feed(html)
    parts.close()
    return parts.dangerous
