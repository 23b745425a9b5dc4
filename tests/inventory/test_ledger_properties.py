"""Days of a shop at random: however its services are mixed, the ledger adds up to the stock, and the stock is right.

RANDOM_DAYS says how many, and makes them other days each time.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Integer, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.cart.models import CartLine
from server.catalog.models import StockMovement, Variant
from server.config import Settings
from server.inventory import queries, service
from server.inventory.errors import NotEnoughStock
from server.inventory.service import StockAdjustment
from server.orders import cancellations, checkouts, fulfilment, returns
from server.orders.checkouts import Buyer
from server.orders.models import Checkout, OrderLine, Return
from server.orders.returns import ReceivedQuantity
from server.orders.service import CheckoutOutcome, PaymentState, SettledCheckout
from server.payments import order_refunds
from server.payments.order_refunds import RefundRequest
from server.platform.core.db import begin, create_engine, sessionmaker
from server.platform.core.errors import StoreError
from server.platform.core.jobs import JobEnvironment
from server.platform.core.resources import Resources
from tests.cart.stock import Shopper, make_shopper
from tests.inventory.files import done, file_of
from tests.inventory.shelf import ADMIN, make_shelf, settle

T = TypeVar("T")
DAYS = int(os.environ.get("RANDOM_DAYS", "5"))
STEPS = 30
SHOP = "http://localhost"
UPS = fulfilment.ShipmentTracking("UPS")

anything = st.integers(0, 999)
few = st.integers(1, 4)


@dataclass
class Sold:
    """An order as the model knows it."""

    order_id: UUID
    shopper: Shopper
    pieces: dict[UUID, int]
    lines: dict[UUID, UUID]
    """By variant: the order's line."""
    refunded: Counter[UUID] = field(default_factory=Counter)
    back: Counter[UUID] = field(default_factory=Counter)
    is_canceled: bool = False


@dataclass
class Holding:
    """A checkout that holds pieces, or held them."""

    checkout: Checkout
    shopper: Shopper
    pieces: dict[UUID, int]
    order_id: UUID | None = None
    """Of a payment that is on its way."""


