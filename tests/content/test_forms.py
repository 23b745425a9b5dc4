"""Forms of blocks follow from their declarations; a draft is previewed as it would be shown, and not saved by that."""

from pathlib import Path
from typing import Any

import pytest
from graphql import DocumentNode, FieldNode, FragmentDefinitionNode, FragmentSpreadNode, InlineFragmentNode, parse
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.content.blocks import BLOCKS, Block
from server.content.fields import MarkdownField, PartsField, PictureField, fields_of
from server.content.models import Document
from server.content.types import api_name
from server.platform.core.text import camel_case
from tests.catalog.storefront import Storefront, ask
from tests.content.written import created, published, read, text, updated

CLIENT = Path(__file__).parents[2] / "client" / "src"
FORM = "name label control isRequired longest least most initial options { value label } partLabel"
KINDS = f"{{ admin {{ blockKinds {{ key typeName label fields {{ {FORM} parts {{ {FORM} }} }} }} }} }}"
PREVIEW = """query ($id: ID!, $input: UpdatePageInput!) { admin { page(id: $id) { preview(input: $input) {
  __typename
  ... on Page { path title blocks { __typename ... on FreeTextBlock { text { html } } } }
  ... on InvalidInput { errors { field message } }
} } } }"""


async def test_a_back_office_learns_from_the_api_what_blocks_there_are(storefront: Storefront) -> None:
    kinds = (await ask(storefront.primary, KINDS))["admin"]["blockKinds"]

    by_key = {each["key"]: each for each in kinds}
    assert [each["typeName"] for each in kinds] == [api_name(each) for each in BLOCKS]
    assert by_key["pictureWithWords"]["label"] == "Picture with words"
    shelf = {each["name"]: each for each in by_key["shelf"]["fields"]}
    assert (shelf["most"]["least"], shelf["most"]["most"], shelf["most"]["initial"]) == (1, 12, "4")
    assert (shelf["department"]["control"], shelf["productKind"]["control"]) == ("DEPARTMENT", "PRODUCT_KIND")
    assert (shelf["sort"]["initial"], shelf["sort"]["options"][0]) == (
        "FEATURED",
        {"value": "FEATURED", "label": "Best sold first"},
    )
    [slides] = by_key["hero"]["fields"]
    assert (slides["control"], slides["partLabel"], slides["least"], slides["most"]) == ("PARTS", "Slide", 1, 8)
    assert [(each["name"], each["control"], each["isRequired"]) for each in slides["parts"]] == [
        ("heading", "TEXT", True),
        ("text", "TEXT", False),
        ("picture", "PICTURE", False),
        ("button", "TEXT", False),
        ("link", "LINK", False),
    ]


def selected(document: DocumentNode, fragment: str, kind: str) -> dict[str, FieldNode]:
    """What a document selects of a kind of block, by field."""
    [named] = [
        each
        for each in document.definitions
        if isinstance(each, FragmentDefinitionNode) and each.name.value == fragment
    ]
    inner: list[Any] = list(named.selection_set.selections)
    while inner:
        each = inner.pop()
        if isinstance(each, InlineFragmentNode) and each.type_condition and each.type_condition.name.value == kind:
            return {one.name.value: one for one in each.selection_set.selections if isinstance(one, FieldNode)}
        if getattr(each, "selection_set", None):
            inner += each.selection_set.selections
    return {}


def named_in(node: FieldNode) -> list[str]:
    inner = node.selection_set.selections if node.selection_set else ()
    return [one.name.value for one in inner if isinstance(one, FieldNode | FragmentSpreadNode)]


@pytest.mark.parametrize("kind", BLOCKS)
def test_the_client_edits_every_field_of_every_block(kind: type[Block]) -> None:
    document = parse((CLIENT / "features/admin/content/content.graphql").read_text())

    fields = selected(document, "PageDraft", api_name(kind))

    assert list(fields) == [camel_case(each.name) for each in fields_of(kind)]
    for each in fields_of(kind):
        node = fields[camel_case(each.name)]
        inner = named_in(node)
        if isinstance(each, PartsField):
            assert inner == [camel_case(one.name) for one in fields_of(each.of)]
        elif isinstance(each, MarkdownField):
            assert inner == ["source"]
        elif isinstance(each, PictureField):
            assert inner == ["DraftPicture"]


@pytest.mark.parametrize("kind", BLOCKS)
def test_the_client_shows_every_kind_of_block(kind: type[Block]) -> None:
    document = parse((CLIENT / "features/content/page-blocks.graphql").read_text())

    assert selected(document, "PageBlocks", api_name(kind)) != {}


async def test_a_preview_shows_what_is_typed_and_saves_nothing(storefront: Storefront, session: AsyncSession) -> None:
    page = await published(storefront, await updated(storefront, await created(storefront), text("Seen")))
    typed = {"title": "Linen", "blocks": [text("Typed, *not* saved.")]}

    answer = (await ask(storefront.primary, PREVIEW, id=page["id"], input=typed))["admin"]["page"]["preview"]

    assert answer == {
        "__typename": "Page",
        "path": "/pages/cotton",
        "title": "Linen",
        "blocks": [{"__typename": "FreeTextBlock", "text": {"html": "<p>Typed, <em>not</em> saved.</p>\n"}}],
    }
    assert (await session.scalars(select(Document.version))).all() == [2]
    assert (await read(storefront))["title"] == "Our cotton"


async def test_a_preview_says_what_keeps_a_draft_from_being_saved(storefront: Storefront) -> None:
    page = await created(storefront)
    typed = {"title": " ", "blocks": [text("[x](javascript:alert(1))"), {"shelf": {"productKind": "cats"}}]}

    preview = await ask(storefront.primary, PREVIEW, id=page["id"], input=typed)
    alone = await ask(storefront.primary, PREVIEW, id=page["id"], input={"title": "A", "blocks": typed["blocks"][1:]})

    errors = [each["field"] for each in preview["admin"]["page"]["preview"]["errors"]]
    assert errors == ["title", "blocks.0.text"]
    assert [each["field"] for each in alone["admin"]["page"]["preview"]["errors"]] == ["blocks.0.productKind"]
