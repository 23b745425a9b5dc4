"""Departments and categories as the owner changes them; everything that lists categories follows."""

import asyncio
import re
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.catalog import pictures
from server.catalog.models import Product
from server.media.models import Image
from server.platform.core.db import Sessions
from server.platform.core.jobs import JobEnvironment
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import Storefront, ask, client_of, graphql, open_app, open_storefront
from tests.catalog.test_freshness import Pauses
from tests.catalog.test_pictures import uploaded

RESULT = """
    __typename
    ... on UserError { message field }
    ... on CategoryNotEmpty { productCount }
    ... on CategoriesChanged { departments { key isHidden categories { key version productCount } } }
    ... on CategoriesChangedMeanwhile { departments { key version } }
"""
LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
KIDS = {"name": "Kids", "heading": "For Kids", "slug": "kids"}
HATS = {"name": "Sun hats", "slug": "sun-hats"}
HATS_ON_SALE = '{ products(filter: { department: "kids", kind: "hats" }) { nodes { id } } }'
MENU = "{ categories { key name path isHidden } }"
CATEGORY_PAGES = [
    *("/category/men", "/category/women", "/category/sale", "/category/men/shirts", "/category/men/jeans"),
    *("/category/women/shirts", "/category/women/jeans", "/category/women/trousers"),
    *("/category/sale/men", "/category/sale/women"),
]


async def change(storefront: Storefront, mutation: str, types: str = "", **variables: Any) -> Any:
    """The result of a mutation of the primary admin; `types` are those of variables that are no text."""
    kinds = {
        "input": "CategoryInput!",
        "version": "Int!",
        "before": "String",
        **dict(each.split(":") for each in types.split()),
    }
    declared = ", ".join(f"${each}: {kinds.get(each, 'String!')}" for each in variables)
    passed = ", ".join(f"{each}: ${each}" for each in variables)
    document = f"mutation ({declared}) {{ {mutation}({passed}) {{ {RESULT} }} }}"
    return (await ask(storefront.primary, document, **variables))[mutation]


async def make_hats(storefront: Storefront) -> None:
    """A department with one category, through the API."""
    department = await change(storefront, "createDepartment", "input:DepartmentInput!", key="kids", input=KIDS)
    category = await change(storefront, "createCategory", department="kids", kind="hats", input=HATS)
    assert [department["__typename"], category["__typename"]] == ["CategoriesChanged"] * 2


async def pages(storefront: Storefront) -> list[str]:
    """Paths of category pages in the sitemap."""
    sitemap = (await storefront.visitor.get("/sitemap.xml")).text
    paths = [line.partition("</loc>")[0].partition("<loc>")[2] for line in sitemap.splitlines()]
    return [path[path.index("/category/") :] for path in paths if "/category/" in path]


async def test_everything_that_lists_categories_follows_a_new_one(
    storefront: Storefront, session: AsyncSession
) -> None:
    await make_hats(storefront)
    hat = await put_on_offer(session, "Straw Boater", category="kids_hats")
    by_key = '{ products(filter: { department: "kids", kind: "hats" }) { nodes { id } facets { sizes { count } } } }'
    values = "{ admin { analytics { catalogue { dimensions { name values } } } } }"
    editor = "query ($id: ID!) { admin { product(id: $id) { category { key measurementPoints } } } }"

    menu = (await ask(storefront.visitor, MENU))["categories"]
    listed = (await ask(storefront.visitor, by_key))["products"]
    found = [
        (await ask(storefront.visitor, f'{{ search(query: "{words}") {{ products {{ nodes {{ id }} }} }} }}'))["search"]
        for words in ("sun", "kids", "hats")
    ]
    dimensions = (await ask(storefront.admin, values))["admin"]["analytics"]["catalogue"]["dimensions"]
    rest = (await storefront.visitor.get("/api/product/kids/hats")).json()
    exported = (await storefront.admin.get("/exports/products.csv")).text
    feed = (await storefront.visitor.get("/feed.xml")).text
    edited = (await ask(storefront.admin, editor, id=str(hat)))["admin"]["product"]
    node = (await ask(storefront.visitor, '{ node(id: "kids_hats") { ... on Category { name } } }'))["node"]

    assert menu[-1] == {"key": "kids_hats", "name": "Sun hats", "path": "/category/kids/sun-hats", "isHidden": False}
    assert [each["id"] for each in listed["nodes"]] == [str(hat)]
    assert listed["facets"]["sizes"]
    assert [[each["id"] for each in result["products"]["nodes"]] for result in found] == [[str(hat)]] * 3
    keys = {each["name"]: each["values"] for each in dimensions}
    assert (keys["CATEGORY"][-1], keys["GENDER"][-1], keys["SUBCATEGORY"][-1]) == ("kids_hats", "kids", "hats")
    assert [(each["_id"], each["category"], each["gender"]) for each in rest] == [(str(hat), "kids_hats", "kids")]
    assert ",kids_hats," in exported
    assert "Kids &gt; Sun hats" in feed
    assert edited == {"category": {"key": "kids_hats", "measurementPoints": []}}
    assert node == {"name": "Sun hats"}
    page = await storefront.visitor.get("/category/kids/sun-hats")
    assert page.status_code == 200
    assert "<title>For Kids, Sun hats" in page.text
    assert "Straw Boater" in page.text
    assert '"name":"Sun hats"' in page.text
    assert "/category/kids/sun-hats" in (await storefront.visitor.get("/menu")).text
    new = ["/category/kids", "/category/kids/sun-hats", "/category/sale/kids"]
    assert sorted(await pages(storefront)) == sorted([*CATEGORY_PAGES, *new])


