"""What a page says: its title, its description for search engines, and its blocks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import orjson

from server.content.blocks import BLOCKS_BY_KIND, MOST_BLOCKS, Block, block_from_json, block_to_json
from server.content.fields import Part, Picture, Problems, TextField

BEGINNING = "/pages/"
"""Of the addresses of pages, in front of their keys."""
MOST_BYTES = 100_000
"""Of a page as JSON."""
Title = Annotated[
    str, TextField(description="Its heading, and the window's title.", longest=120, missing="Give it a title")
]
Description = Annotated[
    str, TextField(description="What search engines say below its title; empty for none.", longest=300)
]


@dataclass(frozen=True)
class PageTexts(Part):
    """What is written of a page beside its blocks."""

    title: Title
    description: Description = ""


@dataclass(frozen=True)
class PageContent:
    """A page as a draft or as it is published."""

    texts: PageTexts
    blocks: tuple[Block, ...] = ()

    def problems(self) -> dict[str, str]:
        """What is wrong with it, by places in the input; whether images exist is not looked up."""
        problems = dict(self._problems_of_parts())
        if not problems and len(orjson.dumps(self.to_json())) > MOST_BYTES:
            problems["blocks"] = f"At most {MOST_BYTES // 1000} kB in all"
        return problems

    def _problems_of_parts(self) -> Problems:
        yield from self.texts.problems()
        if len(self.blocks) > MOST_BLOCKS:
            yield "blocks", f"At most {MOST_BLOCKS} blocks"
        for at, block in enumerate(self.blocks):
            yield from block.problems(f"blocks.{at}.")

    def pictures(self) -> Iterator[tuple[str, Picture]]:
        """Every picture with its place in the input."""
        for at, block in enumerate(self.blocks):
            yield from ((f"blocks.{at}.{place}", picture) for place, picture in block.pictures())

    def to_json(self) -> dict[str, Any]:
        """As it is stored."""
        return {**self.texts.to_json(), "blocks": [block_to_json(each) for each in self.blocks]}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "PageContent":
        """As it was stored, without blocks that only a later version of the shop has."""
        blocks = (block_from_json(each) for each in stored["blocks"])
        return cls(PageTexts.from_json(stored), tuple(each for each in blocks if each is not None))

    def differences(self, other: "PageContent") -> list[str]:
        """Names of the parts in which two contents differ: `title`, `description`, `block 2`."""
        names = [name for name, value in self.texts.to_json().items() if value != other.texts.to_json()[name]]
        pairs = zip(self._padded(other), other._padded(self), strict=True)
        return names + [f"block {at}" for at, (mine, theirs) in enumerate(pairs, 1) if mine != theirs]

    def _padded(self, other: "PageContent") -> tuple[Block | None, ...]:
        return (*self.blocks, *[None] * (len(other.blocks) - len(self.blocks)))


def path_of(key: str) -> str:
    """The address of a page in this shop: "/pages/about-our-cotton"."""
    return f"{BEGINNING}{key}"


def has_unknown_blocks(stored: Mapping[str, Any]) -> bool:
    """Whether only a later version of the shop knows all of it."""
    return any(each["kind"] not in BLOCKS_BY_KIND for each in stored["blocks"])
