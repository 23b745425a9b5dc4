"""Every kind of block: stored as JSON and read again, checked with the place of each fault, and known to the API."""

from dataclasses import MISSING, fields, replace
from typing import Any
from uuid import UUID

import pytest

from server import schema
from server.content.blocks import (
    BLOCKS,
    PARTS,
    Block,
    FreeText,
    Hero,
    PictureWithWords,
    Question,
    Questions,
    Quotation,
    Shelf,
    Slide,
    TwoColumns,
)
from server.content.fields import ChoiceField, Part, PartsField, Picture, TextField, fields_of
from server.content.links import WRONG
from server.content.pages import MOST_BYTES, PageContent, PageTexts, has_unknown_blocks

IMAGE = UUID(int=7)
TEXTS = PageTexts("Our cotton")
EXAMPLES: dict[type[Block], Block] = {
    Hero: Hero((Slide("Raw denim", "Left alone.", Picture(IMAGE, "Jeans"), "Look", "/category/men/jeans"),)),
    Shelf: Shelf("New in", "men", "jeans", only_sale=True, sort="newest", most=8),
    PictureWithWords: PictureWithWords("Sewn here", "By *hand*.", Picture(IMAGE), "right", "Visit", "https://a.test"),
    TwoColumns: TwoColumns("Left.", "Right."),
    Quotation: Quotation("It lasts.", "A shopper"),
    Questions: Questions(heading="Questions", questions=(Question("Why?", "Because."), Question("How?", "So."))),
    FreeText: FreeText("# Words"),
}


@pytest.mark.parametrize("kind", BLOCKS)
def test_a_block_is_stored_and_read_again(kind: type[Block]) -> None:
    content = PageContent(TEXTS, (EXAMPLES[kind],))

    assert content.problems() == {}
    assert PageContent.from_json(content.to_json()) == content


@pytest.mark.parametrize("kind", [*BLOCKS, *PARTS])
def test_each_attribute_of_a_block_is_declared(kind: type[Part]) -> None:
    assert [each.name for each in fields_of(kind)] == [each.name for each in fields(kind)]  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", BLOCKS)
def test_a_block_written_before_it_had_its_optional_fields_is_read(kind: type[Block]) -> None:
    stored = EXAMPLES[kind].to_json()
    optional = [each.name for each in fields(kind) if each.default is not MISSING]  # type: ignore[arg-type]

    read = kind.from_json({name: value for name, value in stored.items() if name not in optional})

    assert [getattr(read, name) for name in optional] == [
        each.default
        for each in fields(kind)  # type: ignore[arg-type]
        if each.name in optional
    ]


def test_a_block_of_a_later_version_is_left_out_and_noticed() -> None:
    stored = {**PageContent(TEXTS, (FreeText("Words"),)).to_json()}
    stored["blocks"] = [{"kind": "hologram", "beam": 3}, *stored["blocks"]]

    assert has_unknown_blocks(stored)
    assert PageContent.from_json(stored) == PageContent(TEXTS, (FreeText("Words"),))


def _texts() -> list[tuple[type[Block], str]]:
    return [(kind, each.name) for kind in BLOCKS for each in fields_of(kind) if isinstance(each, TextField)]


@pytest.mark.parametrize(("kind", "name"), _texts())
def test_a_text_that_is_too_long_is_refused_with_its_place(kind: type[Block], name: str) -> None:
    [field] = [each for each in fields_of(kind) if each.name == name]
    assert isinstance(field, TextField)
    block: Any = replace(EXAMPLES[kind], **{name: "x" * (field.longest + 1)})  # type: ignore[type-var]

    [place] = PageContent(TEXTS, (FreeText("Words"), block)).problems()

    assert place.lower() == f"blocks.1.{name.replace('_', '')}"


@pytest.mark.parametrize(
    ("block", "problems"),
    [
        (Hero(()), {"blocks.0.slides": "1 to 8"}),
        (Hero((Slide(""),)), {"blocks.0.slides.0.heading": "Give it a heading"}),
        (Hero((Slide("A"), Slide("B", button="Go"))), {"blocks.0.slides.1.link": "Say where the button leads"}),
        (Hero((Slide("A", button="Go", link="javascript:x"),)), {"blocks.0.slides.0.link": WRONG}),
        (
            Hero((Slide("A", picture=Picture(IMAGE, "x" * 201)),)),
            {"blocks.0.slides.0.picture.alt": "At most 200 characters"},
        ),
        (PictureWithWords(link="/sale"), {"blocks.0.button": "Say what the button says"}),
        (PictureWithWords(side="above"), {"blocks.0.side": "One of left, right"}),
        (Shelf(most=13), {"blocks.0.most": "1 to 12 products"}),
        (Shelf(sort="random"), {"blocks.0.sort": "One of featured, newest, price_ascending, price_descending"}),
        (TwoColumns(right="[x](javascript:x)"), {"blocks.0.right": WRONG}),
        (Quotation(" \u200b"), {"blocks.0.quote": "Say what was said"}),
        (Questions(questions=(Question("Why?", ""),)), {"blocks.0.questions.0.answer": "Answer it"}),
        (FreeText(""), {"blocks.0.text": "Write something"}),
        (FreeText("\x00"), {"blocks.0.text": "Contains characters that cannot be stored"}),
        (FreeText("\ud800"), {"blocks.0.text": "Contains characters that cannot be stored"}),
    ],
)
def test_what_is_wrong_with_a_block_has_its_place(block: Block, problems: dict[str, str]) -> None:
    assert PageContent(TEXTS, (block,)).problems() == problems


def test_a_page_has_a_title_and_bounds() -> None:
    words = FreeText("x" * 19_000)

    assert PageContent(PageTexts(" ")).problems() == {"title": "Give it a title"}
    assert PageContent(TEXTS, (FreeText("x"),) * 41).problems() == {"blocks": "At most 40 blocks"}
    assert PageContent(TEXTS, (words,) * 5).problems() == {}
    assert PageContent(TEXTS, (words,) * 6).problems() == {"blocks": f"At most {MOST_BYTES // 1000} kB in all"}


def test_differences_of_two_contents_are_named() -> None:
    mine = PageContent(PageTexts("A"), (FreeText("1"), FreeText("2")))
    theirs = PageContent(PageTexts("B"), (FreeText("1"), FreeText("3"), Quotation("4")))

    assert mine.differences(theirs) == theirs.differences(mine) == ["title", "block 2", "block 3"]
    assert mine.differences(mine) == []


@pytest.mark.parametrize("kind", [*BLOCKS, *PARTS])
def test_the_api_has_each_field_in_a_type_and_an_input(kind: type[Part]) -> None:
    types = schema.build()._schema.type_map
    name = f"{kind.__name__}{'Block' if issubclass(kind, Block) else 'Part'}"
    camel = {
        each.name: "".join(w.capitalize() if i else w for i, w in enumerate(each.name.split("_")))
        for each in fields_of(kind)
    }

    for each in fields_of(kind):
        assert types[name].fields[camel[each.name]].description == each.description  # type: ignore[attr-defined]
        assert types[f"{name}Input"].fields[camel[each.name]].description == each.description  # type: ignore[attr-defined]
        if isinstance(each, ChoiceField):
            assert list(types[each.enum].values) == [key.upper() for key in each.options]  # type: ignore[attr-defined]
        if isinstance(each, PartsField):
            assert each.of in PARTS