async def test_another_process_follows_by_itself(database_url: str, sessions: Sessions, tmp_path: Path) -> None:
    async with (
        open_storefront(database_url, sessions, tmp_path) as storefront,
        open_app(database_url, tmp_path) as other,
    ):
        await make_hats(storefront)

        async with asyncio.timeout(30):
            while "kids_hats" not in other.state.shop.follower.index.categories.by_key:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def test_a_product_in_a_new_category_is_listed_within_a_second(
    database_url: str, sessions: Sessions, tmp_path: Path
) -> None:
    async with (
        open_storefront(database_url, sessions, tmp_path) as storefront,
        open_app(database_url, tmp_path) as other,
        sessions() as session,
    ):
        visitor, listed, pauses = client_of(other), asyncio.Event(), Pauses()
        follower = other.state.shop.follower
        follower.on_change(lambda: listed.set() if follower.index.in_category("kids", "hats") else None)

        await make_hats(storefront)
        async with pauses.noticed():
            hat = await put_on_offer(session, category="kids_hats")
            committed = monotonic()
            async with asyncio.timeout(30):
                await listed.wait()
            products = (await ask(visitor, HATS_ON_SALE))["products"]
            elapsed = monotonic() - committed

        assert [each["id"] for each in products["nodes"]] == [str(hat)]
        assert elapsed < pauses.allowed
        await visitor.aclose()


@pytest.mark.parametrize(
    ("department", "kind", "input", "field"),
    [
        ("kids", "hats", HATS, "department"),
        ("men", "jeans", HATS, "kind"),
        ("men", "Hats", HATS, "kind"),
        ("men", "sun_hats", HATS, "kind"),
        ("men", "h" * 31, HATS, "kind"),
        ("men", "hats", {**HATS, "name": " "}, "name"),
        ("men", "hats", {**HATS, "name": "h" * 61}, "name"),
        ("men", "hats", {**HATS, "heading": "h" * 121}, "heading"),
        ("men", "hats", {**HATS, "slug": "jeans"}, "slug"),
        ("men", "hats", {**HATS, "slug": "sun hats"}, "slug"),
        ("men", "hats", {**HATS, "measurementPoints": ["HEM", "HEM"]}, "measurementPoints"),
    ],
)
async def test_a_category_that_breaks_a_rule_is_refused(
    storefront: Storefront, department: str, kind: str, input: dict[str, Any], field: str
) -> None:
    before = await ask(storefront.visitor, MENU)

    refused = await change(storefront, "createCategory", department=department, kind=kind, input=input)

    assert (refused["__typename"], refused["field"]) == ("InvalidInput", field)
    assert await ask(storefront.visitor, MENU) == before


@pytest.mark.parametrize(
    ("key", "input", "field"),
    [
        ("men", KIDS, "key"),
        ("a_b", KIDS, "key"),
        ("sale", KIDS, "key"),
        ("sales", KIDS, "key"),
        ("kids", {**KIDS, "slug": "women"}, "slug"),
        ("kids", {**KIDS, "slug": "sale"}, "slug"),
        ("kids", {**KIDS, "slug": "sales"}, "slug"),
        ("kids", {**KIDS, "heading": ""}, "heading"),
    ],
)
async def test_a_department_that_breaks_a_rule_is_refused(
    storefront: Storefront, key: str, input: dict[str, Any], field: str
) -> None:
    refused = await change(storefront, "createDepartment", "input:DepartmentInput!", key=key, input=input)

    assert (refused["__typename"], refused["field"]) == ("InvalidInput", field)


