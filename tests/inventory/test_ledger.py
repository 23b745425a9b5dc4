"""Movements of the stock ledger for orders, refunds and returns; the ledger cannot be rewritten."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from server.inventory import queries
from server.orders import cancellations, checkouts
from server.orders import reservations as shelves
from server.orders.models import Order, OrderLine
from server.orders.service import PaymentState
from server.platform.core.db import Sessions, begin
from tests.cart.stock import Goods, Shopper, make_shopper, stock_of
from tests.inventory.shelf import ADMIN, check_out, ledger_of, make_shelf, settle

TWO_HOURS = timedelta(hours=2)


async def buy(session: AsyncSession, goods: Goods, pieces: int, shopper: Shopper | None = None) -> Order:
    checkout = await check_out(session, shopper or await make_shopper(session), {goods.variant_id: pieces})
    settled = await settle(session, checkout)
    assert settled.order is not None
    return settled.order


async def line_of(session: AsyncSession, order: Order) -> UUID:
    return (await session.scalars(select(OrderLine.id).where(OrderLine.order_id == order.id))).one()


@pytest.mark.parametrize(
    "statement",
    ["UPDATE stock_movements SET quantity = 1", "DELETE FROM stock_movements", "TRUNCATE stock_movements"],
)
async def test_the_database_refuses_to_rewrite_the_ledger(session: AsyncSession, statement: str) -> None:
    await make_shelf(session)

    with pytest.raises(DBAPIError, match="append-only"):
        await session.execute(text(statement))


async def test_holding_pieces_writes_nothing_and_paying_for_them_writes_the_sale(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_shelf(session, stock=5)

    checkout = await check_out(session, shopper, {goods.variant_id: 2})
    held = await ledger_of(session, goods.variant_id)
    settled = await settle(session, checkout)

    assert held == [("opening", 5)]
    assert await ledger_of(session, goods.variant_id) == [("opening", 5), ("sale", -2)]
    [newest, _] = await queries.movements(session, queries.MovementFilter(variant_id=goods.variant_id))
    assert settled.order is not None
    assert (newest.order_id, newest.order_number) == (settled.order.id, settled.order.quoted)
    assert (newest.balance, newest.actor_email) == (3, "")


async def test_news_of_the_same_payment_twice_sells_once(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_shelf(session, stock=5)
    checkout = await check_out(session, shopper, {goods.variant_id: 2})

    for state in (PaymentState.PROCESSING, PaymentState.PAID, PaymentState.PAID, PaymentState.FAILED):
        await settle(session, checkout, state)

    assert await ledger_of(session, goods.variant_id) == [("opening", 5), ("sale", -2)]
    assert await queries.differences(session) == {}


async def test_a_payment_that_fails_after_all_never_was_a_sale(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_shelf(session, stock=5)
    checkout = await check_out(session, shopper, {goods.variant_id: 2})

    await settle(session, checkout, PaymentState.PROCESSING)
    on_its_way = (await stock_of(session, goods.variant_id), await queries.differences(session))
    await settle(session, checkout, PaymentState.FAILED)

    assert on_its_way == (3, {})
    assert await stock_of(session, goods.variant_id) == 5
    assert await ledger_of(session, goods.variant_id) == [("opening", 5)]


async def test_a_payment_that_comes_after_the_release_takes_the_pieces_and_sells_them(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_shelf(session, stock=5)
    checkout = await check_out(session, shopper, {goods.variant_id: 2})
    await checkouts.release(session, checkout.id)
    await session.commit()

    await settle(session, checkout)

    assert await stock_of(session, goods.variant_id) == 3
    assert await ledger_of(session, goods.variant_id) == [("opening", 5), ("sale", -2)]


async def test_a_cancellation_puts_everything_back_once(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_shelf(session, stock=5)
    order = await buy(session, goods, 2, shopper)

    for _ in range(2):
        await cancellations.cancel(session, order.id, shopper.id, within=TWO_HOURS, shop_url="http://localhost")
        await session.commit()

    assert await stock_of(session, goods.variant_id) == 5
    assert await ledger_of(session, goods.variant_id) == [("opening", 5), ("sale", -2), ("cancellation", 2)]


async def test_lines_come_back_in_parts_and_never_more_than_were_sold(session: AsyncSession) -> None:
    goods = await make_shelf(session, stock=5)
    order = await buy(session, goods, 3)
    line = await line_of(session, order)

    first = await shelves.put_back_lines(session, order.id, {line: 1}, "refund", actor=ADMIN)
    second = await shelves.put_back_lines(session, order.id, {line: 3}, "return", actor=ADMIN)
    third = await shelves.put_back_lines(session, order.id, {line: 3}, "cancellation")
    await session.commit()

    assert [move.quantity for moves in (first, second, third) for move in moves] == [1, 2]
    assert await stock_of(session, goods.variant_id) == 5
    assert await ledger_of(session, goods.variant_id) == [("opening", 5), ("sale", -3), ("refund", 1), ("return", 2)]


async def test_another_orders_lines_put_nothing_back(session: AsyncSession) -> None:
    goods = await make_shelf(session, stock=5)
    order, other = await buy(session, goods, 1), await buy(session, goods, 2)

    moved = await shelves.put_back_lines(session, order.id, {await line_of(session, other): 2}, "return", actor=ADMIN)

    assert moved == []


async def test_an_order_older_than_the_ledger_comes_back_too(session: AsyncSession) -> None:
    goods = await make_shelf(session, stock=5)
    order = Order(
        email="old@shop.test", payment_status="paid", total_cents=4900, currency="usd", shipping_address={"name": "Ada"}
    )
    session.add(order)
    await session.flush()
    copy = {
        "name": "Shirt",
        "color": "Sky",
        "size": "M",
        "sku": "S",
        "unit_price_cents": 4900,
    }
    line = OrderLine(order_id=order.id, position=0, variant_id=goods.variant_id, quantity=2, **copy)
    line.list_price_cents = 4900
    session.add(line)
    await session.flush()

    for _ in range(2):
        await shelves.put_back_lines(session, order.id, {line.id: 2}, "cancellation")
    await session.commit()

    assert await ledger_of(session, goods.variant_id) == [("opening", 5), ("cancellation", 2)]
    assert await queries.differences(session) == {}


async def test_two_admins_who_put_the_same_line_back_at_once_put_it_back_once(
    sessions: Sessions, session: AsyncSession
) -> None:
    goods = await make_shelf(session, stock=5)
    order = await buy(session, goods, 2)
    line = await line_of(session, order)

    async def put_back() -> int:
        async with begin(sessions) as own:
            await own.scalar(select(Order.id).where(Order.id == order.id).with_for_update())
            moves = await shelves.put_back_lines(own, order.id, {line: 2}, "return", actor=ADMIN)
            return sum(move.quantity for move in moves)

    put = await asyncio.gather(*(put_back() for _ in range(4)))

    assert sorted(put) == [0, 0, 0, 2]
    assert await stock_of(session, goods.variant_id) == 5


async def test_a_ledger_that_does_not_add_up_is_found(session: AsyncSession) -> None:
    right, wrong = await make_shelf(session, stock=5), await make_shelf(session, stock=5)
    await session.execute(text("UPDATE variants SET stock = 7 WHERE id = :id"), {"id": wrong.variant_id})

    assert await queries.differences(session) == {wrong.variant_id: 2}
    assert right.variant_id not in await queries.differences(session)
