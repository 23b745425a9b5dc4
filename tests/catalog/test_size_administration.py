"""Size systems as the owner makes them; everything that shows, sorts or takes a size follows."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.catalog import category_queries
from server.platform.core.db import Sessions
from tests.catalog.goods import put_on_offer
from tests.catalog.size_systems import EU, JEANS, ONE_SIZE, SHOES, as_input, give, system
from tests.catalog.storefront import Storefront, ask, graphql

RESULT = """
    __typename
    ... on UserError { message }
    ... on SizesInUse { uses { size productCount } }
    ... on InvalidInput { errors { field message } }
    ... on SizeSystemsChanged { sizeSystems { key version categories { key } axes { name values { name } } } }
    ... on SizeSystemsChangedMeanwhile { sizeSystems { key version } }
"""
SHOE_CATEGORY = {"name": "Shoes", "slug": "shoes", "sizeSystem": "shoes"}
MADE_IN = "query ($id: ID!) { product(id: $id) { sizes variants { size } } }"
FACETS = """
    query ($filter: ProductFilter!) {
        products(filter: $filter) { nodes { name } facets { sizes { size name group count } } }
    }
"""


async def change(storefront: Storefront, mutation: str, **variables: Any) -> Any:
    """The result of a mutation of the primary admin."""
    kinds = {"input": "SizeSystemInput!", "version": "Int!"}
    declared = ", ".join(f"${each}: {kinds.get(each, 'String!')}" for each in variables)
    passed = ", ".join(f"{each}: ${each}" for each in variables)
    document = f"mutation ({declared}) {{ {mutation}({passed}) {{ {RESULT} }} }}"
    return (await ask(storefront.primary, document, **variables))[mutation]


async def set_system(storefront: Storefront, category: str, key: str) -> Any:
    """The result of giving a category another system."""
    listed = "{ admin { departments { categories { key version name slug heading } } } }"
    departments = (await ask(storefront.primary, listed))["admin"]["departments"]
    [now] = [each for one in departments for each in one["categories"] if each["key"] == category]
    document = """
        mutation ($key: String!, $version: Int!, $input: CategoryInput!) {
            updateCategory(key: $key, version: $version, input: $input) {
                __typename ... on InvalidInput { errors { field message } }
            }
        }
    """
    input = {"name": now["name"], "slug": now["slug"], "heading": now["heading"], "sizeSystem": key}
    return (await ask(storefront.primary, document, key=category, version=now["version"], input=input))[
        "updateCategory"
    ]


async def make_shoes(storefront: Storefront) -> None:
    """Men's shoes in EU sizes, through the API."""
    made = await change(storefront, "createSizeSystem", key="shoes", input=as_input(SHOES))
    assert made["__typename"] == "SizeSystemsChanged"
    document = """
        mutation ($input: CategoryInput!) {
            createCategory(department: "men", kind: "shoes", input: $input) { __typename }
        }
    """
    category = (await ask(storefront.primary, document, input=SHOE_CATEGORY))["createCategory"]
    assert category["__typename"] == "CategoriesChanged"


async def test_everything_that_shows_sizes_follows_a_new_system(storefront: Storefront, session: AsyncSession) -> None:
    await make_shoes(storefront)
    shoe = await put_on_offer(session, "Derby", category="men_shoes", sizes=("46", "36", "40"))
    shirt = await put_on_offer(session, "Oxford Shirt", sizes=("M", "XS"))
    system_of = """
        query ($id: ID!) {
            product(id: $id) { category { sizeSystem {
                key name market sizes axes { name values { name labels { market name } } }
            } } }
        }
    """

    made_in = (await ask(storefront.visitor, MADE_IN, id=str(shoe)))["product"]
    system_answer = (await ask(storefront.visitor, system_of, id=str(shoe)))["product"]["category"]["sizeSystem"]
    in_all = (await ask(storefront.visitor, FACETS, filter={"department": "men"}))["products"]
    in_40 = (await ask(storefront.visitor, FACETS, filter={"sizes": ["shoes:40"]}))["products"]
    by_name = (await ask(storefront.visitor, FACETS, filter={"sizes": ["40", "M"]}))["products"]
    rest = (await storefront.visitor.get("/api/product/men/shoes")).json()
    feed = (await storefront.visitor.get("/feed.xml")).text
    exported = (await storefront.admin.get("/exports/products.csv")).text
    shop_sizes = (await ask(storefront.visitor, "{ shop { sizes } }"))["shop"]["sizes"]

    assert made_in == {"sizes": ["36", "40", "46"], "variants": [{"size": size} for size in ("36", "40", "46")]}
    assert (system_answer["key"], system_answer["market"], system_answer["sizes"]) == ("shoes", "EU", [*EU])
    assert system_answer["axes"][0]["values"][2] == {
        "name": "38",
        "labels": [{"market": "UK", "name": "5"}, {"market": "US", "name": "7.5"}],
    }
    assert [(each["size"], each["name"], each["group"]) for each in in_all["facets"]["sizes"]] == [
        ("XS", "XS", "Letters"),
        ("M", "M", "Letters"),
        *((f"shoes:{size}", size, "Shoes") for size in ("36", "40", "46")),
    ]
    assert [each["name"] for each in in_40["nodes"]] == ["Derby"]
    assert {each["name"] for each in by_name["nodes"]} == {"Derby", "Oxford Shirt"}
    assert [(each["_id"], each["sizes"]) for each in rest] == [(str(shoe), ["36", "40", "46"])]
    assert [feed.index(f"<g:size>{size}</g:size>") for size in ("36", "40", "46")] == sorted(
        feed.index(f"<g:size>{size}</g:size>") for size in ("36", "40", "46")
    )
    rows = [line.split(",") for line in exported.splitlines() if ",men_shoes," in line]
    assert [size for row in rows for size in row if size in EU] == ["36", "40", "46"]
    assert shop_sizes == ["XS", "S", "M", "L", "XL", "XXL", *EU]
    assert str(shirt) in feed


