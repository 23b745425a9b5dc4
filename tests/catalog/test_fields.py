"""The declared fields of a product, in every place that takes them from the declaration."""

from dataclasses import replace
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest
from sqlalchemy import Text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import editing, queries, routes
from server.catalog.fields import FACTS, PUBLIC_TEXTS, TEXTS, ProductFacts, ProductField
from server.catalog.index.words import text_words
from server.catalog.models import Product
from server.inventory.csv_file import READERS
from server.platform.core.rules import TextRule
from server.schema import build
from tests.blanks import BLANKS
from tests.catalog.drafts import GOOD, problems
from tests.catalog.edit_forms import EDIT, form_of
from tests.catalog.editors import ADMIN, log, make_jean, seen
from tests.catalog.storefront import Storefront, ask

COLUMNS = Product.__table__.columns
OWN = {"id", "category", "discount_runs", "discount_turns_at", "is_on_sale", "charged_cents", "image", "popularity"}
OWN |= {"created_at", "updated_at", "version", "retired_at"}
"""Columns that nobody enters."""
of_every_text = pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)


def descriptions(kind: str) -> dict[str, str | None]:
    """Of the members of a type of the API."""
    members: Any = build()._schema.get_type(kind)
    return {name: member.description for name, member in members.fields.items()}


def test_every_column_of_a_product_is_declared_or_the_shops_own() -> None:
    assert {column.name for column in COLUMNS} == {each.name for each in FACTS} | OWN


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_a_field_is_declared_with_the_type_of_its_column(fact: ProductField) -> None:
    kind, column = get_type_hints(ProductFacts)[fact.name], COLUMNS[fact.name]

    assert (NoneType in get_args(kind), kind is str) == (column.nullable, isinstance(column.type, Text))


@of_every_text
def test_a_text_that_breaks_its_rule_is_refused_with_its_message(text: ProductField) -> None:
    assert isinstance(text.rule, TextRule)
    too_long: dict[str, Any] = {text.name: "x" * (text.rule.longest + 1)}

    assert problems(replace(GOOD, **too_long)) == {text.form_name: f"At most {text.rule.longest:,} characters"}
    if text.is_required:
        for blank in BLANKS:
            empty: dict[str, Any] = {text.name: blank}
            assert problems(replace(GOOD, **empty)) == {text.form_name: text.rule.missing}


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("Product", PUBLIC_TEXTS),
        ("EditableProduct", TEXTS),
        ("CreateProductInput", TEXTS),
        ("UpdateProductInput", TEXTS),
    ],
)
def test_every_text_is_in_the_api_with_its_description(kind: str, texts: tuple[ProductField, ...]) -> None:
    described = descriptions(kind)

    assert {each.form_name: described.get(each.form_name) for each in texts} == {
        each.form_name: each.description for each in texts
    }


def test_a_text_that_only_the_back_office_sees_is_in_no_type_for_shoppers() -> None:
    hidden = {each.form_name for each in TEXTS} - {each.form_name for each in PUBLIC_TEXTS}

    assert hidden.isdisjoint(descriptions("Product"))


async def test_texts_sent_to_the_api_are_read_from_it(storefront: Storefront, session: AsyncSession) -> None:
    product_id = await make_jean(session)
    form, version = await form_of(storefront, product_id)
    texts = {each.form_name: f"Another {each.name}" for each in TEXTS}
    public = {each.form_name: texts[each.form_name] for each in PUBLIC_TEXTS}

    await ask(storefront.admin, EDIT, id=str(product_id), version=version, product={**form, **texts})

    edited = f"query ($id: ID!) {{ admin {{ product(id: $id) {{ {' '.join(texts)} }} }} }}"
    shown = f"query ($id: ID!) {{ product(id: $id) {{ {' '.join(public)} }} }}"
    assert (await ask(storefront.admin, edited, id=str(product_id)))["admin"]["product"] == texts
    assert (await ask(storefront.visitor, shown, id=str(product_id)))["product"] == public


async def test_an_edited_text_is_shown_logged_and_copied(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    texts: dict[str, Any] = {each.name: f"Another {each.name}" for each in TEXTS}

    await editing.edit_product(session, product_id, version, replace(draft, **texts), 12, actor=ADMIN)
    copy = await session.get_one(Product, await editing.duplicate_product(session, product_id, actor=ADMIN))
    await session.commit()

    row = (await queries.products_by_id(session, [product_id]))[product_id]
    [(_, _, _, logged)] = [entry for entry in await log(session) if entry[0] == "edited"]
    assert [getattr(row, each.name) for each in PUBLIC_TEXTS] == [texts[each.name] for each in PUBLIC_TEXTS]
    assert logged == {each.audit_name: texts[each.name] for each in TEXTS if each.audit_name}
    assert [getattr(copy, each.name) == texts[each.name] for each in TEXTS] == [each.is_copied for each in TEXTS]


async def test_search_looks_into_the_texts_that_are_declared_for_it(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    words = {each.name: f"{each.name}word".replace("_", "") for each in TEXTS}
    await session.execute(update(Product).values(words))

    [indexed] = await queries.indexed_by_id(session, [product_id])

    words_of_index = text_words(indexed)
    assert {name: word in words_of_index for name, word in words.items()} == {
        each.name: each.is_searched for each in TEXTS
    }


def test_csv_columns_and_members_of_the_rest_body_are_declared() -> None:
    rest = {each.name for each in PUBLIC_TEXTS if each.is_in_rest}

    assert {each.csv_column for each in FACTS if each.csv_column} <= READERS.keys()
    assert rest == routes.ProductBody.model_fields.keys() & {each.name for each in TEXTS}
