"""Uses of discount codes: which histories of an order keep one, and that the counter equals a count at any time."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from uuid import UUID

import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.cart.models import Cart
from server.orders import cancellations, checkouts, fulfilment
from server.orders.checkouts import Buyer
from server.orders.errors import OtherCheckoutOpen
from server.orders.models import Checkout, Order
from server.orders.reservation_limits import ReservationLimits
from server.orders.service import PaymentState, ProviderPayment, settle
from server.payments import cancellations as payment_cancellations
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment
from server.pricing import codes
from server.pricing.errors import CodeRefused
from server.pricing.models import DiscountCode
from server.pricing.promotions import PercentOff, Promotion
from tests.cart.stock import Shopper, make_product, make_shopper
from tests.payments.canceled_orders import cancel, pay_out
from tests.payments.conftest import Till, until
from tests.payments.crowds import with_carts
from tests.payments.paid_orders import bought, deliver_events, refund
from tests.payments.provider import Provider
from tests.payments.refunds import ADMIN

SHOP = "http://localhost:8000"
TEN_PERCENT = Promotion(PercentOff(10))


@pytest.fixture
async def code(till: Till, session: AsyncSession) -> str:
    """A code for two uses in all, in the cart of the till's shopper."""
    session.add(DiscountCode(code="WELCOME10", promotion=TEN_PERCENT, max_uses=2, max_uses_per_customer=1))
    await session.flush()
    await cart.use_code(session, till.shopper.id, "WELCOME10")
    await session.commit()
    return "WELCOME10"


async def counter(session: AsyncSession, code: str = "WELCOME10") -> int | None:
    await session.rollback()
    return await session.scalar(select(DiscountCode.counted_uses).where(DiscountCode.code == code))


async def count(session: AsyncSession, code: str = "WELCOME10") -> int:
    """Uses of a code, counted from orders and checkouts by Python."""
    await session.rollback()
    orders = (await session.scalars(select(Order).where(Order.discount_code == code))).all()
    held = select(func.count()).where(Checkout.discount_code == code, Checkout.status == "open")
    return sum(map(is_use, orders)) + int(await session.scalar(held) or 0)


def is_use(order: Order) -> bool:
    """D46, in words of its own."""
    if order.payment_status == "failed" or order.canceled_at is not None:
        return False
    anything_sent = order.fulfilment in ("partly_shipped", "shipped", "delivered")
    return anything_sent or order.payment_status != "refunded"


async def send(till: Till, order: Order, pieces: int | None = None) -> None:
    async with begin(till.env.sessions) as own:
        lines = await fulfilment.lines_of(own, order.id)
        quantities = None if pieces is None else {next(iter(lines)): pieces}
        tracking = fulfilment.ShipmentTracking("Royal Mail")
        await fulfilment.ship(own, order.id, quantities, tracking, actor=ADMIN, shop_url=SHOP)


History = Callable[[Till, Provider, AsyncSession], Awaitable[None]]


async def paid(till: Till, provider: Provider, _session: AsyncSession) -> None:
    await bought(till, provider)


async def abandoned(till: Till, _provider: Provider, _session: AsyncSession) -> None:
    checkout = await till.start()
    async with begin(till.env.sessions) as own:
        await checkouts.release(own, checkout.id)


async def canceled_by_buyer(till: Till, provider: Provider, _session: AsyncSession) -> None:
    order = await bought(till, provider)
    await cancel(till, order)
    await pay_out(till, order)


async def canceled_by_shop(till: Till, provider: Provider, _session: AsyncSession) -> None:
    order = await bought(till, provider)
    async with begin(till.env.sessions) as own:
        await payment_cancellations.cancel_as_shop(own, order.id, "Sold out.", actor=ADMIN, shop_url=SHOP)


async def refunded_unsent(till: Till, provider: Provider, _session: AsyncSession) -> None:
    order = await bought(till, provider)
    await refund(till, order, order.total_cents)
    await till.work()


async def refunded_in_the_dashboard(till: Till, provider: Provider, _session: AsyncSession) -> None:
    order = await bought(till, provider)
    provider.tell(f"/_control/payments/{order.payment_intent_id}/refund", amount=order.total_cents)
    await deliver_events(till, provider, order)


async def partly_refunded(till: Till, provider: Provider, _session: AsyncSession) -> None:
    await refund(till, await bought(till, provider), 1_000)
    await till.work()


async def refunded_after_sending(till: Till, provider: Provider, _session: AsyncSession) -> None:
    order = await bought(till, provider)
    await send(till, order)
    await refund(till, order, order.total_cents)
    await till.work()


async def refunded_after_sending_one(till: Till, provider: Provider, _session: AsyncSession) -> None:
    order = await bought(till, provider)
    await send(till, order, 1)
    await refund(till, order, order.total_cents)
    await till.work()


async def payment_under_way(till: Till, _provider: Provider, _session: AsyncSession) -> None:
    await report(till, PaymentState.PROCESSING)