async def test_a_product_is_made_in_sizes_of_its_category_only(storefront: Storefront, session: AsyncSession) -> None:
    await make_shoes(storefront)
    await put_on_offer(session, pictures=1)
    image = "{ products { nodes { images { id } } } }"
    [picture] = (await ask(storefront.visitor, image))["products"]["nodes"][0]["images"]
    document = """
        mutation ($input: CreateProductInput!) {
            createProduct(input: $input) {
                ... on ProductCreated { product { id sizes variants { sku stock } } }
                ... on InvalidInput { errors { field message } }
            }
        }
    """

    async def create(sizes: list[str], category: str) -> Any:
        input = {
            "name": "Derby",
            "subtitle": "Calf",
            "description": "Welted.",
            "price": "190.00",
            "category": category,
            "sizes": sizes,
            "stock": 5,
            "colors": [{"hex": "#000000"}],
            "images": [{"imageId": picture["id"]}],
        }
        return (await ask(storefront.primary, document, input=input))["createProduct"]

    letters = await create(["M"], "men_shoes")
    numbers = await create(["38"], "men_shirts")
    shoes = await create(["46", "38"], "men_shoes")

    assert letters == {"errors": [{"field": "sizes", "message": f"Sizes are {', '.join(EU)}"}]}
    assert numbers == {"errors": [{"field": "sizes", "message": "Sizes are XS, S, M, L, XL, XXL"}]}
    assert shoes["product"]["sizes"] == ["38", "46"]
    assert [each["stock"] for each in shoes["product"]["variants"]] == [3, 2]
    assert [each["sku"][-2:] for each in shoes["product"]["variants"]] == ["38", "46"]


async def test_two_axes_are_filtered_by_both(storefront: Storefront, session: AsyncSession) -> None:
    await give(session, JEANS, "men_jeans")
    await put_on_offer(session, "Slim", category="men_jeans", sizes=("W30 L30", "W32 L32"))
    await put_on_offer(session, "Straight", category="men_jeans", sizes=("W30 L32", "W28 L30"))

    async def listed(*sizes: str) -> tuple[set[str], dict[str, int]]:
        products = (await ask(storefront.visitor, FACETS, filter={"sizes": sizes}))["products"]
        counts = {each["name"]: each["count"] for each in products["facets"]["sizes"]}
        return {each["name"] for each in products["nodes"]}, counts

    assert await listed() == ({"Slim", "Straight"}, {"W28": 1, "W30": 2, "W32": 1, "L30": 2, "L32": 2})
    assert await listed("jeans:W30", "jeans:L32") == (
        {"Straight"},
        {"W28": 0, "W30": 1, "W32": 1, "L30": 1, "L32": 1},
    )
    assert (await listed("W30 L30"))[0] == {"Slim"}
    slim = (await ask(storefront.visitor, "{ products { nodes { id name sizes } } }"))["products"]["nodes"]
    assert {each["name"]: each["sizes"] for each in slim} == {
        "Slim": ["W30 L30", "W32 L32"],
        "Straight": ["W28 L30", "W30 L32"],
    }


