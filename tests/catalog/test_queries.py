from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import lists, queries
from server.catalog.index.index import CatalogIndex, Position
from server.catalog.lists import ProductCriteria, ProductListSort
from server.platform.core.errors import NotFound
from tests.catalog.goods import BLACK, RUST, SKY, put_on_offer
from tests.catalog.indexes import loaded
from tests.catalog.specified import CATEGORIES
from tests.statements import counted_statements

LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)


async def test_24_products_with_colors_pictures_and_variants_are_one_statement(session: AsyncSession) -> None:
    ids = [
        await put_on_offer(session, f"Shirt {number}", colors=(SKY, BLACK), sizes=("S", "M", "L"), pictures=3)
        for number in range(24)
    ]

    with counted_statements() as statements:
        rows = await queries.products_by_id(session, ids)

    assert len(statements) == 1
    assert {(len(row.colors), len(row.pictures), len(row.variants)) for row in rows.values()} == {(2, 6, 6)}


async def test_rows_are_ordered_by_color_then_size(session: AsyncSession) -> None:
    product_id = await put_on_offer(session, colors=(RUST, SKY), sizes=("XL", "S", "XXL", "M"), pictures=1)

    row = (await queries.products_by_id(session, [product_id]))[product_id]

    rust, sky = row.colors
    assert (rust.name, sky.name) == ("Rust", "Sky")
    expected = [(color.id, size) for color in (rust, sky) for size in ("S", "M", "XL", "XXL")]
    assert [(variant.color_id, variant.size) for variant in row.variants] == expected
    assert [picture.color_id for picture in row.pictures] == [rust.id, sky.id]
    assert row.sizes == ["S", "M", "XL", "XXL"]
    assert row.stock == 40


@pytest.mark.spec("constants.price.charged")
async def test_a_discount_shows_only_when_it_is_below_the_price(session: AsyncSession) -> None:
    real = await put_on_offer(session, price=10_000, discounted=7_500)
    void = await put_on_offer(session, price=10_000, discounted=10_000)

    rows = await queries.products_by_id(session, [real, void])

    assert [
        (row.discounted_price_cents, row.discount_percentage, row.charged_cents) for row in (rows[real], rows[void])
    ] == [(7_500, 25, 7_500), (None, None, 10_000)]


@pytest.mark.parametrize("sort", ProductListSort)
async def test_pages_show_each_product_once_while_products_come_and_go(
    session: AsyncSession, sort: ProductListSort
) -> None:
    for number in range(9):
        await put_on_offer(
            session,
            f"Shirt {number}",
            price=5_000 + 100 * (number // 2),
            popularity=number // 3,
            created_at=LONG_AGO + timedelta(days=number),
        )

    seen: list[str] = []
    after: Position | None = None
    for turn in range(20):
        page = (await loaded(session)).page(ProductCriteria(), sort, 2, after)
        rows = await queries.products_by_id(session, [each.id for each in page.positions])
        seen += [row.name for row in rows.values()]
        if not page.has_next:
            break
        after = page.positions[-1]
        await put_on_offer(
            session, f"Early {turn}", price=4_000, popularity=9, created_at=LONG_AGO + timedelta(days=99)
        )
        await put_on_offer(
            session, f"Dear {turn}", price=99_000, popularity=9, created_at=LONG_AGO + timedelta(days=99)
        )

    old = [name for name in seen if name.startswith("Shirt")]
    assert sorted(old) == [f"Shirt {number}" for number in range(9)]
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (ProductCriteria(), {"Oxford", "Denim", "Culotte", "Gone"}),
        (ProductCriteria(gender="men"), {"Oxford", "Denim", "Gone"}),
        (ProductCriteria(gender="men", subcategory="jeans"), {"Denim"}),
        (ProductCriteria(on_sale=True), {"Denim"}),
        (ProductCriteria(in_stock=True), {"Oxford", "Denim", "Culotte"}),
        (ProductCriteria(sizes=("XL",)), {"Culotte"}),
        (ProductCriteria(sizes=("M", "XL")), {"Oxford", "Culotte", "Denim", "Gone"}),
        (ProductCriteria(families=("Blue",)), {"Oxford", "Gone"}),
        (ProductCriteria(families=("Black",), sizes=("S",)), {"Oxford", "Denim"}),
        (ProductCriteria(families=("Black",), sizes=("S",), in_stock=True), {"Denim"}),
        (ProductCriteria(price_from=7_500, price_to=9_000), {"Denim", "Gone", "Oxford"}),
        (ProductCriteria(price_from=7_501), {"Oxford", "Culotte", "Gone"}),
        (ProductCriteria(price_to=7_500), {"Denim"}),
    ],
)
async def test_a_filter_finds_exactly_what_it_says(
    session: AsyncSession, wanted: ProductCriteria, expected: set[str]
) -> None:
    await put_on_offer(session, "Oxford", colors=(SKY, BLACK), stock={("Sky", "S"): 3, ("Sky", "M"): 1})
    await put_on_offer(session, "Denim", category="men_jeans", price=10_000, discounted=7_500, colors=(BLACK,))
    await put_on_offer(session, "Culotte", category="women_trousers", price=12_000, colors=(RUST,), sizes=("XL",))
    await put_on_offer(session, "Gone", stock=0)
    await put_on_offer(session, "Retired", retired_at=LONG_AGO)

    index = await loaded(session)
    rows = await queries.products_by_id(session, index.all(wanted))

    assert {row.name for row in rows.values()} == expected
    assert index.total(wanted) == len(expected)


