"""What pages consist of. A kind of block is a class here, entered in BLOCKS.

How it is stored and checked, its types in the API, and its form in the back office follow from its fields.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from server.content.fields import (
    ChoiceField,
    DepartmentField,
    FlagField,
    LinkField,
    MarkdownField,
    NumberField,
    Part,
    PartsField,
    Picture,
    PictureField,
    Problems,
    ProductKindField,
    TextField,
)
from server.platform.core.rules import NumberRule

MOST_BLOCKS = 40
Heading = Annotated[str, TextField(description="Above it; empty for none.", longest=120)]
ButtonLabel = Annotated[str, TextField(description="What its button says; empty for none.", longest=40, label="Button")]
ButtonLink = Annotated[
    str, LinkField(description='Where its button leads: "/category/men", "https://…".', label="Leads to")
]
OnePicture = Annotated[Picture | None, PictureField(description="The picture.")]


class Block(Part):
    """One stretch of a page, from its left to its right."""

    kind: ClassVar[str]
    """Its name where it is stored, and in the API's input: `two_columns` of TwoColumns."""

    def __init_subclass__(cls) -> None:
        cls.kind = re.sub("(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def problems(self, place: str = "") -> Problems:
        """As of every part; and a button has both its words and its place."""
        yield from super().problems(place)
        yield from _button_problems(self, place)


@dataclass(frozen=True)
class Slide(Part):
    """A slide of a hero."""

    heading: Annotated[str, TextField(description="In the largest letters.", longest=80, missing="Give it a heading")]
    text: Annotated[str, TextField(description="Below the heading; empty for none.", longest=300)] = ""
    picture: OnePicture = None
    button: ButtonLabel = ""
    link: ButtonLink = ""

    def problems(self, place: str = "") -> Problems:
        """As of every part; and a button has both its words and its place."""
        yield from super().problems(place)
        yield from _button_problems(self, place)


@dataclass(frozen=True)
class Hero(Block):
    """Large slides with a picture each, which a shopper moves through."""

    slides: Annotated[tuple[Slide, ...], PartsField(description="In their order.", of=Slide, most=8)]


@dataclass(frozen=True)
class Shelf(Block):
    """Products in a row, chosen by department, kind and sale."""

    heading: Heading = ""
    department: Annotated[str, DepartmentField(description="Key of a department: `men`; empty for all.")] = ""
    product_kind: Annotated[
        str, ProductKindField(description="Key of a kind: `jeans`; empty for all.", label="Kind")
    ] = ""
    only_sale: Annotated[
        bool, FlagField(description="Only products whose discount counts now.", label="Only what is on sale")
    ] = False
    sort: Annotated[
        str,
        ChoiceField(
            description="Which of them come first.",
            label="Order",
            enum="ShelfSort",
            about="Which products a shelf shows first.",
            options={
                "featured": "Best sold first.",
                "newest": "Latest arrival first.",
                "price_ascending": "Cheapest first.",
                "price_descending": "Dearest first.",
            },
        ),
    ] = "featured"
    most: Annotated[
        int,
        NumberField(description="How many at most, 1 to 12.", rule=NumberRule(1, 12, unit="products"), label="At most"),
    ] = 4


@dataclass(frozen=True)
class PictureWithWords(Block):
    """A picture beside words; above them where there is little room."""

    heading: Heading = ""
    text: Annotated[str, MarkdownField(description="The words.", longest=5_000)] = ""
    picture: OnePicture = None
    side: Annotated[
        str,
        ChoiceField(
            description="Where the picture is.",
            enum="PictureSide",
            about="Where a picture is beside its words.",
            options={"left": "Left of the words.", "right": "Right of the words."},
            label="Place of the picture",
        ),
    ] = "left"
    button: ButtonLabel = ""
    link: ButtonLink = ""


@dataclass(frozen=True)
class TwoColumns(Block):
    """Two texts side by side; one below the other where there is little room."""

    left: Annotated[str, MarkdownField(description="The left, or upper, text.", longest=5_000, label="Left text")] = ""
    right: Annotated[
        str, MarkdownField(description="The right, or lower, text.", longest=5_000, label="Right text")
    ] = ""


@dataclass(frozen=True)
class Quotation(Block):
    """Somebody's words."""

    quote: Annotated[str, TextField(description="What was said.", longest=600, missing="Say what was said")]
    by: Annotated[
        str, TextField(description="Who said it; empty for nobody in particular.", longest=120, label="Who said it")
    ] = ""


@dataclass(frozen=True)
class Question(Part):
    """A question with its answer."""

    question: Annotated[str, TextField(description="As a shopper would ask it.", missing="Ask something")]
    answer: Annotated[str, MarkdownField(description="The answer.", longest=5_000, missing="Answer it")]


@dataclass(frozen=True, kw_only=True)
class Questions(Block):
    """Questions that open to their answers."""

    heading: Heading = ""
    questions: Annotated[tuple[Question, ...], PartsField(description="In their order.", of=Question, most=40)]


@dataclass(frozen=True)
class FreeText(Block):
    """Text as long as it needs to be."""

    text: Annotated[str, MarkdownField(description="The text.", missing="Write something")]


BLOCKS: tuple[type[Block], ...] = (Hero, Shelf, PictureWithWords, TwoColumns, Quotation, Questions, FreeText)
PARTS: tuple[type[Part], ...] = (Slide, Question)
"""Of blocks."""
BLOCKS_BY_KIND = {each.kind: each for each in BLOCKS}


def block_from_json(stored: Mapping[str, Any]) -> Block | None:
    """The block that is stored so; None for a kind that only a later version of the shop has."""
    kind = BLOCKS_BY_KIND.get(stored["kind"])
    return None if kind is None else kind.from_json(stored)


def block_to_json(block: Block) -> dict[str, Any]:
    """The block as it is stored."""
    return {"kind": block.kind, **block.to_json()}


def _button_problems(part: Any, place: str) -> Iterator[tuple[str, str]]:
    if not hasattr(part, "button"):
        return
    if part.button.strip() and not part.link:
        yield f"{place}link", "Say where the button leads"
    if part.link and not part.button.strip():
        yield f"{place}button", "Say what the button says"