async def test_unquoted_letters_are_read_and_unknown_sizes_refused(
    storefront: Storefront, session: AsyncSession
) -> None:
    await put_on_offer(session)

    before = await ask(storefront.visitor, "{ products(filter: { sizes: [M] }) { totalCount nodes { sizes } } }")
    unknown = await graphql(storefront.visitor, '{ products(filter: { sizes: ["99"] }) { totalCount } }')
    number = await graphql(storefront.visitor, "{ products(filter: { sizes: [38] }) { totalCount } }")

    assert before["products"] == {"totalCount": 1, "nodes": [{"sizes": ["S", "M"]}]}
    assert unknown["errors"][0]["message"] == "There is no size '99': XS, S, M, L, XL, XXL."
    assert 'A size is a text, like "M".' in number["errors"][0]["message"]


async def test_another_order_of_sizes_is_seen_at_once(storefront: Storefront, session: AsyncSession) -> None:
    await make_shoes(storefront)
    shoe = await put_on_offer(session, category="men_shoes", sizes=("36", "46"))
    first = (await ask(storefront.visitor, MADE_IN, id=str(shoe)))["product"]["sizes"]
    facets_before = (await ask(storefront.visitor, FACETS, filter={"kind": "shoes"}))["products"]["facets"]["sizes"]
    turned = system("shoes", ("Size", SHOES.axes[0].values[::-1]), market="EU")

    result = await change(storefront, "updateSizeSystem", key="shoes", version=1, input=as_input(turned))

    assert [each["version"] for each in result["sizeSystems"] if each["key"] == "shoes"] == [2]
    after = (await ask(storefront.visitor, MADE_IN, id=str(shoe)))["product"]
    facets = (await ask(storefront.visitor, FACETS, filter={"kind": "shoes"}))["products"]["facets"]["sizes"]
    assert (first, after["sizes"]) == (["36", "46"], ["46", "36"])
    assert [each["size"] for each in after["variants"]] == ["46", "36"]
    assert [each["name"] for each in facets_before] == ["36", "46"]
    assert [each["name"] for each in facets] == ["46", "36"]


async def test_a_size_in_use_stays_and_an_unused_one_goes(storefront: Storefront, session: AsyncSession) -> None:
    await make_shoes(storefront)
    await put_on_offer(session, category="men_shoes", sizes=("36", "46"))
    without_46 = system("shoes", ("Size", SHOES.axes[0].values[:-1]), market="EU")
    without_40 = system("shoes", ("Size", [each for each in SHOES.axes[0].values if each.name != "40"]), market="EU")

    refused = await change(storefront, "updateSizeSystem", key="shoes", version=1, input=as_input(without_46))
    taken = await change(storefront, "updateSizeSystem", key="shoes", version=1, input=as_input(without_40))
    late = await change(storefront, "updateSizeSystem", key="shoes", version=1, input=as_input(SHOES))
    named = await change(storefront, "deleteSizeSystem", key="shoes")

    assert (refused["__typename"], refused["uses"]) == ("SizesInUse", [{"size": "46", "productCount": 1}])
    assert refused["message"] == "Sizes are used, also by products no longer sold: 46 by 1 product."
    [shoes] = [each for each in taken["sizeSystems"] if each["key"] == "shoes"]
    assert "40" not in [value["name"] for value in shoes["axes"][0]["values"]]
    assert shoes["categories"] == [{"key": "men_shoes"}]
    assert late["__typename"] == "SizeSystemsChangedMeanwhile"
    assert named["errors"] == [{"field": "key", "message": "men_shoes has it. Give it another one first"}]
    entries = await session.scalars(select(AuditEntry).where(AuditEntry.subject_kind == "size system"))
    actions = {each.action: each for each in entries}
    assert sorted(actions) == ["created", "edited"]
    assert "38 = UK 5, US 7.5" in str(actions["created"].after)


async def test_a_size_cannot_go_while_a_product_takes_it(storefront: Storefront, sessions: Sessions) -> None:
    await make_shoes(storefront)
    without_46 = as_input(system("shoes", ("Size", SHOES.axes[0].values[:-1]), market="EU"))
    async with sessions() as creating:
        await category_queries.locked(creating)

        removal = asyncio.create_task(change(storefront, "updateSizeSystem", key="shoes", version=1, input=without_46))
        await asyncio.wait([removal], timeout=0.5)
        waited = not removal.done()
        await put_on_offer(creating, category="men_shoes", sizes=("46",))

    assert waited
    assert (await removal)["uses"] == [{"size": "46", "productCount": 1}]


