import asyncio

import asyncpg
import pytest
from sqlalchemy import delete, func, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.cart.errors import CartFull, OutOfStock, TooManyPieces
from server.cart.queries import LineProblem
from server.cart.service import UnpaidLine
from server.catalog.models import Product, Variant
from server.orders import checkouts
from server.orders.checkouts import Buyer
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import Conflict, InvalidInput, NotFound
from server.platform.processes.sql_files import MIGRATIONS
from tests.cart.stock import make_product, make_shopper
from tests.statements import counted_statements

TWO_COLORS = (("Indigo", "#2f4e7d"), ("Sand", "#d8c9a8"))


async def test_adding_the_same_variant_again_adds_up(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, price=4900, stock=5)
    await cart.add_line(session, shopper.id, goods.variant_id, 2)

    basket = await cart.add_line(session, shopper.id, goods.variant_id, 3)

    assert [(line.variant_id, line.quantity) for line in basket.lines] == [(goods.variant_id, 5)]
    assert (basket.count, basket.subtotal_cents, basket.can_check_out) == (1, 24500, True)


async def test_cannot_hold_more_than_the_stock(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, name="Oxford Shirt", stock=2)
    await cart.add_line(session, shopper.id, goods.variant_id, 1)

    with pytest.raises(OutOfStock) as refusal:
        await cart.add_line(session, shopper.id, goods.variant_id, 2)

    assert refusal.value.available == 2
    assert str(refusal.value) == "Only 2 of Oxford Shirt left."


@pytest.mark.parametrize(
    ("stock", "in_cart", "wanted", "refusal"),
    [
        (9, 1, 4, None),
        (9, 1, 5, "At most 4 of one item can be ordered at once."),
        (9, 4, 5, "At most 4 of one item can be ordered at once."),
        (9, 6, 7, "At most 4 of one item can be ordered at once."),
        (9, 1, 2**40, "At most 4 of one item can be ordered at once."),
        (4, 1, 5, "Only 4 of Oxford Shirt left."),
        (3, 1, 5, "Only 3 of Oxford Shirt left."),
    ],
)
@pytest.mark.parametrize("adds", [True, False])
async def test_a_line_has_at_most_the_stock_and_the_most_of_one_order(
    session: AsyncSession, stock: int, in_cart: int, wanted: int, refusal: str | None, adds: bool
) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, name="Oxford Shirt", stock=stock)
    await cart.add_line(session, shopper.id, goods.variant_id, in_cart)

    said: tuple[str, int] | None = None
    try:
        if adds:
            await cart.add_line(session, shopper.id, goods.variant_id, wanted - in_cart, most_pieces=4)
        else:
            await cart.set_quantity(session, shopper.id, goods.variant_id, wanted, most_pieces=4)
    except (OutOfStock, TooManyPieces) as error:
        said = (str(error), error.status)

    assert said == (refusal and (refusal, 409))
    [line] = (await cart.get(session, shopper.id)).lines
    assert line.quantity == (in_cart if refusal else wanted)


async def test_a_line_above_a_limit_that_was_lowered_can_be_cut_down_to_it(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, stock=9)
    await cart.add_line(session, shopper.id, goods.variant_id, 6)

    [line] = (await cart.set_quantity(session, shopper.id, goods.variant_id, 4, most_pieces=4)).lines

    assert line.quantity == 4


async def test_the_version_before_adds_to_carts_after_the_migration(database_url: str) -> None:
    """The migration drops the function under connections of processes that run on."""
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))

    async def change_to(revision: str) -> None:
        await connection.execute("DROP FUNCTION add_cart_line")
        await connection.execute((MIGRATIONS / f"sql/cart/add_cart_line.{revision}.sql").read_text())

    await change_to("0034")
    shopper = await connection.fetchval("INSERT INTO users (email, name) VALUES ('ada@shop.test', 'Ada') RETURNING id")
    adds = "SELECT problem FROM add_cart_line($1, gen_random_uuid(), 1, 90)"
    prepared = await connection.prepare(adds)
    problems = [await prepared.fetchval(shopper)]

    await change_to("0052")
    problems += [await prepared.fetchval(shopper), await connection.fetchval(adds + " -- prepared now", shopper)]

    assert problems == ["variant"] * 3
    await connection.close()


@pytest.mark.spec("validation.quantity")
@pytest.mark.parametrize("quantity", [0, -1])
async def test_a_quantity_is_at_least_one(session: AsyncSession, quantity: int) -> None:
    shopper, goods = await make_shopper(session), await make_product(session)
    await cart.add_line(session, shopper.id, goods.variant_id)

    with pytest.raises(InvalidInput) as added:
        await cart.add_line(session, shopper.id, goods.variant_id, quantity)
    with pytest.raises(InvalidInput) as changed:
        await cart.set_quantity(session, shopper.id, goods.variant_id, quantity)

    assert added.value.errors == changed.value.errors == {"quantity": "must be at least 1"}
    assert (await cart.get(session, shopper.id)).lines[0].quantity == 1


