from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import lists, queries, service
from server.catalog.drafts import NO_SUCH_IMAGE, NewColor, NewPicture, NewVariant, ProductDraft
from server.catalog.models import Product
from server.platform.core.errors import InvalidInput, NotFound
from tests.catalog.drafts import GOOD
from tests.catalog.goods import make_image, put_on_offer
from tests.catalog.indexes import loaded


async def with_picture(session: AsyncSession) -> ProductDraft:
    image = make_image()
    session.add(image)
    await session.flush()
    return replace(GOOD, pictures=[NewPicture(image.id, 0, " Front ")])


async def created(session: AsyncSession, draft: ProductDraft) -> queries.ProductRow:
    product_id = await service.create_product(session, draft, 12)
    return (await queries.products_by_id(session, [product_id]))[product_id]


async def test_a_created_product_is_what_the_form_said(session: AsyncSession) -> None:
    row = await created(session, await with_picture(session))

    assert (row.name, row.title, row.subtitle, row.category) == (
        "Oxford Shirt",
        "Oxford Shirt",
        "Washed cotton",
        "men_shirts",
    )
    assert [(color.name, color.hex) for color in row.colors] == [("Sky", "#b9cce3"), ("black", "#25262a")]
    assert [(picture.color_id, picture.alt) for picture in row.pictures] == [(row.colors[0].id, "Front")]
    assert (await loaded(session)).total(lists.ProductCriteria(families=("Black",))) == 1


@pytest.mark.parametrize(
    ("stock", "expected"), [(10, [3, 3, 2, 2]), (4, [1, 1, 1, 1]), (3, [1, 1, 1, 0]), (1, [1, 0, 0, 0])]
)
async def test_stock_is_spread_evenly_and_the_remainder_goes_to_the_first(
    session: AsyncSession, stock: int, expected: list[int]
) -> None:
    row = await created(session, replace(await with_picture(session), stock=stock))

    assert [variant.stock for variant in row.variants] == expected


async def test_stock_can_be_said_exactly_and_unnamed_variants_get_none(session: AsyncSession) -> None:
    draft = replace(await with_picture(session), stock=None, variants=[NewVariant(1, "M", 4), NewVariant(0, "S", 1)])

    row = await created(session, draft)

    assert [variant.stock for variant in row.variants] == [1, 0, 0, 4]
    assert len({variant.sku for variant in row.variants}) == 4


@pytest.mark.spec("entities.product.percentage")
@pytest.mark.parametrize(
    ("price", "discounted", "given", "expected"),
    [
        (10_000, 7_500, None, (7_500, 25)),
        (1_000, 995, None, (995, 1)),
        (1_000, 996, None, (996, 0)),
        (10_000, 6_650, None, (6_650, 34)),
        (10_000, 7_500, 30, (7_500, 30)),
        (10_000, 10_000, None, (None, None)),
        (10_000, 12_000, 50, (None, None)),
        (10_000, None, None, (None, None)),
    ],
)
async def test_the_percentage_is_rounded_half_up_and_shown_only_with_a_discount(
    session: AsyncSession,
    price: int,
    discounted: int | None,
    given: int | None,
    expected: tuple[int | None, int | None],
) -> None:
    draft = replace(
        await with_picture(session), price_cents=price, discounted_price_cents=discounted, discount_percentage=given
    )

    row = await created(session, draft)

    assert (row.discounted_price_cents, row.discount_percentage) == expected
    assert row.charged_cents == (expected[0] or price)


async def test_a_picture_that_does_not_exist_makes_no_product(session: AsyncSession) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await service.create_product(session, GOOD, 12)

    assert refusal.value.errors == {"images": NO_SUCH_IMAGE}
    assert await session.scalar(select(func.count()).select_from(Product)) == 0


async def test_colors_without_names_are_stored_in_six_digits(session: AsyncSession) -> None:
    row = await created(session, replace(await with_picture(session), colors=[NewColor("#ABC")]))

    assert [(color.name, color.hex) for color in row.colors] == [("lightsteelblue", "#aabbcc")]


async def test_retiring_twice_keeps_the_first_moment(session: AsyncSession) -> None:
    product_id = await put_on_offer(session)

    await service.retire_product(session, product_id)
    await session.commit()
    first = await retired_at(session, product_id)
    await service.retire_product(session, product_id)
    await session.commit()

    assert first is not None
    assert await retired_at(session, product_id) == first


async def retired_at(session: AsyncSession, product_id: UUID) -> object:
    return await session.scalar(select(Product.retired_at).where(Product.id == product_id))


async def test_a_product_that_does_not_exist_cannot_be_retired(session: AsyncSession) -> None:
    with pytest.raises(NotFound):
        await service.retire_product(session, uuid4())


@pytest.mark.spec("validation.pictures.order")
def test_addresses_with_prod_come_first_and_otherwise_keep_their_order() -> None:
    addresses = [" /b.webp ", "", "/prod-2.webp", "  ", "/a.webp", "/x/prod-1.webp"]

    assert service.sort_image_urls(addresses) == ["/prod-2.webp", "/x/prod-1.webp", "/b.webp", "/a.webp"]