async def payment_failed(till: Till, _provider: Provider, _session: AsyncSession) -> None:
    await report(till, PaymentState.PROCESSING)
    await report(till, PaymentState.FAILED)


async def report(till: Till, state: PaymentState) -> None:
    checkout = await till.start() if state is PaymentState.PROCESSING else None
    async with begin(till.env.sessions) as own:
        row = checkout or (await own.scalars(select(Checkout))).one()
        news = ProviderPayment(str(row.stripe_session_id), row.id, state, row.total_cents, row.currency, "pi_1")
        await settle(own, news, shop_url=SHOP)


HISTORIES: list[tuple[History, int]] = [
    (paid, 1),
    (payment_under_way, 1),
    (partly_refunded, 1),
    (refunded_after_sending, 1),
    (refunded_after_sending_one, 1),
    (abandoned, 0),
    (payment_failed, 0),
    (canceled_by_buyer, 0),
    (canceled_by_shop, 0),
    (refunded_unsent, 0),
    (refunded_in_the_dashboard, 0),
]


@pytest.mark.parametrize(("history", "uses"), HISTORIES, ids=lambda value: getattr(value, "__name__", None))
@pytest.mark.parametrize("limit_comes_later", [False, True])
async def test_which_histories_of_an_order_keep_its_use(
    till: Till,
    provider: Provider,
    session: AsyncSession,
    code: str,
    history: History,
    uses: int,
    limit_comes_later: bool,
) -> None:
    if limit_comes_later:
        await session.execute(update(DiscountCode).values(max_uses=None))
        await session.commit()

    await history(till, provider, session)
    if limit_comes_later:
        await session.execute(update(DiscountCode).values(max_uses=2))
        await session.commit()

    assert await counter(session) == uses == await count(session)
    code_now = await codes.find(session, code, till.shopper.id)
    assert (code_now.uses, code_now.own_uses) == (uses, uses)


RACERS, ROUNDS, LIMIT = 12, 6, 3
MANY = ReservationLimits(abandoned=99, cancellations=99)
_COMPARED = text(
    """
    SELECT counted_uses, max_uses, (SELECT count(*) FROM code_uses WHERE discount_code = code)
        + (SELECT count(*) FROM code_reservations WHERE discount_code = code) AS uses
    FROM discount_codes WHERE max_uses IS NOT NULL
    """
)


@dataclass
class Race:
    """Shoppers who use two codes, pay, cancel and let go at random."""

    env: JobEnvironment
    rng: Random
    bought: int = 0
    refused: int = 0

    async def run(self, shopper: Shopper) -> None:
        for _ in range(ROUNDS):
            await self._choose_code(shopper)
            try:
                async with begin(self.env.sessions) as own:
                    reservation = await checkouts.reserve(own, Buyer(shopper.id, shopper.email), None, limits=MANY)
            except CodeRefused:
                self.refused += 1
                continue
            except OtherCheckoutOpen as other:
                await self._replace(shopper, other.checkout_id)
                continue
            await self.rng.choice([self._pay_and_cancel, self._release, self._leave])(reservation.checkout)

    async def _choose_code(self, shopper: Shopper) -> None:
        chosen = update(Cart).where(Cart.user_id == shopper.id)
        async with begin(self.env.sessions) as own:
            await own.execute(chosen.values(discount_code=self.rng.choice(["FIRST", "SECOND"])))

    async def _replace(self, shopper: Shopper, replaced: UUID) -> None:
        with suppress(CodeRefused):
            async with begin(self.env.sessions) as own:
                await checkouts.reserve(own, Buyer(shopper.id, shopper.email), None, limits=MANY, replaced=replaced)

    async def _pay_and_cancel(self, checkout: Checkout) -> None:
        paid = ProviderPayment(str(checkout.id), checkout.id, PaymentState.PAID, checkout.total_cents, "usd", None)
        async with begin(self.env.sessions) as own:
            settled = await settle(own, paid, shop_url=SHOP)
        assert settled.order is not None
        self.bought += 1
        order, buyer = settled.order, settled.checkout.user_id
        assert buyer is not None
        async with begin(self.env.sessions) as own:
            await cancellations.cancel(own, order.id, buyer, within=timedelta(hours=1), shop_url=SHOP)
            # The order has emptied the cart.
            lines = await fulfilment.lines_of(own, order.id)
            await cart.add_line(own, buyer, next(iter(lines.values())).variant_id or order.id)

    async def _release(self, checkout: Checkout) -> None:
        async with begin(self.env.sessions) as own:
            await checkouts.release(own, checkout.id)

    async def _leave(self, _checkout: Checkout) -> None:
        """The reservation stays open, and the next round replaces it."""


async def compare(sessions: Sessions, racing: asyncio.Future[list[None]]) -> int:
    """Compares counter, count and limit until the race is over. Returns how often."""
    comparisons = 0
    while not racing.done():
        async with sessions() as session:
            rows = (await session.execute(_COMPARED)).all()
        assert all(row.counted_uses == row.uses <= row.max_uses for row in rows), rows
        comparisons += 1
        await asyncio.sleep(0)
    return comparisons