class Day(RuleBasedStateMachine):
    """Three shelves, three shoppers, and everything that can happen to them. `stock` is what should be there."""

    database_url: str
    folder: Path

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.engine = create_engine(self.database_url, pool_size=3)
        self.sessions = sessionmaker(self.engine)
        own = Settings(_env_file=None, database_url=self.database_url, shop_data=self.folder)  # type: ignore[call-arg]
        self.env = JobEnvironment(self.sessions, Resources(own))
        self.open: list[Holding] = []
        self.released: list[Holding] = []
        self.orders: list[Sold] = []

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def teardown(self) -> None:
        self.do(self.engine.dispose())
        self.runner.close()

    @initialize(pieces=st.tuples(*[st.integers(2, 12)] * 3))
    def begin_the_day(self, pieces: tuple[int, int, int]) -> None:
        async def furnish() -> None:
            async with self.sessions() as session:
                self.shoppers = [await make_shopper(session) for _ in range(3)]
                shelves = [await make_shelf(session, stock=number) for number in pieces]
                self.variants = [goods.variant_id for goods in shelves]
                query = select(Variant.sku, Variant.id).where(Variant.id.in_(self.variants))
                self.skus = {row.id: row.sku for row in await session.execute(query)}

        self.do(furnish())
        self.stock = dict(zip(self.variants, pieces, strict=True))

    def variant(self, number: int) -> UUID:
        return self.variants[number % len(self.variants)]

    @rule(who=anything, what=st.dictionaries(st.integers(0, 2), few, min_size=1))
    def go_to_the_till(self, who: int, what: dict[int, int]) -> None:
        """An open checkout of the same shopper is replaced, as when a cart has changed."""
        shopper = self.shoppers[who % 3]
        quantities = {self.variants[number]: pieces for number, pieces in what.items()}
        before = next((held for held in self.open if held.shopper is shopper and held.order_id is None), None)
        try:
            held = self.do(self._hold(shopper, quantities, before))
        except StoreError:
            assert any(pieces > self.stock[variant_id] for variant_id, pieces in quantities.items())
            return
        if before:
            self._move(before.pieces, +1)
            self.open.remove(before)
            self.released.append(before)
        self._move(quantities, -1)
        self.open.append(Holding(held, shopper, quantities))

    async def _hold(self, shopper: Shopper, quantities: Mapping[UUID, int], before: Holding | None) -> Checkout:
        async with begin(self.sessions) as session:
            await session.execute(delete(CartLine))
            for variant_id, pieces in quantities.items():
                await cart.add_line(session, shopper.id, variant_id, pieces)
            buyer, replaced = Buyer(shopper.id, shopper.email), before.checkout.id if before else None
            checkout = (await checkouts.reserve(session, buyer, None, replaced=replaced)).checkout
            await checkouts.attach_session(session, checkout.id, f"cs_{checkout.id.hex}", "secret")
            return checkout

    @precondition(lambda self: self.open)
    @rule(which=anything, state=st.sampled_from([PaymentState.PAID, PaymentState.PROCESSING, PaymentState.FAILED]))
    def hear_of_a_payment(self, which: int, state: PaymentState) -> None:
        holding = self.open[which % len(self.open)]
        settled = self.do(self._news(holding, state))
        if state is PaymentState.PROCESSING:
            assert settled.order is not None
            holding.order_id = settled.order.id
            return
        self.open.remove(holding)
        if state is PaymentState.PAID:
            self._sold(holding, settled)
        else:
            self._move(holding.pieces, +1)

    @precondition(lambda self: any(held.order_id is None for held in self.open))
    @rule(which=anything)
    def give_up(self, which: int) -> None:
        waiting = [held for held in self.open if held.order_id is None]
        holding = waiting[which % len(waiting)]

        async def release() -> bool:
            async with begin(self.sessions) as session:
                return await checkouts.release(session, holding.checkout.id)

        assert self.do(release())
        self.open.remove(holding)
        self.released.append(holding)
        self._move(holding.pieces, +1)

    @precondition(lambda self: self.released)
    @rule(which=anything)
    def hear_of_a_payment_after_all(self, which: int) -> None:
        holding = self.released.pop(which % len(self.released))
        is_there = all(self.stock[variant_id] >= pieces for variant_id, pieces in holding.pieces.items())

        settled = self.do(self._news(holding, PaymentState.PAID))

        assert settled.outcome is (CheckoutOutcome.ORDERED if is_there else CheckoutOutcome.UNFULFILLABLE)
        if is_there:
            self._move(holding.pieces, -1)
            self._sold(holding, settled)

    @rule(who=anything, what=st.dictionaries(st.integers(0, 2), few, min_size=1))
    def buy_at_once(self, who: int, what: dict[int, int]) -> None:
        held = len(self.open)
        self.go_to_the_till(who, what)
        if len(self.open) > held:
            self.hear_of_a_payment(held, PaymentState.PAID)

    @precondition(lambda self: self.orders)
    @rule(which=anything)
    def call_an_order_off(self, which: int) -> None:
        sold = self.orders[which % len(self.orders)]

        async def cancel(session: AsyncSession) -> object:
            return await cancellations.cancel_as_shop(session, sold.order_id, "No cloth", actor=ADMIN, shop_url=SHOP)

        if self._done(cancel) and not sold.is_canceled:
            sold.is_canceled = True
            self._back(sold, {each: sold.pieces[each] - sold.refunded[each] for each in sold.pieces})

    @precondition(lambda self: self.orders)
    @rule(which=anything, what=anything, pieces=few, restocked=few)
    def pay_back(self, which: int, what: int, pieces: int, restocked: int) -> None:
        sold = self.orders[which % len(self.orders)]
        variant_id = list(sold.pieces)[what % len(sold.pieces)]
        line, pieces = sold.lines[variant_id], min(pieces, sold.pieces[variant_id])
        restocked = min(restocked, pieces)
        wish = RefundRequest(pieces={line: pieces}, restocked={line: restocked}, reason="Torn seam")

        async def refund(session: AsyncSession) -> object:
            return await order_refunds.refund(session, sold.order_id, wish, actor=ADMIN)

        if self._done(refund):
            sold.refunded[variant_id] += pieces
            self._back(sold, {variant_id: restocked})

    @precondition(lambda self: self.orders)
    @rule(which=anything, what=anything, pieces=few)
    def send(self, which: int, what: int, pieces: int) -> None:
        sold = self.orders[which % len(self.orders)]
        line = list(sold.lines.values())[what % len(sold.lines)]

        async def ship(session: AsyncSession) -> object:
            return await fulfilment.ship(session, sold.order_id, {line: pieces}, UPS, actor=ADMIN, shop_url=SHOP)

        self._done(ship)

    @precondition(lambda self: self.orders)
    @rule(which=anything, what=anything, pieces=few, fit=st.integers(0, 4))
    def take_a_return(self, which: int, what: int, pieces: int, fit: int) -> None:
        sold = self.orders[which % len(self.orders)]
        variant_id = list(sold.pieces)[what % len(sold.pieces)]
        line, pieces = sold.lines[variant_id], min(pieces, sold.pieces[variant_id])

        async def come_back(session: AsyncSession) -> object:
            month = timedelta(days=30)
            await returns.request(session, sold.order_id, sold.shopper.id, {line: pieces}, "Too wide", within=month)
            newest = select(Return.id).where(Return.order_id == sold.order_id).order_by(Return.id.desc()).limit(1)
            return_id = (await session.scalars(newest)).one()
            arrived = {line: ReceivedQuantity(pieces, min(fit, pieces))}
            return await returns.receive(session, return_id, arrived, actor=ADMIN, shop_url=SHOP)

        if self._done(come_back):
            self._back(sold, {variant_id: min(fit, pieces)})

    @rule(what=anything, by=st.integers(-6, 9), reason=st.sampled_from(["received", "damaged", "adjustment"]))
    def change_by_hand(self, what: int, by: int, reason: service.ByHand) -> None:
        variant_id = self.variant(what)
        try:
            self.do(self._adjust(StockAdjustment(variant_id, by=by), reason))
        except NotEnoughStock:
            assert self.stock[variant_id] + by < 0
        else:
            self.stock[variant_id] += by

    @rule(what=anything, to=st.integers(0, 12))
    def count(self, what: int, to: int) -> None:
        self.do(self._adjust(StockAdjustment(self.variant(what), to=to), "counted"))
        self.stock[self.variant(what)] = to

    @rule(levels=st.tuples(*[st.integers(0, 12)] * 3), exported=st.tuples(*[st.integers(0, 12)] * 3))
    def bring_a_file(self, levels: tuple[int, int, int], exported: tuple[int, int, int]) -> None:
        """Where a row says what the export said, what has happened since stays."""
        rows = [
            {"sku": self.skus[variant_id], "stock": str(level), "exported_stock": str(was)}
            for variant_id, level, was in zip(self.variants, levels, exported, strict=True)
        ]
        self.do(done(self.env, file_of(rows)))
        for variant_id, level, was in zip(self.variants, levels, exported, strict=True):
            if level != was:
                self.stock[variant_id] = level

    @invariant()
    def the_stock_is_right(self) -> None:
        async def look() -> dict[UUID, int]:
            async with self.sessions() as session:
                rows = await session.execute(select(Variant.id, Variant.stock).where(Variant.id.in_(self.variants)))
                return {row.id: row.stock for row in rows}

        assert self.do(look()) == self.stock

    @invariant()
    def the_ledger_adds_up_and_was_never_below_nothing(self) -> None:
        async def look() -> tuple[dict[UUID, int], int | None]:
            so_far = func.sum(StockMovement.quantity, type_=Integer).over(
                partition_by=StockMovement.variant_id, order_by=StockMovement.id
            )
            balances = select(so_far.label("pieces")).subquery()
            async with self.sessions() as session:
                return await queries.differences(session), await session.scalar(select(func.min(balances.c.pieces)))

        missing, lowest = self.do(look())
        assert missing == {}
        assert (lowest or 0) >= 0

    def _move(self, pieces: Mapping[UUID, int], sign: int) -> None:
        for variant_id, number in pieces.items():
            self.stock[variant_id] += sign * number

    def _back(self, sold: Sold, pieces: Mapping[UUID, int]) -> None:
        """No piece comes back twice, by whatever way."""
        for variant_id, number in pieces.items():
            fitting = min(number, sold.pieces[variant_id] - sold.back[variant_id])
            sold.back[variant_id] += fitting
            self.stock[variant_id] += fitting

    def _sold(self, holding: Holding, settled: SettledCheckout) -> None:
        assert settled.order is not None
        order_id = settled.order.id

        async def lines() -> dict[UUID, UUID]:
            async with self.sessions() as session:
                query = select(OrderLine.variant_id, OrderLine.id).where(OrderLine.order_id == order_id)
                return {variant_id: line for variant_id, line in await session.execute(query) if variant_id}

        self.orders.append(Sold(order_id, holding.shopper, holding.pieces, self.do(lines())))

    async def _news(self, holding: Holding, state: PaymentState) -> SettledCheckout:
        async with self.sessions() as session:
            return await settle(session, holding.checkout, state)

    async def _adjust(self, change: StockAdjustment, reason: service.ByHand) -> None:
        async with begin(self.sessions) as session:
            await service.adjust(session, [change], reason, "At random", ADMIN)

    def _done(self, work: Any) -> bool:
        """Whether it was not refused; a refusal leaves nothing behind."""

        async def attempt() -> object:
            async with begin(self.sessions) as session:
                return await work(session)

        try:
            return bool(self.do(attempt()))
        except StoreError:
            return False


def test_after_any_day_the_ledger_adds_up_to_the_stock(database_url: str, tmp_path: Path) -> None:
    class Today(Day):
        pass

    Today.database_url, Today.folder = database_url, tmp_path
    run_state_machine_as_test(
        Today,
        settings=settings(
            max_examples=DAYS,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize="RANDOM_DAYS" not in os.environ,
            suppress_health_check=list(HealthCheck),
        ),
    )

    assert asyncio.run(reasons_in(database_url)) >= {"sale", "cancellation", "refund", "return", "counted", "import"}


async def reasons_in(database_url: str) -> set[str]:
    """Why anything has moved."""
    engine = create_engine(database_url)
    async with sessionmaker(engine)() as session:
        reasons = set(await session.scalars(select(StockMovement.reason).distinct()))
    await engine.dispose()
    return reasons
