"""Histories of one payment at random: whatever arrives of its events, and when, the books end as the provider's ledger.

PAYMENT_HISTORIES says how many, and makes them other histories each time.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.config import Settings
from server.inventory import queries
from server.orders import fulfilment
from server.orders.models import Checkout, Order, OrderLine
from server.payments import cancellations, order_refunds, reconciliation
from server.payments import service as payments
from server.payments.gateway import ProviderEvent, StripeGateway
from server.payments.models import Dispute, Refund
from server.payments.order_refunds import RefundRequest
from server.platform.core.db import begin, create_engine, sessionmaker
from server.platform.core.errors import StoreError
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.models import Job
from server.platform.core.resources import Resources
from server.pricing.shipping_rates import ShippingRatesCache
from server.shop.service import SettingsCache
from tests.cart.stock import make_shopper, stock_of
from tests.due_jobs import run_all_due
from tests.inventory.shelf import ADMIN, make_shelf
from tests.payments.conftest import Till
from tests.payments.provider import Provider

T = TypeVar("T")
HISTORIES = int(os.environ.get("PAYMENT_HISTORIES", "50"))
STEPS = 16
SHOP = "http://localhost"
UPS = fulfilment.ShipmentTracking("UPS")
STOCK, PIECES, TOTAL = 5, 2, 9800
CARDS = {
    "pays": "4242424242424242",
    "is declined": "4000000000000002",
    "pays later": "4000000000000077",
    "fails later": "4000000000000341",
    "refunds are pending": "4000000000007726",
}
LAST_STEPS = [("refund", "fail"), ("refund", "fail", "refund"), ("refund",), ()]
"""What the dashboard does in the end, so that many a history comes to a refund in full."""
which = st.integers(0, 99)


@dataclass(frozen=True)
class Books:
    """What the shop has of a payment. `refunds` and `disputes` by the provider's id."""

    payment_status: str | None
    refunded_cents: int
    to_ship: int
    can_be_sent: bool
    stock: int
    in_cart: list[int]
    refunds: dict[str, tuple[int, str]]
    disputes: dict[str, str]