async def test_a_facet_is_counted_without_its_own_choice(session: AsyncSession) -> None:
    await put_on_offer(session, "A", price=5_000, colors=(SKY,), sizes=("S", "M"), stock={("Sky", "S"): 1})
    await put_on_offer(session, "B", price=9_000, discounted=8_000, colors=(SKY, BLACK), sizes=("M", "L"))
    await put_on_offer(session, "C", price=20_000, colors=(BLACK,), sizes=("L",), stock=0)
    await put_on_offer(session, "D", category="women_jeans", price=1_000, colors=(RUST,), sizes=("XXL",))

    index, criteria = (
        await loaded(session),
        ProductCriteria(gender="men", sizes=("M",), families=("Blue",), price_to=10_000),
    )
    facets = index.facets(criteria)

    assert index.total(criteria) == 2
    assert facets.sizes == {"S": 1, "M": 2, "L": 1}
    assert facets.families == {"Blue": 2, "Black": 1}
    assert (facets.lowest_cents, facets.highest_cents) == (5_000, 8_000)
    assert {name: facets.flags[name] for name in ("in_stock", "on_sale")} == {"in_stock": 1, "on_sale": 1}


async def test_values_of_a_facet_that_other_filters_leave_nothing_of_count_0(session: AsyncSession) -> None:
    await put_on_offer(session, "A", price=5_000, colors=(SKY,), sizes=("S", "M"))
    await put_on_offer(session, "B", price=9_000, colors=(BLACK,), sizes=("M", "L"))
    await put_on_offer(session, "C", category="women_jeans", price=5_000, colors=(RUST,), sizes=("XXL",))

    facets = (await loaded(session)).facets(ProductCriteria(gender="men", price_to=6_000))

    assert facets.sizes == {"S": 1, "M": 1, "L": 0}
    assert facets.families == {"Blue": 1, "Black": 0}


def test_facets_of_nothing_are_empty() -> None:
    assert CatalogIndex().facets(ProductCriteria()) == lists.Facets(flags=dict.fromkeys(lists.FLAGS, 0))


@pytest.mark.spec("entities.categories")
async def test_what_is_on_offer_in_a_category_is_counted(session: AsyncSession) -> None:
    await put_on_offer(session)
    await put_on_offer(session, category="women_jeans", retired_at=LONG_AGO)

    index = await loaded(session)

    assert {
        (each.department.key, each.kind.key): index.in_category(each.department.key, each.kind.key)
        for each in CATEGORIES.rows
    } == {
        ("men", "shirts"): 1,
        ("men", "jeans"): 0,
        ("women", "shirts"): 0,
        ("women", "jeans"): 0,
        ("women", "trousers"): 0,
    }


async def test_a_retired_product_is_known_by_id_only(session: AsyncSession) -> None:
    product_id = await put_on_offer(session, retired_at=LONG_AGO)

    assert await queries.product(session, product_id) is None
    assert (await loaded(session)).all(ProductCriteria()) == []
    assert (await queries.products_by_id(session, [product_id]))[product_id].retired_at == LONG_AGO


async def test_what_goes_with_it_is_of_the_same_gender_and_other_kinds_come_first(session: AsyncSession) -> None:
    shirt = await put_on_offer(session, "Shirt")
    other_shirt = await put_on_offer(session, "Other shirt", popularity=9)
    jean = await put_on_offer(session, "Jean", category="men_jeans")
    best_jean = await put_on_offer(session, "Best jean", category="men_jeans", popularity=5)
    await put_on_offer(session, "Women's", category="women_jeans")
    await put_on_offer(session, "Retired", category="men_jeans", retired_at=LONG_AGO)

    index = await loaded(session)

    assert index.related(shirt, "men", "shirts", 4) == [best_jean, jean, other_shirt]
    assert index.related(shirt, "men", "shirts", 1) == [best_jean]
    assert index.related(jean, "men", "jeans", 4) == [other_shirt, shirt, best_jean]


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        (("men", "shirts"), ProductCriteria(gender="men", subcategory="shirts")),
        (("women", "trousers"), ProductCriteria(gender="women", subcategory="trousers")),
        (("sale", "men"), ProductCriteria(gender="men", on_sale=True)),
        (("sales", "women"), ProductCriteria(gender="women", on_sale=True)),
        (("sale", None), ProductCriteria(on_sale=True)),
        (("men", None), ProductCriteria(gender="men")),
    ],
)
def test_sale_is_every_product_of_a_gender_that_is_discounted_now(
    path: tuple[str, str | None], wanted: ProductCriteria
) -> None:
    assert lists.category_filter(CATEGORIES, *path) == wanted


@pytest.mark.spec("constants.subcategories")
@pytest.mark.parametrize(
    "path", [("men", "trousers"), ("kids", "shirts"), ("sale", "kids"), ("sale", "jeans"), ("", "")]
)
def test_a_category_that_the_shop_has_not_is_not_found(path: tuple[str, str]) -> None:
    with pytest.raises(NotFound):
        lists.category_filter(CATEGORIES, *path)