async def test_only_the_primary_admin_changes_categories(storefront: Storefront) -> None:
    document = 'mutation { deleteCategory(key: "men_jeans") { __typename } }'

    answers = [await graphql(client, document) for client in (storefront.visitor, storefront.shopper, storefront.admin)]

    codes = [answer["errors"][0]["extensions"]["code"] for answer in answers]
    assert codes == ["UNAUTHENTICATED", "FORBIDDEN", "FORBIDDEN"]


async def test_of_two_admins_the_second_sees_what_the_first_has_changed(storefront: Storefront) -> None:
    first = await change(
        storefront, "updateCategory", key="men_jeans", version=1, input={"name": "Denim", "slug": "jeans"}
    )
    second = await change(
        storefront, "updateCategory", key="men_jeans", version=1, input={"name": "Pants", "slug": "jeans"}
    )

    assert (first["__typename"], second["__typename"]) == ("CategoriesChanged", "CategoriesChangedMeanwhile")
    menu = (await ask(storefront.visitor, MENU))["categories"]
    assert [each["name"] for each in menu if each["key"] == "men_jeans"] == ["Denim"]


async def test_an_address_of_before_leads_to_that_of_now(storefront: Storefront) -> None:
    async def rename(version: int, slug: str) -> None:
        renamed = await change(
            storefront, "updateCategory", key="men_jeans", version=version, input={"name": "Jeans", "slug": slug}
        )
        assert renamed["__typename"] == "CategoriesChanged"

    async def leads(path: str) -> tuple[int, str | None]:
        answer = await storefront.visitor.get(path)
        return answer.status_code, answer.headers.get("location")

    await rename(1, "denim")
    await rename(2, "selvedge")
    department = {"name": "Men", "heading": "Men's Collection", "slug": "gentlemen"}
    await change(storefront, "updateDepartment", "input:DepartmentInput!", key="men", version=1, input=department)

    now = "/category/gentlemen/selvedge"
    assert [await leads(f"/category/men/{slug}") for slug in ("jeans", "denim", "selvedge")] == [(301, now)] * 3
    assert await leads("/category/men?size=M") == (301, "/category/gentlemen?size=M")
    assert await leads("/category/sale/men") == (301, "/category/sale/gentlemen")

    await rename(3, "denim")
    assert await leads("/category/men/denim") == (301, "/category/gentlemen/denim")
    assert await leads("/category/gentlemen/selvedge") == (301, "/category/gentlemen/denim")
    assert (await leads("/category/men/hats"))[0] == 404

    await rename(4, "selvedge")
    assert (await leads("/category/gentlemen/selvedge"))[0] == 200
    assert await leads("/category/gentlemen/denim") == (301, "/category/gentlemen/selvedge")


async def test_a_new_page_ends_the_redirect_of_its_address(storefront: Storefront) -> None:
    await change(storefront, "updateCategory", key="men_jeans", version=1, input={"name": "Jeans", "slug": "denim"})
    await change(storefront, "createCategory", department="men", kind="cords", input={"name": "Cords", "slug": "jeans"})

    assert (await storefront.visitor.get("/category/men/jeans")).status_code != 301


async def test_a_hidden_category_has_no_page_and_its_products_stay_on_sale(
    storefront: Storefront, session: AsyncSession
) -> None:
    jean = await put_on_offer(session, "Straight Jean", category="men_jeans")
    hidden = {"name": "Jeans", "slug": "jeans", "isHidden": True}
    await change(storefront, "updateCategory", key="men_jeans", version=1, input=hidden)

    menu = (await ask(storefront.visitor, MENU))["categories"]
    document = """query ($id: ID!) {
        product(id: $id) { category { isHidden path } }
        products(filter: { department: "men" }) { nodes { id } }
    }"""
    shown = await ask(storefront.visitor, document, id=str(jean))
    found = await ask(storefront.visitor, '{ search(query: "jean") { products { nodes { id } } suggestions } }')

    assert "men_jeans" not in {each["key"] for each in menu}
    assert set(CATEGORY_PAGES) - set(await pages(storefront)) == {"/category/men/jeans"}
    assert (await storefront.visitor.get("/category/men/jeans")).status_code == 404
    assert (await storefront.visitor.get(f"/product/{jean}")).status_code == 200
    assert shown == {
        "product": {"category": {"isHidden": True, "path": "/category/men"}},
        "products": {"nodes": [{"id": str(jean)}]},
    }
    assert found["search"]["products"]["nodes"] == [{"id": str(jean)}]

    await change(storefront, "updateCategory", key="men_jeans", version=2, input={**hidden, "isHidden": False})
    assert set(await pages(storefront)) == set(CATEGORY_PAGES)
    assert (await storefront.visitor.get("/category/men/jeans")).status_code == 200


