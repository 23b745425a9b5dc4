"""The wishlist of accounts and visitors."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product, ProductColor
from server.identity.models import User
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import InvalidInput, NotFound
from server.wishlist import service as wishlist
from server.wishlist.errors import WishlistFull
from server.wishlist.models import WishlistItem
from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.cart.stock import make_product, make_shopper

LIST = "__typename count limit productIds products { id name }"
FIELDS = f"__typename ... on Wishlist {{ {LIST} }} ... on UserError {{ message }}"
ADD = f"mutation ($id: ID!) {{ addToWishlist(productId: $id) {{ {FIELDS} }} }}"
REMOVE = "mutation ($id: ID!) { removeFromWishlist(productId: $id) { count products { id } } }"
MERGE = f"mutation ($ids: [ID!]!) {{ mergeWishlist(productIds: $ids) {{ {FIELDS} }} }}"

ITEMS = "items { product { name } color { name } }"
ADD_COLOR = f"""
mutation ($id: ID!, $color: ID) {{ addToWishlist(productId: $id, colorId: $color) {{ ... on Wishlist {{ {ITEMS} }} }} }}
"""
MERGE_COLORS = f"""
mutation ($ids: [ID!]!, $colors: [ID!]) {{
  mergeWishlist(productIds: $ids, colorIds: $colors) {{ ... on Wishlist {{ {ITEMS} }} }}
}}
"""


async def many_products(session: AsyncSession, number: int) -> list[UUID]:
    plain = {"title": "", "subtitle": "", "description": "", "gender": "men", "subcategory": "jeans", "price_cents": 1}
    statement = insert(Product).returning(Product.id)
    ids = list(await session.scalars(statement, [{"name": f"Jeans {place}", **plain} for place in range(number)]))
    await session.commit()
    return ids


async def colors_of_wishes(sessions: Sessions, user_id: UUID) -> dict[UUID, UUID | None]:
    async with sessions() as own:
        return await wishlist.items(own, user_id)


async def wishes(sessions: Sessions, user_id: UUID) -> list[UUID]:
    return list(await colors_of_wishes(sessions, user_id))


async def two_colors(session: AsyncSession, product_id: UUID) -> list[UUID]:
    rows = [{"product_id": product_id, "name": name, "hex": "#123456", "position": 1} for name in ("Dune", "Moss")]
    return list(await session.scalars(insert(ProductColor).returning(ProductColor.id), rows))


async def add_color(shop: Shop, name: str) -> str:
    """The id of a further color of the shop's product."""
    color = insert(ProductColor).values(product_id=shop.people.product, name=name, hex="#000000", position=9)
    async with begin(shop.sessions) as session:
        return str(await session.scalar(color.returning(ProductColor.id)))


async def test_the_newest_wish_comes_first_and_a_repeated_one_stays_where_it_is(
    sessions: Sessions, session: AsyncSession
) -> None:
    shopper = await make_shopper(session)
    first, second = [(await make_product(session)).product_id for _ in range(2)]

    for product_id in (first, second, first):
        async with begin(sessions) as own:
            await wishlist.add(own, shopper.id, product_id)

    assert await wishes(sessions, shopper.id) == [second, first]


async def test_a_product_added_again_changes_its_color_and_keeps_its_place(
    sessions: Sessions, session: AsyncSession
) -> None:
    shopper = await make_shopper(session)
    first, second = [(await make_product(session)).product_id for _ in range(2)]
    dune, moss = await two_colors(session, first)
    await session.commit()

    colors: list[dict[UUID, UUID | None]] = []
    for product_id, color_id in ((first, dune), (second, None), (first, moss), (first, None)):
        async with begin(sessions) as own:
            await wishlist.add(own, shopper.id, product_id, color_id)
        colors.append(await colors_of_wishes(sessions, shopper.id))

    assert colors == [{first: dune}, {first: dune, second: None}, *[{first: moss, second: None}] * 2]
    assert list(colors[-1]) == [second, first]


@pytest.mark.parametrize("lost", ["made up", "another product's", "retired"])
async def test_a_color_that_the_product_lacks_counts_as_none(
    sessions: Sessions, session: AsyncSession, lost: str
) -> None:
    shopper = await make_shopper(session)
    wished, other = [(await make_product(session)).product_id for _ in range(2)]
    kept, retired = await two_colors(session, wished)
    await session.execute(update(ProductColor).where(ProductColor.id == retired).values(retired_at=func.now()))
    [others_color, _] = await two_colors(session, other)
    await session.commit()
    color_id = {"made up": uuid4(), "another product's": others_color, "retired": retired}[lost]

    colors = []
    for asked in (color_id, kept, color_id):
        async with begin(sessions) as own:
            await wishlist.add(own, shopper.id, wished, asked)
        colors.append((await colors_of_wishes(sessions, shopper.id))[wished])

    assert colors == [None, kept, kept]


async def test_a_retired_product_vanishes_and_comes_back_with_it(sessions: Sessions, session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session)
    async with begin(sessions) as own:
        await wishlist.add(own, shopper.id, goods.product_id)

    async with begin(sessions) as own:
        await own.execute(update(Product).values(retired_at=func.now()))
    retired = await wishes(sessions, shopper.id)
    async with begin(sessions) as own:
        await own.execute(update(Product).values(retired_at=None))

    assert retired == []
    assert await wishes(sessions, shopper.id) == [goods.product_id]


@pytest.mark.parametrize("gone", ["made up", "retired"])
async def test_what_is_not_sold_cannot_be_wished_for(sessions: Sessions, session: AsyncSession, gone: str) -> None:
    shopper, goods = await make_shopper(session), await make_product(session)
    await session.execute(update(Product).values(retired_at=func.now()))
    await session.commit()

    async with begin(sessions) as own:
        with pytest.raises(NotFound):
            await wishlist.add(own, shopper.id, uuid4() if gone == "made up" else goods.product_id)