@pytest.mark.parametrize("seed", range(3))
async def test_limit_holds_and_the_counter_is_a_count_while_shoppers_pay_and_cancel(
    env: JobEnvironment, session: AsyncSession, seed: int
) -> None:
    session.add_all(DiscountCode(code=code, promotion=TEN_PERCENT, max_uses=LIMIT) for code in ("FIRST", "SECOND"))
    goods = await make_product(session, sizes=("S", "M"), stock=RACERS * ROUNDS)
    rng, variants = Random(seed), list(goods.variants.values())
    shoppers = await with_carts(session, [rng.sample(variants, 2) for _ in range(RACERS)])
    race = Race(env, rng)

    racing = asyncio.ensure_future(asyncio.gather(*map(race.run, shoppers)))
    comparisons = await compare(env.sessions, racing)
    await racing

    assert race.bought > 0
    assert race.refused > 0
    assert comparisons > 10


async def test_shoppers_who_exchange_two_codes_do_not_deadlock(env: JobEnvironment, session: AsyncSession) -> None:
    session.add_all(DiscountCode(code=code, promotion=TEN_PERCENT, max_uses=9) for code in ("FIRST", "SECOND"))
    goods = await make_product(session, sizes=("S", "M"), stock=2)
    shoppers = await with_carts(session, [[variant] for variant in goods.variants.values()])

    async def exchange(shopper: Shopper, chosen: str) -> None:
        async with begin(env.sessions) as own:
            await own.execute(update(Cart).where(Cart.user_id == shopper.id).values(discount_code=chosen))
            current = await checkouts.open_checkout(own, shopper.id)
        replaced = current.id if current else None
        async with begin(env.sessions) as own:
            await checkouts.reserve(own, Buyer(shopper.id, shopper.email), None, replaced=replaced, limits=MANY)

    for round in range(40):
        chosen = ("FIRST", "SECOND") if round % 2 else ("SECOND", "FIRST")
        await asyncio.gather(*map(exchange, shoppers, chosen))

    assert await counter(session, "FIRST") == await counter(session, "SECOND") == 1


async def test_a_limit_that_is_set_while_a_use_is_being_written_counts_it(
    sessions: Sessions, till: Till, session: AsyncSession, code: str
) -> None:
    await session.execute(update(DiscountCode).values(max_uses=None))
    await session.commit()

    async def set_limit() -> None:
        async with begin(sessions) as own:
            await own.execute(update(DiscountCode).values(max_uses=2))

    async with begin(sessions) as holding:
        await checkouts.reserve(holding, till.buyer, None)
        setting = asyncio.create_task(set_limit())
        await until(lambda: waiters(session), 10)
    await setting

    assert await counter(session) == 1 == await count(session)


async def waiters(session: AsyncSession) -> int:
    """Statements that wait for an advisory lock."""
    waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    backends = int(await session.scalar(waiting) or 0)
    await session.rollback()
    return backends


async def test_checkouts_with_an_unlimited_code_do_not_wait_for_each_other(
    sessions: Sessions, till: Till, session: AsyncSession, code: str
) -> None:
    await session.execute(update(DiscountCode).values(max_uses=None))
    other, goods = await make_shopper(session), await make_product(session, stock=5)
    await cart.add_line(session, other.id, goods.variant_id, 1)
    await cart.use_code(session, other.id, code)
    await session.commit()

    async with begin(sessions) as holding:
        await checkouts.reserve(holding, till.buyer, None)
        async with asyncio.timeout(10), begin(sessions) as own:
            await checkouts.reserve(own, Buyer(other.id, other.email), None)

    assert await counter(session) is None
    assert await count(session) == 2


@pytest.mark.parametrize(
    ("limits", "reads_orders"),
    [({"max_uses": 5}, False), ({}, False), ({"max_uses_per_customer": 1}, True)],
    ids=["a limit in all", "no limit", "a limit per customer"],
)
async def test_a_cart_with_a_code_reads_orders_only_for_a_limit_per_customer(
    till: Till, session: AsyncSession, limits: dict[str, int], reads_orders: bool
) -> None:
    session.add(DiscountCode(code="WELCOME10", promotion=TEN_PERCENT, **limits))
    await session.flush()
    await cart.use_code(session, till.shopper.id, "WELCOME10")
    await session.commit()
    before = await scans_of_orders(session)

    await cart.get(session, till.shopper.id)

    assert (await scans_of_orders(session) > before) is reads_orders


async def scans_of_orders(session: AsyncSession) -> int:
    """Scans of the table and its indexes by this transaction so far."""
    scans = text(
        """
        SELECT sum(pg_stat_get_xact_numscans(oid)) FROM pg_class
        WHERE oid = 'orders'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'orders'::regclass)
        """
    )
    return int(await session.scalar(scans) or 0)