async def test_a_hidden_department_hides_all_of_its_categories(storefront: Storefront) -> None:
    department = {"name": "Men", "heading": "Men's Collection", "slug": "men", "isHidden": True}
    await change(storefront, "updateDepartment", "input:DepartmentInput!", key="men", version=1, input=department)

    assert not [path for path in await pages(storefront) if "/men" in path]


async def test_merging_moves_products_and_leaves_a_redirect(storefront: Storefront, session: AsyncSession) -> None:
    trousers = await put_on_offer(session, category="women_trousers")
    retired = await put_on_offer(session, category="women_trousers", retired_at=LONG_AGO)

    merged = await change(storefront, "mergeCategories", key="women_trousers", into="women_jeans")

    session.expire_all()
    moved = await session.scalars(select(Product.category).where(Product.id.in_([trousers, retired])))
    assert list(moved) == ["women_jeans"] * 2
    assert merged["departments"][1]["categories"][-1] == {"key": "women_jeans", "version": 1, "productCount": 1}
    answer = await storefront.visitor.get("/category/women/trousers")
    assert (answer.status_code, answer.headers["location"]) == (301, "/category/women/jeans")
    counted = await ask(
        storefront.visitor, '{ products(filter: { department: "women", kind: "jeans" }) { totalCount } }'
    )
    assert counted["products"]["totalCount"] == 1


async def test_a_category_is_not_merged_into_itself(storefront: Storefront) -> None:
    refused = await change(storefront, "mergeCategories", key="men_jeans", into="men_jeans")

    assert (refused["__typename"], refused["field"]) == ("InvalidInput", "into")


async def test_a_category_with_products_is_not_deleted(storefront: Storefront, session: AsyncSession) -> None:
    await put_on_offer(session, category="women_trousers")
    await put_on_offer(session, category="women_trousers", retired_at=LONG_AGO)

    refused = await change(storefront, "deleteCategory", key="women_trousers")
    deleted = await change(storefront, "deleteCategory", key="women_jeans")

    assert (refused["__typename"], refused["productCount"]) == ("CategoryNotEmpty", 2)
    assert [each["key"] for each in deleted["departments"][1]["categories"]] == ["women_shirts", "women_trousers"]


async def test_the_menu_follows_the_order_that_the_owner_gives_it(storefront: Storefront) -> None:
    await change(storefront, "moveCategory", key="women_trousers", before="women_shirts")
    await change(storefront, "moveCategory", key="men_shirts", before=None)
    await change(storefront, "moveDepartment", key="women", before="men")

    menu = (await ask(storefront.visitor, MENU))["categories"]

    women = ["women_trousers", "women_shirts", "women_jeans"]
    assert [each["key"] for each in menu] == [*women, "men_jeans", "men_shirts"]


