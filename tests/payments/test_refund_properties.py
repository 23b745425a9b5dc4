"""Random histories of refunds of one order come to what a plain reckoning with single pieces says, to the cent."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from uuid import UUID

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders.models import Order, OrderLine, Return, ReturnLine
from server.orders.states import ReturnStatus
from server.payments import order_refunds
from server.payments.errors import NotRetriable
from server.payments.models import Refund, RefundLine
from server.payments.order_refunds import RefundRequest
from server.payments.refunds import RefundTooLarge
from server.platform.core.db import Sessions
from server.platform.core.errors import InvalidInput
from server.pricing.totals import TaxRule, Totals, add_up
from tests.payments.refunds import ADMIN
from tests.pricing.rules import amount_off

RANDOM = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@dataclass(frozen=True)
class Basket:
    """Lines as unit price and quantity; a code's discount, delivery and tax in cents."""

    lines: list[tuple[int, int]]
    discount: int = 0
    shipping: int = 0
    tax: TaxRule | None = None
    is_sent: bool = False

    @property
    def totals(self) -> Totals:
        amounts = [price * quantity for price, quantity in self.lines]
        off = amount_off(self.discount, amounts)
        return add_up(amounts, allocations=off, shipping_cents=self.shipping, tax=self.tax)


@dataclass(frozen=True)
class Step:
    """A refund: `picks` are pieces by line, modulo those that are left.

    `percent` has an admin type that part of what the choice comes to, or of the payment where nothing is chosen. A step
    that `fails` is refused by the provider; with `retries` it is tried again after the next step.
    """

    picks: list[int] = field(default_factory=list)
    delivery: bool = False
    percent: int | None = None
    is_return: bool = False
    fails: bool = False
    retries: bool = False


BASKETS = st.builds(
    Basket,
    lines=st.lists(st.tuples(st.integers(0, 9_999), st.integers(1, 4)), min_size=1, max_size=3),
    discount=st.sampled_from([0, 0, 1, 101, 2_500, 10**6]),
    shipping=st.sampled_from([0, 600, 601]),
    tax=st.none()
    | st.builds(
        TaxRule,
        name=st.just("VAT"),
        basis_points=st.integers(1, 2_700),
        on_delivery=st.booleans(),
        included=st.booleans(),
    ),
    is_sent=st.booleans(),
)
PICKS = st.lists(st.integers(0, 4), min_size=3, max_size=3)
STEPS = st.builds(
    Step, picks=PICKS, delivery=st.booleans(), percent=st.none() | st.integers(1, 150), is_return=st.booleans()
)
WHOLE_STEPS = st.builds(Step, picks=PICKS, delivery=st.booleans(), is_return=st.booleans())
FAILING_STEPS = st.builds(
    Step,
    picks=PICKS,
    delivery=st.booleans(),
    percent=st.none() | st.integers(1, 150),
    fails=st.booleans(),
    retries=st.booleans(),
)