@pytest.mark.spec("states.cart.quantity")
async def test_setting_a_quantity_replaces_it(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, stock=5)
    await cart.add_line(session, shopper.id, goods.variant_id, 2)

    basket = await cart.set_quantity(session, shopper.id, goods.variant_id, 5)

    assert basket.lines[0].quantity == 5


async def test_a_quantity_cannot_be_set_for_what_is_not_in_the_cart(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session)

    with pytest.raises(NotFound):
        await cart.set_quantity(session, shopper.id, goods.variant_id, 1)


async def test_removing_twice_is_removing_once(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session)
    await cart.add_line(session, shopper.id, goods.variant_id)
    await cart.remove_line(session, shopper.id, goods.variant_id)

    basket = await cart.remove_line(session, shopper.id, goods.variant_id)

    assert basket.lines == ()


@pytest.mark.spec("roles.customer")
async def test_carts_are_ones_own(session: AsyncSession) -> None:
    ada, bob, goods = await make_shopper(session), await make_shopper(session), await make_product(session)
    await cart.add_line(session, ada.id, goods.variant_id)

    assert (await cart.get(session, bob.id)).lines == ()
    with pytest.raises(NotFound):
        await cart.variant_known_as(session, bob.id, goods.variant_id)


async def test_a_cart_holds_ninety_lines(session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    for _ in range(15):
        goods = await make_product(session, sizes=("XS", "S", "M", "L", "XL", "XXL"))
        for variant_id in goods.variants.values():
            await cart.add_line(session, shopper.id, variant_id)
    one_more = await make_product(session)

    with pytest.raises(CartFull) as refusal:
        await cart.add_line(session, shopper.id, one_more.variant_id)
    more_of_the_same = await cart.add_line(session, shopper.id, variant_id)

    assert str(refusal.value) == "A cart holds at most 90 different items."
    assert more_of_the_same.count == 90


async def test_rapid_adds_from_many_tabs_add_up(sessions: Sessions, session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, stock=50)

    async def add() -> int:
        async with begin(sessions) as own:
            [line] = (await cart.add_line(own, shopper.id, goods.variant_id, most_pieces=15)).lines
        return line.quantity

    quantities = await asyncio.gather(*(add() for _ in range(15)))

    assert (await cart.get(session, shopper.id)).lines[0].quantity == 15
    assert sorted(quantities) == list(range(1, 16)), "each tab is told of all that went before"


async def test_lines_that_cannot_be_bought_stay_and_say_why(session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    retired, sold_out, fewer, fine = [await make_product(session, price=1000 * n) for n in (1, 2, 3, 4)]
    for goods in (retired, sold_out, fewer, fine):
        await cart.add_line(session, shopper.id, goods.variant_id, 2)
    await session.execute(update(Product).where(Product.id == retired.product_id).values(retired_at=func.now()))
    await session.execute(update(Variant).where(Variant.id == sold_out.variant_id).values(stock=0))
    await session.execute(update(Variant).where(Variant.id == fewer.variant_id).values(stock=1))

    basket = await cart.get(session, shopper.id)

    problems = {line.variant_id: line.problem for line in basket.lines}
    assert problems == {
        retired.variant_id: LineProblem.RETIRED,
        sold_out.variant_id: LineProblem.SOLD_OUT,
        fewer.variant_id: LineProblem.NOT_ENOUGH_STOCK,
        fine.variant_id: None,
    }
    assert (basket.count, basket.subtotal_cents, basket.can_check_out) == (4, 8000, False)


async def test_a_retired_product_cannot_be_added(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session)
    await session.execute(update(Product).where(Product.id == goods.product_id).values(retired_at=func.now()))

    with pytest.raises(NotFound):
        await cart.add_line(session, shopper.id, goods.variant_id)


async def test_a_line_remembers_what_a_piece_cost_when_it_was_added(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, price=5000, discounted=3999)
    await cart.add_line(session, shopper.id, goods.variant_id)
    await session.execute(update(Product).where(Product.id == goods.product_id).values(discounted_price_cents=6000))

    [line] = (await cart.get(session, shopper.id)).lines

    assert (line.seen_price_cents, line.unit_price_cents, line.price_cents) == (3999, 5000, 5000)


async def test_pieces_held_for_ones_own_payment_still_count_as_available(session: AsyncSession) -> None:
    ada, bob = await make_shopper(session), await make_shopper(session)
    goods = await make_product(session, stock=2)
    await cart.add_line(session, ada.id, goods.variant_id, 2)
    await checkouts.reserve(session, Buyer(ada.id, ada.email), None)

    [hers] = (await cart.get(session, ada.id)).lines
    with pytest.raises(OutOfStock) as refusal:
        await cart.add_line(session, bob.id, goods.variant_id)

    assert (hers.available, hers.problem) == (2, None)
    assert refusal.value.available == 0
    assert str(refusal.value) == "Oxford Shirt is sold out."


async def test_without_size_and_color_the_first_in_stock_is_meant(session: AsyncSession) -> None:
    goods = await make_product(session, colors=TWO_COLORS, sizes=("XL", "S", "M"))
    await session.execute(update(Variant).where(Variant.id == goods.variants["Indigo", "S"]).values(stock=0))

    chosen = await cart.variant_for(session, goods.product_id, None, None)
    of_a_color = await cart.variant_for(session, goods.product_id, None, "sand")
    of_a_hex = await cart.variant_for(session, goods.product_id, "xl", "#D8C9A8")

    assert chosen == goods.variants["Indigo", "M"]
    assert of_a_color == goods.variants["Sand", "S"]
    assert of_a_hex == goods.variants["Sand", "XL"]


async def test_a_size_that_is_not_made_is_refused_with_those_that_are(session: AsyncSession) -> None:
    goods = await make_product(session, sizes=("S", "M"))

    with pytest.raises(InvalidInput) as refusal:
        await cart.variant_for(session, goods.product_id, "XXL", None)

    assert refusal.value.errors == {"size": "is one of S, M"}


async def test_a_product_id_stands_for_its_only_line(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, sizes=("S", "M"))
    small, medium = goods.variants["Indigo", "S"], goods.variants["Indigo", "M"]
    await cart.add_line(session, shopper.id, medium)

    assert await cart.variant_known_as(session, shopper.id, goods.product_id) == medium
    with pytest.raises(NotFound):
        await cart.variant_known_as(session, shopper.id, small)


async def test_a_product_id_that_stands_for_two_lines_is_a_conflict(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, sizes=("S", "M"))
    for variant_id in goods.variants.values():
        await cart.add_line(session, shopper.id, variant_id)

    with pytest.raises(Conflict) as refusal:
        await cart.variant_known_as(session, shopper.id, goods.product_id)

    assert "Name the variant" in str(refusal.value)


async def test_bought_pieces_leave_and_later_ones_stay(session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    all_bought, added_to, cut_down, untouched = [await make_product(session, stock=9) for _ in range(4)]
    for goods, quantity in ((all_bought, 2), (added_to, 5), (cut_down, 1), (untouched, 1)):
        await cart.add_line(session, shopper.id, goods.variant_id, quantity)

    await cart.take_bought(
        session, shopper.id, {all_bought.variant_id: 2, added_to.variant_id: 3, cut_down.variant_id: 4}
    )

    left = {line.variant_id: line.quantity for line in (await cart.get(session, shopper.id)).lines}
    assert left == {added_to.variant_id: 2, untouched.variant_id: 1}


async def test_unpaid_pieces_come_back_beside_what_was_added_since(session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    absent, added_to, deleted = [await make_product(session, stock=9) for _ in range(3)]
    await cart.add_line(session, shopper.id, added_to.variant_id, 2)
    await session.execute(delete(Variant).where(Variant.id == deleted.variant_id))

    unpaid = [UnpaidLine(goods.variant_id, 3, 4900) for goods in (absent, deleted, added_to)]
    await cart.put_back(session, shopper.id, unpaid)

    lines = {line.variant_id: line.quantity for line in (await cart.get(session, shopper.id)).lines}
    assert lines == {absent.variant_id: 3, added_to.variant_id: 5}


async def test_unpaid_pieces_never_exceed_the_lines_of_a_cart(
    session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cart, "MAX_CART_LINES", 2)
    shopper = await make_shopper(session)
    first, second, present = [await make_product(session, stock=9) for _ in range(3)]
    await cart.add_line(session, shopper.id, present.variant_id)

    unpaid = [UnpaidLine(goods.variant_id, 1, 4900) for goods in (first, second, present)]
    await cart.put_back(session, shopper.id, unpaid)

    lines = {line.variant_id: line.quantity for line in (await cart.get(session, shopper.id)).lines}
    assert lines == {present.variant_id: 2, first.variant_id: 1}


async def test_a_cart_of_ten_lines_is_one_statement(session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    for _ in range(10):
        goods = await make_product(session, colors=TWO_COLORS, pictures=True)
        await cart.add_line(session, shopper.id, goods.variants["Sand", "M"])
    await session.commit()

    with counted_statements() as statements:
        basket = await cart.get(session, shopper.id)

    assert len(statements) == 1
    assert [line.picture.alt for line in basket.lines if line.picture] == ["Oxford Shirt, Sand, front"] * 10