async def test_a_category_is_placed_only_among_those_of_its_department(storefront: Storefront) -> None:
    document = 'mutation { moveCategory(key: "men_jeans", before: "women_jeans") { __typename } }'

    answer = await graphql(storefront.primary, document)

    assert answer["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_searches_follow_a_kinds_new_name(storefront: Storefront, session: AsyncSession) -> None:
    jean = await put_on_offer(session, "Straight Cut", category="men_jeans")
    document = '{ search(query: "dungarees") { products { nodes { id } } } }'
    assert (await ask(storefront.visitor, document))["search"]["products"]["nodes"] == []

    await change(storefront, "renameKind", key="jeans", name="Dungarees")

    assert (await ask(storefront.visitor, document))["search"]["products"]["nodes"] == [{"id": str(jean)}]


async def test_each_change_is_in_the_audit_log_with_before_and_after(
    storefront: Storefront, session: AsyncSession
) -> None:
    await make_hats(storefront)
    await change(storefront, "updateCategory", key="kids_hats", version=1, input={"name": "Caps", "slug": "sun-hats"})
    await change(storefront, "deleteCategory", key="kids_hats")

    entries = (await session.scalars(select(AuditEntry).order_by(AuditEntry.id))).all()

    assert [(each.action, each.subject_kind, str(each.subject_id)) for each in entries] == [
        ("created", "department", "kids"),
        ("created", "category", "kids_hats"),
        ("edited", "category", "kids_hats"),
        ("deleted", "category", "kids_hats"),
    ]
    assert (entries[2].before, entries[2].after) == ({"name": "Sun hats"}, {"name": "Caps"})


async def test_a_department_is_deleted_without_categories_only(storefront: Storefront) -> None:
    await change(storefront, "createDepartment", "input:DepartmentInput!", key="kids", input=KIDS)

    refused = await change(storefront, "deleteDepartment", key="men")
    deleted = await change(storefront, "deleteDepartment", key="kids")

    assert (refused["__typename"], refused["field"]) == ("InvalidInput", "key")
    assert [each["key"] for each in deleted["departments"]] == ["men", "women"]


async def test_words_and_picture_are_on_a_categorys_page_and_in_its_head(storefront: Storefront) -> None:
    image = await uploaded(storefront)
    words = {"name": "Jeans", "slug": "jeans", "description": "Washed, raw & black.", "imageId": str(image)}
    before = await storefront.visitor.get("/category/men/jeans")

    await change(storefront, "updateCategory", key="men_jeans", version=1, input=words)

    document = '{ categories(ids: ["men_jeans"]) { key description image { id alt } } }'
    shown = (await ask(storefront.visitor, document))["categories"]
    page = (await storefront.visitor.get("/category/men/jeans")).text
    assert shown == [
        {"key": "men_jeans", "description": "Washed, raw & black.", "image": {"id": str(image), "alt": "Men, Jeans"}}
    ]
    assert '<meta name="description" content="Washed, raw &amp; black.">' in page
    assert re.search(rf'<meta property="og:image" content="http://[^"]*/images/{image}/', page)
    assert '"@type":"CollectionPage","name":' in page
    assert "<p>Washed, raw &amp; black.</p>" in page
    assert "CollectionPage" not in before.text
    assert "Shirts, jeans and trousers for women and men." in before.text


async def test_a_categorys_picture_is_kept_until_it_is_replaced(
    storefront: Storefront, sessions: Sessions, session: AsyncSession
) -> None:
    image = await uploaded(storefront)
    words = {"name": "Jeans", "slug": "jeans", "imageId": str(image)}
    await change(storefront, "updateCategory", key="men_jeans", version=1, input=words)
    await session.execute(update(Image).values(created_at=LONG_AGO))
    await session.commit()

    await pictures.tidy(JobEnvironment(sessions, storefront.app.state.shop.resources))
    kept = list(await session.scalars(select(Image.id)))
    await change(storefront, "updateCategory", key="men_jeans", version=2, input={**words, "imageId": None})
    await pictures.tidy(JobEnvironment(sessions, storefront.app.state.shop.resources))

    assert kept == [image]
    assert list(await session.scalars(select(Image.id))) == []


@pytest.mark.parametrize(
    ("input", "field"),
    [
        ({"imageId": str(uuid4())}, "imageId"),
        ({"imageId": "front.png"}, "imageId"),
        ({"description": "w" * 601}, "description"),
    ],
)
async def test_words_that_are_too_long_or_a_missing_picture_are_refused(
    storefront: Storefront, input: dict[str, Any], field: str
) -> None:
    jeans = {"name": "Jeans", "slug": "jeans", **input}

    refused = await change(storefront, "updateCategory", key="men_jeans", version=1, input=jeans)

    assert (refused["__typename"], refused["field"]) == ("InvalidInput", field)


async def test_the_feed_says_whom_a_department_is_for(storefront: Storefront, session: AsyncSession) -> None:
    await make_hats(storefront)
    kids = {**KIDS, "gender": "UNISEX", "ageGroup": "KIDS"}
    await change(storefront, "updateDepartment", "input:DepartmentInput!", key="kids", version=1, input=kids)
    await put_on_offer(session, category="kids_hats")
    await put_on_offer(session, category="women_jeans")

    feed = (await storefront.visitor.get("/feed.xml")).text

    said = re.findall("<g:gender>(.*?)</g:gender><g:age_group>(.*?)</g:age_group>", feed)
    assert set(said) == {("unisex", "kids"), ("female", "adult")}