class Reckoning:
    """The reference: the price of each single piece, and what is left of the payment."""

    def __init__(self, basket: Basket) -> None:
        totals = basket.totals
        self.left = totals.total_cents
        self.pieces: list[list[int]] = []
        for (price, quantity), less, tax in zip(basket.lines, totals.line_discounts, totals.line_taxes, strict=True):
            charged = price * quantity - less + (0 if totals.tax_included else tax)
            upto = [charged * number // quantity for number in range(quantity + 1)]
            self.pieces.append([more - less for less, more in pairwise(upto)])
        self.delivery = self.left - sum(map(sum, self.pieces))

    def pick(self, step: Step) -> list[int]:
        """How many pieces of each line."""
        picks = [*step.picks, *([0] * len(self.pieces))]
        return [pick % (len(left) + 1) for pick, left in zip(picks, self.pieces, strict=False)]

    def shipping(self, step: Step) -> int:
        return min(self.delivery, self.left) if step.delivery else 0

    def typed(self, step: Step) -> int | None:
        if step.percent is None:
            return None
        return max(1, (self.due(step) or self.left) * step.percent // 100)

    def due(self, step: Step) -> int:
        picked = zip(self.pieces, self.pick(step), strict=True)
        return sum(sum(left[:number]) for left, number in picked) + self.shipping(step)

    def pay(self, step: Step) -> int | None:
        """What goes back; None for more than is left."""
        typed = self.typed(step)
        cents = min(self.due(step), self.left) if typed is None else typed
        if cents > self.left:
            return None
        if cents:
            shipping, picks = min(self.shipping(step), cents), self.pick(step)
            self.pieces = [left[number:] for left, number in zip(self.pieces, picks, strict=True)]
            self.delivery, self.left = self.delivery - shipping, self.left - cents
        return cents


@dataclass
class Bought:
    """An order with its lines, and the pieces of them that came back."""

    order: Order
    lines: list[OrderLine]
    returned: Counter[UUID] = field(default_factory=Counter)


async def place(session: AsyncSession, basket: Basket) -> Bought:
    totals = basket.totals
    order = Order(
        email="ada@minimal.test",
        payment_status="paid",
        payment_intent_id="pi_1",
        currency="usd",
        shipping_address={"name": "Ada"},
        paid_at=datetime.now(UTC),
        total_cents=totals.total_cents,
        discount_cents=totals.discount_cents,
        shipping_cents=totals.shipping_cents,
        tax_cents=totals.tax_cents,
        tax_included=totals.tax_included,
    )
    session.add(order)
    await session.flush()
    names = dict.fromkeys(("name", "color", "size", "sku"), "Shirt")
    parts = zip(basket.lines, totals.line_discounts, totals.line_taxes, strict=True)
    lines = [
        OrderLine(
            order_id=order.id,
            position=place,
            quantity=quantity,
            unit_price_cents=price,
            list_price_cents=price,
            discount_cents=less,
            tax_cents=tax,
            shipped=quantity if basket.is_sent else 0,
            **names,
        )
        for place, ((price, quantity), less, tax) in enumerate(parts)
    ]
    session.add_all(lines)
    await session.flush()
    return Bought(order, lines)


async def receive(session: AsyncSession, bought: Bought, pieces: dict[UUID, int]) -> UUID:
    """A return with these pieces that has been received."""
    bought.returned.update(pieces)
    return_row = Return(order_id=bought.order.id, reason="", status=ReturnStatus.RECEIVED)
    session.add(return_row)
    await session.flush()
    session.add_all(
        ReturnLine(return_id=return_row.id, order_line_id=line, quantity=number, received=number)
        for line, number in pieces.items()
    )
    await session.flush()
    return return_row.id


async def perform(session: AsyncSession, bought: Bought, step: Step, reckoning: Reckoning) -> Refund | None:
    """The refund of a step; None when nothing is to be paid. Raises RefundTooLarge, InvalidInput."""
    picks = zip(bought.lines, reckoning.pick(step), strict=True)
    pieces = {line.id: number for line, number in picks if number}
    wish = RefundRequest(pieces, shipping_cents=reckoning.shipping(step), amount_cents=reckoning.typed(step))
    can_return = all(line.shipped >= bought.returned[line.id] + pieces.get(line.id, 0) for line in bought.lines)
    if step.is_return and pieces and can_return:
        returned = await receive(session, bought, pieces)
        return await order_refunds.refund_return(session, returned, wish, actor=ADMIN)
    return await order_refunds.refund(session, bought.order.id, wish, actor=ADMIN)


async def check_bounds(session: AsyncSession, bought: Bought, full: Reckoning) -> None:
    """No line, nor the delivery, nor the order has more refunded than was charged for it."""
    counted = (Refund.order_id == bought.order.id, Refund.status != "failed")
    sums = select(func.coalesce(func.sum(Refund.amount_cents), 0), func.coalesce(func.sum(Refund.shipping_cents), 0))
    cents, shipping = (await session.execute(sums.where(*counted))).one()
    of_lines = select(RefundLine.order_line_id, func.sum(RefundLine.amount_cents), func.sum(RefundLine.quantity))
    rows = await session.execute(of_lines.join(Refund).where(*counted).group_by(RefundLine.order_line_id))
    refunded = {line: (int(amount), int(number)) for line, amount, number in rows}
    assert cents <= full.left
    assert shipping <= full.delivery
    for line, prices in zip(bought.lines, full.pieces, strict=True):
        amount, number = refunded.get(line.id, (0, 0))
        assert amount <= sum(prices)
        assert number <= len(prices)


async def pay(session: AsyncSession, bought: Bought, step: Step, reckoning: Reckoning) -> int | None:
    """What the shop pays for a step; None when it is more than is left."""
    try:
        new_refund = await perform(session, bought, step, reckoning)
    except RefundTooLarge:
        return None
    except InvalidInput as refusal:
        if order_refunds.NOTHING_TO_PAY not in refusal.errors.values():
            raise
        return 0
    return new_refund.amount_cents if new_refund else 0


async def refund_all(
    sessions: Sessions, basket: Basket, steps: Sequence[Step]
) -> tuple[list[int | None], list[int | None]]:
    """What each step pays: by the shop, and by the reckoning. The last step names everything that is left."""
    reckoning, paid, expected = Reckoning(basket), list[int | None](), list[int | None]()
    async with sessions() as session:
        bought = await place(session, basket)
        for step in [*steps, None]:
            whole_step = step or Step([len(left) for left in reckoning.pieces], delivery=True)
            if any(reckoning.pick(whole_step)) or reckoning.shipping(whole_step) or whole_step.percent is not None:
                paid.append(await pay(session, bought, whole_step, reckoning))
                expected.append(reckoning.pay(whole_step))
                await check_bounds(session, bought, Reckoning(basket))
        await session.rollback()
    return paid, expected


@given(basket=BASKETS, steps=st.lists(STEPS, max_size=6))
@example(Basket([(8900, 2)]), [Step([1], percent=11, is_return=True), Step([1], is_return=True)])
@example(Basket([(9600, 1)], shipping=600), [Step([1], percent=10)])
@example(Basket([(4900, 2), (1200, 1)]), [Step(percent=90)])
@RANDOM
async def test_refunds_pay_the_share_of_what_they_name(sessions: Sessions, basket: Basket, steps: list[Step]) -> None:
    paid, expected = await refund_all(sessions, basket, steps)

    assert paid == expected


@given(basket=BASKETS, steps=st.lists(WHOLE_STEPS, max_size=6))
@RANDOM
async def test_refunds_without_typed_amounts_add_up_to_the_payment(
    sessions: Sessions, basket: Basket, steps: list[Step]
) -> None:
    paid, _ = await refund_all(sessions, basket, steps)

    assert sum(filter(None, paid)) == basket.totals.total_cents


@given(basket=BASKETS, steps=st.lists(FAILING_STEPS, max_size=8))
@RANDOM
async def test_failed_and_repeated_refunds_never_exceed_what_was_charged(
    sessions: Sessions, basket: Basket, steps: list[Step]
) -> None:
    full, failed = Reckoning(basket), list[Refund]()
    async with sessions() as session:
        bought = await place(session, basket)
        for step in steps:
            left = Reckoning(basket)
            rest = await order_refunds.refundable(session, bought.order, {line.id: line for line in bought.lines})
            left.pieces = [[0] * rest.pieces.get(line.id, 0) for line in bought.lines]
            left.left, left.delivery = rest.cents, rest.shipping_cents
            with suppress(RefundTooLarge, InvalidInput):
                new_refund = await perform(session, bought, step, left)
                if new_refund and step.fails:
                    new_refund.status = "failed"
                    failed += [new_refund] * step.retries
            await check_bounds(session, bought, full)
            if failed and not step.fails:
                with suppress(RefundTooLarge, NotRetriable):
                    await order_refunds.retry(session, failed.pop(0).id, actor=ADMIN)
                await check_bounds(session, bought, full)
        await session.rollback()