async def test_the_limit_holds_for_two_tabs_at_once(sessions: Sessions, session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    ids = await many_products(session, 203)
    async with begin(sessions) as own:
        await wishlist.merge(own, shopper.id, ids[:199])

    async def add(product_id: UUID) -> None:
        async with begin(sessions) as own:
            await wishlist.add(own, shopper.id, product_id)

    results = await asyncio.gather(*(add(each) for each in ids[199:]), return_exceptions=True)

    refusals = [result for result in results if isinstance(result, WishlistFull)]
    assert [str(refusal) for refusal in refusals] == [
        "A wishlist holds at most 200 products. Take one off to add another."
    ] * 3
    assert len(await wishes(sessions, shopper.id)) == 200


async def test_merging_keeps_both_lists_the_visitors_on_top(sessions: Sessions, session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    visitors_own, shared, newest = await many_products(session, 3)
    async with begin(sessions) as own:
        await wishlist.merge(own, shopper.id, [shared, visitors_own])

    for _ in range(2):
        async with begin(sessions) as own:
            await wishlist.merge(own, shopper.id, [newest, shared, newest, uuid4()])

    assert await wishes(sessions, shopper.id) == [newest, shared, visitors_own]


async def test_merging_takes_the_colors_of_the_visitor(sessions: Sessions, session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    shared, new, plain = [(await make_product(session)).product_id for _ in range(3)]
    (dune, moss), (first, second) = await two_colors(session, shared), await two_colors(session, new)
    await session.commit()
    async with begin(sessions) as own:
        await wishlist.add(own, shopper.id, shared, dune)

    for _ in range(2):
        async with begin(sessions) as own:
            await wishlist.merge(own, shopper.id, [new, plain, shared], [second, moss, uuid4(), first])

    assert list((await colors_of_wishes(sessions, shopper.id)).items()) == [
        (new, second),
        (plain, None),
        (shared, moss),
    ]


async def test_merging_takes_what_fits(sessions: Sessions, session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    ids = await many_products(session, 202)
    async with begin(sessions) as own:
        await wishlist.merge(own, shopper.id, ids[:198])
        await wishlist.merge(own, shopper.id, ids[198:])
        too_many = [uuid4()] * 201
        for products, colors in ((too_many, ids[:1]), (ids[:1], too_many)):
            with pytest.raises(InvalidInput):
                await wishlist.merge(own, shopper.id, products, colors)

    assert (await wishes(sessions, shopper.id))[:2] == ids[198:200]
    assert len(await wishes(sessions, shopper.id)) == 200


async def test_the_list_goes_with_the_account(sessions: Sessions, session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session)
    async with begin(sessions) as own:
        await wishlist.add(own, shopper.id, goods.product_id)

    async with begin(sessions) as own:
        await own.execute(delete(User).where(User.id == shopper.id))

    assert await session.scalar(select(func.count()).select_from(WishlistItem)) == 0


async def test_it_is_read_and_changed_through_graphql(shop: Shop) -> None:
    product = {"id": str(shop.people.product), "name": "Oxford Shirt"}

    added: Any = (await ask(shop, "shopper", ADD, id=product["id"]))["addToWishlist"]
    read = (await ask(shop, "shopper", f"{{ viewer {{ wishlist {{ {LIST} }} }} }}"))["viewer"]["wishlist"]
    others = (await ask(shop, "other", "{ viewer { wishlist { count } } }"))["viewer"]["wishlist"]
    removed = (await ask(shop, "shopper", REMOVE, id=product["id"]))["removeFromWishlist"]
    merged = (await ask(shop, "shopper", MERGE, ids=["made-up", product["id"]]))["mergeWishlist"]

    assert added == {
        "__typename": "Wishlist",
        "count": 1,
        "limit": 200,
        "productIds": [product["id"]],
        "products": [product],
    }
    assert read == added
    assert others == {"count": 0}
    assert removed == {"count": 0, "products": []}
    assert merged == added


async def test_an_item_has_the_color_in_which_it_was_added(shop: Shop) -> None:
    product, black = str(shop.people.product), await add_color(shop, "Black")

    added = [
        (await ask(shop, "shopper", ADD_COLOR, id=product, color=color))["addToWishlist"]["items"]
        for color in (None, black, "made-up")
    ]
    merged = (await ask(shop, "other", MERGE_COLORS, ids=[product], colors=["made-up", black]))["mergeWishlist"][
        "items"
    ]
    async with begin(shop.sessions) as session:
        await session.execute(update(ProductColor).where(ProductColor.name == "Black").values(retired_at=func.now()))
    retired = (await ask(shop, "shopper", f"{{ viewer {{ wishlist {{ {ITEMS} }} }} }}"))["viewer"]["wishlist"]["items"]

    [sky], [chosen] = [[{"product": {"name": "Oxford Shirt"}, "color": {"name": name}}] for name in ("Sky", "Black")]
    assert added == [[sky], [chosen], [chosen]]
    assert merged == [chosen]
    assert retired == [sky]


async def test_a_list_too_long_to_merge_is_said_to_be(shop: Shop) -> None:
    refused = (await ask(shop, "shopper", MERGE, ids=[str(uuid4()) for _ in range(201)]))["mergeWishlist"]

    assert refused == {"__typename": "InvalidInput", "message": "are at most 200"}


async def test_a_made_up_product_is_not_found(shop: Shop) -> None:
    for product_id in ("made-up", str(uuid4())):
        answer = await shop.clients["shopper"].post("/graphql", json={"query": ADD, "variables": {"id": product_id}})
        [error] = answer.json()["errors"]
        assert error["extensions"]["code"] == "NOT_FOUND"
