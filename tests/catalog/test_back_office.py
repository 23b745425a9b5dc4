"""The back office's list and its editor over GraphQL."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import admin_queries, service
from server.catalog.admin_queries import AdminListFilter, AdminListSort
from server.catalog.drafts import NO_SUCH_IMAGE
from server.catalog.errors import ChangedMeanwhile
from server.catalog.models import Product
from server.platform.core.db import Sessions
from tests.catalog.edit_forms import EDIT, SHEET, form_of
from tests.catalog.editors import log, make_jean
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import Storefront, ask, graphql

LIST = """query ($filter: AdminProductFilter, $search: String, $sort: AdminProductSort = NEWEST, $after: String) {
  admin { products(filter: $filter, search: $search, sort: $sort, first: 2, after: $after) {
    totalCount nodes { name } pageInfo { hasNextPage endCursor } } } }"""
PREVIEW = """query ($selection: ProductSelection!, $change: ProductsChange!) {
  admin { productsPreview(selection: $selection, change: $change) {
    __typename ... on ProductsPreview { token changing rows { name after { price } problem } }
    ... on UserError { message field } } } }"""
CHANGE = """mutation ($selection: ProductSelection!, $change: ProductsChange!, $token: String!) {
  updateProducts(selection: $selection, change: $change, token: $token) {
    __typename ... on ProductsUpdated { count } ... on PreviewOutdated { preview { changing } } } }"""


async def names(
    session: AsyncSession, criteria: AdminListFilter, sort: AdminListSort = AdminListSort.NEWEST
) -> list[str]:
    return [row.name for row in (await admin_queries.page(session, criteria, sort, 50)).rows]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (AdminListFilter(), ["Plain", "Empty", "Cheap"]),
        (AdminListFilter(sold_out=True), ["Empty"]),
        (AdminListFilter(on_sale=True), ["Cheap"]),
        (AdminListFilter(without_picture=True), ["Plain", "Empty"]),
        (AdminListFilter(retired=True), ["Old"]),
        (AdminListFilter(include_retired=True, gender="women"), ["Old", "Empty"]),
        (AdminListFilter(words="hÉap"), ["Cheap"]),
        (AdminListFilter(words="%"), []),
        (AdminListFilter(words="_heap"), []),
    ],
)
async def test_filters_narrow_the_list(session: AsyncSession, wanted: AdminListFilter, expected: list[str]) -> None:
    await put_on_offer(session, "Cheap", discounted=5_000, pictures=1)
    await put_on_offer(session, "Empty", stock=0, category="women_shirts")
    await put_on_offer(session, "Plain")
    old = await put_on_offer(session, "Old", category="women_shirts", pictures=1)
    await service.retire_product(session, old)

    assert await names(session, wanted) == expected


async def test_a_sku_is_found_by_its_beginning_in_any_case(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    await put_on_offer(session, "Other")
    sku = f"mj-{product_id.hex[-8:]}"

    assert await names(session, AdminListFilter(words=sku)) == ["Straight Jean"]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("NEWEST", ["C", "A", "B"]),
        ("OLDEST", ["B", "A", "C"]),
        ("NAME", ["A", "B", "C"]),
        ("CHEAPEST", ["A", "C", "B"]),
        ("DEAREST", ["B", "C", "A"]),
        ("BEST_SOLD", ["C", "B", "A"]),
    ],
)
async def test_every_order_goes_on_from_page_to_page(
    storefront: Storefront, session: AsyncSession, sort: str, expected: list[str]
) -> None:
    await put_on_offer(session, "B", price=9_000, popularity=5)
    await put_on_offer(session, "A", price=1_000, popularity=1)
    await put_on_offer(session, "C", price=5_000, popularity=9)

    first = (await ask(storefront.admin, LIST, sort=sort))["admin"]["products"]
    after = first["pageInfo"]["endCursor"]
    second = (await ask(storefront.admin, LIST, sort=sort, after=after))["admin"]["products"]

    assert [node["name"] for node in first["nodes"] + second["nodes"]] == expected
    assert (first["totalCount"], second["pageInfo"]["hasNextPage"]) == (3, False)


async def test_a_cursor_of_another_order_is_refused(storefront: Storefront, session: AsyncSession) -> None:
    for _ in range(3):
        await put_on_offer(session)
    cursor = (await ask(storefront.admin, LIST))["admin"]["products"]["pageInfo"]["endCursor"]

    answer = await graphql(storefront.admin, LIST, sort="NAME", after=cursor)

    assert answer["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"


async def test_shoppers_see_an_edit_at_once(storefront: Storefront, session: AsyncSession) -> None:
    product_id = await make_jean(session)
    page = f"/product/{product_id}"
    shown = "query ($id: ID!) { product(id: $id) { price stock } }"
    assert (await ask(storefront.visitor, shown, id=str(product_id)))["product"] == {"price": "120.00", "stock": 24}
    assert "$120.00" in (await storefront.visitor.get(page)).text
    form, version = await form_of(storefront, product_id)

    edited = await ask(storefront.admin, EDIT, id=str(product_id), version=version, product={**form, "price": "95.00"})

    assert edited["updateProduct"]["product"]["product"] == {"price": "95.00", "stock": 24}
    assert (await ask(storefront.visitor, shown, id=str(product_id)))["product"] == {"price": "95.00", "stock": 24}
    html = (await storefront.visitor.get(page)).text
    assert "$95.00" in html
    assert "$120.00" not in html


async def test_the_second_admin_is_told_with_what_is_there_now(storefront: Storefront, session: AsyncSession) -> None:
    product_id = await make_jean(session)
    form, version = await form_of(storefront, product_id)
    await ask(storefront.primary, EDIT, id=str(product_id), version=version, product={**form, "price": "95.00"})

    answer = await ask(storefront.admin, EDIT, id=str(product_id), version=version, product={**form, "price": "99.00"})

    assert answer["updateProduct"] == {
        "__typename": "ProductChangedMeanwhile",
        "message": ChangedMeanwhile.message,
        "product": {"version": version + 1, "price": "95.00"},
    }


async def test_broken_rules_are_named_by_field(storefront: Storefront, session: AsyncSession) -> None:
    product_id = await make_jean(session)
    form, version = await form_of(storefront, product_id)

    wrong = {**form, "name": "", "images": [{"imageId": "none"}]}
    answer = await ask(storefront.admin, EDIT, id=str(product_id), version=version, product=wrong)
    both = await ask(storefront.admin, EDIT, id=str(product_id), version=version, product={**form, "name": ""})

    assert answer["updateProduct"]["errors"] == [{"field": "images", "message": NO_SUCH_IMAGE}]
    assert both["updateProduct"]["errors"] == [{"field": "name", "message": "Product name is required"}]


async def test_a_product_with_times_beyond_the_bounds_can_be_edited(
    storefront: Storefront, session: AsyncSession
) -> None:
    product_id = await make_jean(session)
    long_ago, far_off = datetime(1990, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    await session.execute(update(Product).values(discount_starts_at=long_ago, discount_ends_at=far_off))
    await session.commit()
    form, version = await form_of(storefront, product_id)
    times = "query ($id: ID!) { admin { product(id: $id) { discountStartsAt discountEndsAt } } }"
    shown = (await ask(storefront.admin, times, id=str(product_id)))["admin"]["product"]

    product = {**form, **shown, "price": "95.00"}
    answer = await ask(storefront.admin, EDIT, id=str(product_id), version=version, product=product)

    assert answer["updateProduct"]["__typename"] == "ProductUpdated"


async def test_many_change_as_previewed(storefront: Storefront, session: AsyncSession) -> None:
    ids = [str(await put_on_offer(session, name, price=1_000)) for name in ("A", "B")]
    what = {"selection": {"ids": ids}, "change": {"price": {"step": "RAISE_PERCENT", "percent": 10}}}

    shown = (await ask(storefront.admin, PREVIEW, **what))["admin"]["productsPreview"]
    done = await ask(storefront.admin, CHANGE, **what, token=shown["token"])
    again = await ask(storefront.admin, CHANGE, **what, token=shown["token"])

    assert [(row["name"], row["after"]["price"]) for row in shown["rows"]] == [("A", "11.00"), ("B", "11.00")]
    assert done["updateProducts"] == {"__typename": "ProductsUpdated", "count": 2}
    assert again["updateProducts"] == {"__typename": "PreviewOutdated", "preview": {"changing": 2}}


async def test_the_preview_says_which_discounts_raise_prices(storefront: Storefront, session: AsyncSession) -> None:
    ids = [str(await put_on_offer(session, name, price=1_000)) for name in ("A", "B")]
    await session.execute(update(Product).where(Product.name == "B").values(discounted_price_cents=500))
    await session.commit()
    preview = """query ($selection: ProductSelection!, $change: ProductsChange!) { admin {
      productsPreview(selection: $selection, change: $change) {
        ... on ProductsPreview { rows { name raisesPrice } } } } }"""

    shown = await ask(storefront.admin, preview, selection={"ids": ids}, change={"discount": {"percent": 20}})

    rows = shown["admin"]["productsPreview"]["rows"]
    assert rows == [{"name": "A", "raisesPrice": False}, {"name": "B", "raisesPrice": True}]


async def test_only_the_primary_admin_retires_many(
    storefront: Storefront, session: AsyncSession, sessions: Sessions
) -> None:
    what = {"selection": {"ids": [str(await put_on_offer(session))]}, "change": {"retired": True}}
    token = (await ask(storefront.admin, PREVIEW, **what))["admin"]["productsPreview"]["token"]

    refused = await graphql(storefront.admin, CHANGE, **what, token=token)
    assert refused["errors"][0]["message"] == "You lack privileges to use these controls"
    async with sessions() as other:
        assert await log(other) == []
    done = await ask(storefront.primary, CHANGE, **what, token=token)

    assert done["updateProducts"]["count"] == 1


async def test_what_is_no_product_has_no_editor(storefront: Storefront) -> None:
    assert (await ask(storefront.admin, SHEET, id=str(uuid4())))["admin"]["product"] is None
    assert (await ask(storefront.admin, SHEET, id="nothing"))["admin"]["product"] is None


async def test_the_editor_shows_what_was_sold_and_who_changed_it_last(
    storefront: Storefront, session: AsyncSession
) -> None:
    product_id = await make_jean(session)

    sheet = (await ask(storefront.admin, SHEET, id=str(product_id)))["admin"]["product"]

    assert (sheet["sold"], sheet["reserved"], sheet["changedBy"]) == (0, 0, "admin@shop.test")