async def test_a_category_takes_another_system_that_has_its_sizes(
    storefront: Storefront, session: AsyncSession
) -> None:
    letters = system("wide", ("Size", [*SHOES.axes[0].values[:1]]), name="Wide")
    await change(storefront, "createSizeSystem", key="wide", input=as_input(letters))
    longer = {"name": "Long", "axes": [{"name": "Size", "values": [{"name": size} for size in ("L", "M", "S", "3XL")]}]}
    await change(storefront, "createSizeSystem", key="long", input=longer)
    shirt = await put_on_offer(session, sizes=("S", "M"))

    refused = await set_system(storefront, "men_shirts", "wide")
    unknown = await set_system(storefront, "men_shirts", "none")
    taken = await set_system(storefront, "men_shirts", "long")

    assert refused["errors"] == [
        {
            "field": "sizeSystem",
            "message": "Sizes are 36 there, and products of this category are made in others",
        }
    ]
    assert unknown["errors"][0]["message"] == "There is no size system 'none': letters, long, wide."
    assert taken["__typename"] == "CategoriesChanged"
    assert (await ask(storefront.visitor, MADE_IN, id=str(shirt)))["product"]["sizes"] == ["M", "S"]
    by_key = (await ask(storefront.visitor, FACETS, filter={"sizes": ["long:M"]}))["products"]
    assert [each["size"] for each in by_key["facets"]["sizes"]] == ["long:M", "long:S"]
    assert len(by_key["nodes"]) == 1


async def test_categories_of_other_sizes_are_not_merged(storefront: Storefront, session: AsyncSession) -> None:
    await make_shoes(storefront)
    await put_on_offer(session, category="men_shoes", sizes=("36",))
    document = """
        mutation { mergeCategories(key: "men_shoes", into: "men_shirts") {
            __typename ... on InvalidInput { errors { field message } }
        } }
    """

    result = (await ask(storefront.primary, document))["mergeCategories"]

    message = "Sizes are XS, S, M, L, XL, XXL there: products of Shoes are made in others"
    assert result["errors"] == [{"field": "into", "message": message}]


def _named(*names: str, **more: Any) -> dict[str, Any]:
    return {"name": "Belts", "axes": [{"name": "Length", "values": [{"name": name, **more} for name in names]}]}


@pytest.mark.parametrize(
    ("key", "input", "field", "message"),
    [
        ("letters", _named("80"), "key", "letters is there already"),
        ("Belts", _named("80"), "key", "Small letters and digits, joined by hyphens, at most 30"),
        ("belts", {**_named("80"), "name": " "}, "name", "A name is required"),
        ("belts", {**_named("80"), "market": "m" * 21}, "market", "At most 20 characters"),
        ("belts", {**_named("80"), "axes": []}, "axes", "A size is chosen by one axis or two"),
        ("belts", {**_named("80"), "axes": _named("80")["axes"] * 3}, "axes", "A size is chosen by one axis or two"),
        ("belts", _named(), "axes", "Length has 1 to 60 values, not 0"),
        ("belts", _named(" "), "axes", "A size needs a name"),
        ("belts", _named("8" * 21), "axes", "At most 20 characters"),
        ("belts", _named("80", "80"), "axes", "80 is there twice"),
        ("belts", _named("s", "S"), "axes", "s is there twice"),
        ("belts", _named("shoes:80"), "axes", "shoes:80: a size is written without ':'"),
        (
            "belts",
            _named("80", labels=[{"market": "", "name": "30"}]),
            "axes",
            "80: Another name of a size needs its market",
        ),
        (
            "belts",
            _named("80", labels=[{"market": "US", "name": "30"}, {"market": "us", "name": "31"}]),
            "axes",
            "80 has two names for us",
        ),
        (
            "belts",
            {"name": "Belts", "axes": [_named("W 30")["axes"][0], {"name": "Width", "values": [{"name": "3"}]}]},
            "axes",
            "W 30: where there are two axes, a value is written without spaces",
        ),
        (
            "belts",
            {"name": "Belts", "axes": [_named("30")["axes"][0], {"name": "Width", "values": [{"name": "30"}]}]},
            "axes",
            "30 is there twice",
        ),
    ],
)
async def test_what_is_wrong_with_a_system_is_said_of_its_field(
    storefront: Storefront, key: str, input: dict[str, Any], field: str, message: str
) -> None:
    result = await change(storefront, "createSizeSystem", key=key, input=input)

    assert result["errors"] == [{"field": field, "message": message}]


async def test_one_size_and_letters_stay_as_they_are(storefront: Storefront, session: AsyncSession) -> None:
    await give(session, ONE_SIZE, "women_shirts")
    scarf = await put_on_offer(session, "Scarf", category="women_shirts", sizes=("One size",))

    assert (await ask(storefront.visitor, MADE_IN, id=str(scarf)))["product"]["sizes"] == ["One size"]
    letters = await change(storefront, "deleteSizeSystem", key="letters")
    assert letters["errors"] == [{"field": "key", "message": "New categories begin with it"}]