class History(RuleBasedStateMachine):
    """One checkout of two pieces; its shopper, its shop, its provider's dashboard and its bank act in any order."""

    database_url: str
    provider: Provider
    card: str | None
    """Paid with at once, so that the steps which follow have something to change."""
    endings: Counter[tuple[str | None, bool, bool]]
    """How many histories have ended with which payment status, with a dispute or without, to be sent or not."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.engine = create_engine(self.database_url, pool_size=5)
        sessions = sessionmaker(self.engine)
        own = Settings(  # type: ignore[call-arg]
            _env_file=None,
            port=self.provider.shop_port,
            outside_port=self.provider.port,
            outside_smtp_port=self.provider.ports[2],
            database_url=self.database_url,
            shop_data=self.provider.data,
        )
        stripe = own.stripe
        gateway = StripeGateway(stripe.secret_key, stripe.webhook_secrets, return_url=SHOP, api_base=stripe.api)
        self.env = JobEnvironment(sessions, Resources(own, gateway, SettingsCache(own), ShippingRatesCache()))
        self.called_off_here = 0
        self.seen: dict[str, Any] | None = None

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        self.seen = None
        return self.runner.run(work)

    def tell(self, path: str, **told: Any) -> None:
        self.seen = None
        self.provider.tell(f"/_control/{path}", **told)

    @initialize(
        settles=st.booleans(),
        newest_first=st.booleans(),
        arrives=st.sampled_from([True, True, False]),
        last=st.sampled_from(LAST_STEPS),
    )
    def begin_the_checkout(self, settles: bool, newest_first: bool, arrives: bool, last: tuple[str, ...]) -> None:
        self.newest_first, self.arrives, self.last = newest_first, arrives, last
        self.tell("reset")
        self.provider.quiet()
        self.tell("settings", settle_after_ms=600_000)

        async def start() -> Till:
            async with self.env.sessions() as session:
                shopper, goods = await make_shopper(session), await make_shelf(session, price=4900, stock=STOCK)
                await cart.add_line(session, shopper.id, goods.variant_id, PIECES)
                await session.commit()
            return Till(self.env, shopper, goods)

        self.till = self.do(start())
        self.checkout = self.do(self.till.start())
        self.session_id = str(self.checkout.stripe_session_id)
        if self.card:
            self.pay(self.card)
            if settles and self.session["payment_intent"]:
                self.tell(f"payments/{self.session['payment_intent']}/settle")

    # The shopper, the dashboard and the bank.

    @precondition(lambda self: self.session["status"] == "open")
    @rule(card=st.sampled_from(sorted(CARDS)))
    def pay(self, card: str) -> None:
        self.seen = None
        self.provider.pay(self.session_id, CARDS[card])

    @precondition(lambda self: self.session["status"] == "open")
    @rule()
    def the_session_expires(self) -> None:
        self.tell(f"sessions/{self.session_id}/expire")

    @precondition(lambda self: any(each["status"] == "processing" for each in self.ledger("payments")))
    @rule()
    def the_payment_settles(self) -> None:
        self.tell(f"payments/{self.session['payment_intent']}/settle")

    @precondition(lambda self: self.left > 0 and not self.is_blocked)
    @rule(cents=st.sampled_from([TOTAL, TOTAL, 4900, 1]), arrives=st.booleans())
    def refund_in_the_dashboard(self, cents: int, arrives: bool) -> None:
        with self._news(arrives):
            self.tell(f"payments/{self.session['payment_intent']}/refund", amount=min(cents, self.left))

    @precondition(lambda self: self.ledger("refunds"))
    @rule(number=which, change=st.sampled_from(["fail", "settle"]), arrives=st.booleans())
    def a_refund_ends(self, number: int, change: str, arrives: bool) -> None:
        refunds = self.ledger("refunds")
        with self._news(arrives):
            self.tell(f"refunds/{refunds[number % len(refunds)]['id']}/{change}")

    @precondition(lambda self: self.session["payment_status"] == "paid")
    @rule(status=st.sampled_from(["under_review", "won", "lost"]), arrives=st.booleans())
    def the_bank_acts(self, status: str, arrives: bool) -> None:
        """It opens a dispute, or decides the one there is."""
        dispute = next(iter(self.ledger("disputes")), None)
        with self._news(arrives):
            if dispute is None:
                self.tell(f"payments/{self.session['payment_intent']}/dispute")
            elif dispute["status"] not in ("won", "lost", status):
                self.tell(f"disputes/{dispute['id']}/answer", status=status)

    # The shop.

    @precondition(lambda self: self.ledger("events"))
    @rule(numbers=st.lists(which, min_size=1, max_size=3))
    def events_arrive(self, numbers: list[int]) -> None:
        self.do(self._handle([self.events[number % len(self.events)] for number in numbers]))

    @precondition(lambda self: self.ledger("events"))
    @rule(number=which)
    def an_event_arrives_three_times_at_once(self, number: int) -> None:
        event = self.events[number % len(self.events)]

        async def at_once() -> None:
            await asyncio.gather(*(reconciliation.handle_event(self.env, event) for _ in range(3)))

        self.do(at_once())

    @rule(what=st.sampled_from(["return page", "sweep", "sweep at the end", "jobs"]))
    def the_shop_goes_on(self, what: str) -> None:
        match what:
            case "return page":
                self.do(payments.complete_checkout(self.env, self.till.shopper.id, self.session_id))
            case "jobs":
                self.do(self._work())
            case _:
                self.do(self._sweep(expired=what == "sweep at the end"))

    @precondition(lambda self: self.session["status"] == "complete")
    @rule(what=st.sampled_from(["refund 98", "refund 49", "refund 0.01", "cancel", "send", "send"]))
    def an_admin_acts(self, what: str) -> None:
        cents = {"refund 98": TOTAL, "refund 49": 4900, "refund 0.01": 1}.get(what)

        async def act(session: AsyncSession, order: Order) -> None:
            if cents is not None:
                await order_refunds.refund(session, order.id, RefundRequest(amount_cents=cents), actor=ADMIN)
            elif what == "cancel":
                await cancellations.cancel_as_shop(session, order.id, "No cloth", actor=ADMIN, shop_url=SHOP)
            else:
                [line] = await fulfilment.lines_of(session, order.id)
                await fulfilment.ship(session, order.id, {line: 1}, UPS, actor=ADMIN, shop_url=SHOP)

        self.do(self._act(act))

    def teardown(self) -> None:
        """Everything that has not arrived arrives now; then the books are compared with the ledger."""
        try:
            if hasattr(self, "session_id"):
                self._take_last_steps()
                self.do(self._arrive_at_last())
                books, expected = self.do(self._books()), self.do(self._expected())
                assert books == expected
                assert self.do(self._leftovers()) == ({}, 0, 0)
                self.endings[books.payment_status, bool(books.disputes), books.can_be_sent] += 1
        finally:
            self.do(self.engine.dispose())
            self.runner.close()

    def _take_last_steps(self) -> None:
        for step in self.last:
            if step == "refund" and self.left > 0 and not self.is_blocked:
                self.refund_in_the_dashboard(TOTAL, self.arrives)
            elif step == "fail" and self.ledger("refunds"):
                self.a_refund_ends(-1, "fail", self.arrives)

    @property
    def session(self) -> dict[str, Any]:
        [session] = self.ledger("sessions")
        return session

    def ledger(self, kind: str) -> list[dict[str, Any]]:
        if self.seen is None:
            self.seen = self.provider.ask("/_control/ledger")
        entries: list[dict[str, Any]] = self.seen[kind]
        return entries

    @property
    def left(self) -> int:
        """Cents of the payment that the provider can still refund."""
        refunded: int = sum(each["amount"] for each in self.ledger("refunds") if each["status"] != "failed")
        return TOTAL - refunded if self.session["payment_status"] == "paid" else 0

    @property
    def is_blocked(self) -> bool:
        return any(each["status"] != "won" for each in self.ledger("disputes"))

    @property
    def events(self) -> list[ProviderEvent]:
        """All of the payment, oldest first."""
        events = []
        for event in self.ledger("events"):
            about = event["data"]["object"]
            events.append(ProviderEvent(event["id"], event["type"], about["id"], about.get("payment_intent")))
        return events

    @contextmanager
    def _news(self, arrives: bool) -> Iterator[None]:
        """The events of what is done within arrive at once, before older ones; or wait."""
        older = len(self.events)
        yield
        if arrives:
            self.do(self._handle(self.events[older:]))

    async def _handle(self, events: list[ProviderEvent]) -> None:
        for event in events:
            await reconciliation.handle_event(self.env, event)

    async def _sweep(self, *, expired: bool) -> None:
        past = datetime.now(UTC) - timedelta(seconds=1)
        values = {"check_at": past} | ({"expires_at": past} if expired else {})
        async with begin(self.env.sessions) as session:
            await session.execute(update(Checkout).where(Checkout.id == self.checkout.id).values(values))
        await payments.sweep(self.env)

    async def _work(self) -> None:
        """Does what is due, also what waits for its next attempt."""
        worker = Worker(self.env, payments.HANDLERS)
        for _ in range(6):
            async with begin(self.env.sessions) as session:
                await session.execute(update(Job).values(run_at=func.now()))
            await run_all_due(worker)

    async def _act(self, action: Callable[[AsyncSession, Order], Awaitable[object]]) -> None:
        """An admin's action on the order; a refusal leaves nothing behind. Counts what it calls off."""
        try:
            async with begin(self.env.sessions) as session:
                order = await session.scalar(select(Order).where(Order.checkout_id == self.checkout.id))
                if order is None:
                    return
                before = (await self._line(session, order)).called_off
                await action(session, order)
                await session.flush()
                here = (await self._line(session, order)).called_off - before
        except StoreError:
            return
        self.called_off_here += here

    async def _line(self, session: AsyncSession, order: Order) -> OrderLine:
        [line] = (await fulfilment.lines_of(session, order.id)).values()
        return line

    async def _arrive_at_last(self) -> None:
        """Events that jobs cause arrive too; the sweep follows, since an early end of a session waits for it."""
        handled = 0
        while handled < len(events := self.events):
            handled = len(events)
            await self._handle(events[::-1] if self.newest_first else events)
            await self._work()
            self.seen = None
        if self.session["status"] == "expired":
            await self._sweep(expired=True)

    async def _books(self) -> Books:
        async with self.env.sessions() as session:
            stock = await stock_of(session, self.till.goods.variant_id)
            order = await session.scalar(select(Order).where(Order.checkout_id == self.checkout.id))
            line = await self._line(session, order) if order else None
            refunds = (await session.scalars(select(Refund).where(Refund.stripe_refund_id.is_not(None)))).all()
            disputes = (await session.scalars(select(Dispute))).all()
            intent = self.session["payment_intent"]
            return Books(
                payment_status=order.payment_status if order else None,
                refunded_cents=order.refunded_cents if order else 0,
                to_ship=line.to_ship if line else 0,
                can_be_sent=order is not None and await self._can_be_sent(order),
                stock=stock,
                in_cart=await self.till.in_cart(),
                refunds={
                    str(each.stripe_refund_id): (each.amount_cents, each.status)
                    for each in refunds
                    if each.payment_intent_id == intent
                },
                disputes={each.id: each.status for each in disputes if each.payment_intent_id == intent},
            )

    async def _can_be_sent(self, order: Order) -> bool:
        async with self.env.sessions() as session:
            try:
                await fulfilment.ship(session, order.id, None, UPS, actor=ADMIN, shop_url=SHOP)
            except StoreError:
                return False
            finally:
                await session.rollback()
        return True

    async def _expected(self) -> Books:
        """What follows from the ledger, the pieces that were sent, and those that an admin called off."""
        refunded = sum(each["amount"] for each in self.ledger("refunds") if each["status"] == "succeeded")
        status = self._payment_status(refunded)
        async with self.env.sessions() as session:
            order = await session.scalar(select(Order).where(Order.checkout_id == self.checkout.id))
            sent = (await self._line(session, order)).shipped if order else 0
        is_over = status == "failed" or (self.left == 0 and status != "processing") or (order and order.canceled_at)
        waiting = 0 if is_over else PIECES - sent - self.called_off_here
        is_held = status is not None or self.session["status"] == "open"
        pieces = sent + waiting if status else PIECES
        return Books(
            payment_status=status,
            refunded_cents=refunded,
            to_ship=PIECES if status == "failed" else waiting,
            can_be_sent=status in ("paid", "partially_refunded") and waiting > 0,
            stock=STOCK - (pieces if is_held else 0),
            in_cart=[PIECES] if status in (None, "failed") else [],
            refunds={each["id"]: (each["amount"], each["status"]) for each in self.ledger("refunds")},
            disputes={each["id"]: each["status"] for each in self.ledger("disputes")},
        )

    def _payment_status(self, refunded: int) -> str | None:
        session, intents = self.session, {each["id"]: each["status"] for each in self.ledger("payments")}
        if session["status"] != "complete":
            return None
        if session["payment_status"] != "paid":
            return "processing" if intents[session["payment_intent"]] == "processing" else "failed"
        return {0: "paid", TOTAL: "refunded"}.get(refunded, "partially_refunded")

    async def _leftovers(self) -> tuple[dict[UUID, int], int, int]:
        """What the stock ledger lacks, how many payment jobs are still to be done, and what a cancellation owes.

        A canceled order owes what is left of its payment, unless a bank or, after a failed refund, an admin decides.
        """
        async with self.env.sessions() as session:
            jobs = await session.scalar(select(func.count()).where(Job.kind.in_(payments.HANDLERS)))
            order = await session.scalar(select(Order).where(Order.checkout_id == self.checkout.id))
            is_due = order is not None and order.canceled_at is not None and not self.is_blocked
            failed = select(Refund.id).where(Refund.order_id == order.id, Refund.status == "failed") if order else None
            if failed is not None and await session.scalar(failed.limit(1)):
                is_due = False
            return await queries.differences(session), jobs or 0, self.left if is_due else 0


@pytest.fixture
def history(database_url: str, provider: Provider) -> type[History]:
    class Own(History):
        pass

    Own.database_url, Own.provider, Own.endings = database_url, provider, Counter()
    return Own


@pytest.mark.parametrize(
    ("card", "share", "statuses"),
    [
        ("pays", 0.5, {"paid", "refunded"}),
        ("refunds are pending", 0.2, set()),
        ("pays later", 0.1, set()),
        ("fails later", 0.1, {"failed"}),
        (None, 0.1, set()),
    ],
)
def test_any_history_ends_as_the_providers_ledger(
    history: type[History], card: str | None, share: float, statuses: set[str | None]
) -> None:
    history.card = card
    run_state_machine_as_test(
        history,
        settings=settings(
            max_examples=round(HISTORIES * share),
            stateful_step_count=STEPS,
            deadline=None,
            derandomize="PAYMENT_HISTORIES" not in os.environ,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert {status for status, _, _ in history.endings} >= statuses
