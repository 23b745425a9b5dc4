"""Refunds of an order: in full, by line, its delivery, or an amount; never more than was paid or bought.

The order is locked before anything is counted, so parallel requests are handled one after the other. `refunds.pay`
moves the money.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.core import clock
from server.core.errors import InvalidInput, NotFound
from server.core.text import text_problem, trimmed
from server.core.viewer import Viewer
from server.orders import fulfilment, proration, reservations, returns
from server.orders.models import Order, OrderLine, Return
from server.orders.states import ReturnStatus
from server.payments import refunds
from server.payments.errors import NotRetriable
from server.payments.models import Refund, RefundLine

LONGEST_REASON = 500
LONGEST_KEY = 200
NOTHING = "Choose what to refund"
PART_BACK = "The shop has paid back part of your order."
RETURN_REASON = "What you sent back has arrived."


@dataclass(frozen=True)
class RefundRequest:
    """What an admin wants to refund.

    Quantities by order line; `restocked` of them return to stock, or, for lines that it does not name, those that have
    not been sent. `amount_cents` overrides the sum of items and delivery; with neither of those it is a goodwill
    refund. `reason` is a whole sentence for the buyer. The same `key` again is the same refund.
    """

    pieces: Mapping[UUID, int] = field(default_factory=dict)
    restocked: Mapping[UUID, int] = field(default_factory=dict)
    shipping_cents: int = 0
    amount_cents: int | None = None
    reason: str = ""
    key: str | None = None


@dataclass(frozen=True)
class RefundableOrder:
    """What can still be refunded of an order; `pieces` by line, without lines that are fully refunded."""

    cents: int
    shipping_cents: int
    pieces: Mapping[UUID, int]
    given: Mapping[UUID, int]
    """Quantities by line that are refunded, or about to be."""


@dataclass(frozen=True)
class RefundQuote:
    """The amount of a refund; `lines` divides it among the order's lines."""

    cents: int
    shipping_cents: int
    lines: Mapping[UUID, int]


async def found(session: AsyncSession, order_id: UUID) -> Order:
    """The order, not locked. Raises NotFound."""
    order = await session.get(Order, order_id)
    if order is None:
        raise NotFound("This order")
    return order


async def order_of_return(session: AsyncSession, return_id: UUID) -> UUID:
    """The id of a return's order. Raises NotFound."""
    order_id = await session.scalar(select(Return.order_id).where(Return.id == return_id))
    if order_id is None:
        raise NotFound("This return")
    return order_id


async def refundable(session: AsyncSession, order: Order, lines: Mapping[UUID, OrderLine]) -> RefundableOrder:
    """What can be refunded now. Pending refunds count as refunded, failed ones do not."""
    given = await _given(session, order.id)
    shipping = select(func.coalesce(func.sum(Refund.shipping_cents), 0))
    of_order = shipping.where(Refund.order_id == order.id, Refund.status != "failed")
    left = await refunds.left(session, order)
    delivery = proration.of_delivery(order, lines) - int(await session.scalar(of_order) or 0)
    pieces = {line.id: line.quantity - given.get(line.id, 0) for line in lines.values()}
    return RefundableOrder(
        cents=left,
        shipping_cents=max(0, min(delivery, left)),
        pieces={line_id: number for line_id, number in pieces.items() if number > 0},
        given=given,
    )


def quote(order: Order, lines: Mapping[UUID, OrderLine], rest: RefundableOrder, wish: RefundRequest) -> RefundQuote:
    """The exact amount of a refund; the last items of an order get all that is left of its payment.

    Raises NotFound, InvalidInput, or RefundTooLarge.
    """
    _check(lines, rest, wish)
    by_line = {
        line_id: proration.of_pieces(
            proration.of_line(order, lines[line_id]), lines[line_id].quantity, rest.given.get(line_id, 0), number
        )
        for line_id, number in wish.pieces.items()
    }
    cents = sum(by_line.values()) + wish.shipping_cents
    is_all = dict(wish.pieces) == dict(rest.pieces) and wish.shipping_cents == rest.shipping_cents
    if wish.amount_cents is not None:
        cents = wish.amount_cents
    elif is_all:
        cents = rest.cents
    if cents > rest.cents:
        raise refunds.RefundTooLarge(rest.cents)
    shipping = min(wish.shipping_cents, cents)
    return RefundQuote(cents, shipping, _spread(by_line, cents - shipping))


async def refund(
    session: AsyncSession, order_id: UUID, wish: RefundRequest, *, actor: Viewer, return_id: UUID | None = None
) -> Refund:
    """Requests a refund. Unsent items in it are not sent any more, nor are any once no money is left for them.

    Returns the earlier refund when the `key` is known. Raises NotFound, InvalidInput, or RefundTooLarge.
    """
    order = await fulfilment.locked(session, order_id)
    if wish.key is not None and (known := await _asked_before(session, order_id, wish.key)):
        return known
    lines = await fulfilment.lines_of(session, order_id)
    rest = await refundable(session, order, lines)
    comes_to = quote(order, lines, rest, wish)
    made = await refunds.refund_order(session, order_id, comes_to.cents, wish.reason.strip() or PART_BACK)
    made.shipping_cents, made.return_id = comes_to.shipping_cents, return_id
    made.request_key, made.asked_by = wish.key, actor.email
    for line_id, number in wish.pieces.items():
        amount = comes_to.lines[line_id]
        line = RefundLine(refund_id=made.id, order_line_id=line_id, quantity=number, amount_cents=amount)
        session.add(line)
    unsent = _never_sent(lines, rest, wish, comes_to, of_return=return_id is not None)
    await fulfilment.call_off(session, order, unsent)
    restocked = _put_on_the_shelf(wish, unsent)
    await _note(session, actor, order, lines, wish, comes_to, restocked)
    if restocked:
        await reservations.put_back_lines(session, order_id, restocked, "refund", actor=actor)
    return made


async def refund_return(session: AsyncSession, return_id: UUID, wish: RefundRequest, *, actor: Viewer) -> Refund | None:
    """Refunds all items that a return brought back; quantities in the request are ignored.

    None when they have been refunded before; the return is completed anyway. Raises NotFound, ReturnAnswered,
    InvalidInput, or RefundTooLarge.
    """
    if wish.key is not None and (known := await _of_return(session, return_id, wish.key)):
        return known
    order, returned, pieces = await returns.received(session, return_id)
    rest = await refundable(session, order, await fulfilment.lines_of(session, order.id))
    unpaid = {line_id: min(number, rest.pieces.get(line_id, 0)) for line_id, number in pieces.items()}
    whole = RefundRequest(
        pieces={line_id: number for line_id, number in unpaid.items() if number},
        shipping_cents=wish.shipping_cents,
        amount_cents=wish.amount_cents,
        reason=wish.reason.strip() or RETURN_REASON,
        key=wish.key,
    )
    returned.status, returned.refunded_at = ReturnStatus.REFUNDED, clock.now()
    if not whole.pieces and not whole.shipping_cents and whole.amount_cents is None:
        await audit.record(session, actor, "return closed", fulfilment.subject(order))
        return None
    return await refund(session, order.id, whole, actor=actor, return_id=return_id)


async def retry(session: AsyncSession, refund_id: UUID, *, actor: Viewer) -> Refund:
    """Repeats a failed refund: the same items and amount, as far as they are still refundable.

    Raises NotFound, NotRetriable, or RefundTooLarge.
    """
    failed, order = await _failed(session, refund_id)
    parts = (await session.scalars(select(RefundLine).where(RefundLine.refund_id == failed.id))).all()
    if order is not None:
        rest = await refundable(session, order, await fulfilment.lines_of(session, order.id))
        if failed.amount_cents > rest.cents:
            raise refunds.RefundTooLarge(rest.cents)
        if any(part.quantity > rest.pieces.get(part.order_line_id, 0) for part in parts):
            raise NotRetriable("These pieces have been paid back with another refund.")
    made = Refund(
        order_id=failed.order_id,
        checkout_id=failed.checkout_id,
        payment_intent_id=failed.payment_intent_id,
        amount_cents=failed.amount_cents,
        shipping_cents=failed.shipping_cents,
        reason=failed.reason,
        return_id=failed.return_id,
        replaces_id=failed.id,
        asked_by=actor.email,
    )
    session.add(made)
    await session.flush()
    for part in parts:
        copied = {name: getattr(part, name) for name in ("order_line_id", "quantity", "amount_cents")}
        session.add(RefundLine(refund_id=made.id, **copied))
    await refunds.enqueue(session, made.id)
    await _note_about(session, actor, "refund tried again", failed, order)
    return made


async def close(session: AsyncSession, refund_id: UUID, words: str, *, actor: Viewer) -> Refund:
    """Marks a failed refund as done, because the buyer got the money in another way; `words` say how.

    Raises NotFound, NotRetriable, InvalidInput.
    """
    failed, order = await _failed(session, refund_id)
    how = trimmed(words, "words", LONGEST_REASON, missing="Say how")
    failed.closed_at = clock.now()
    await _note_about(session, actor, "failed refund closed", failed, order, how=how)
    return failed


def _check(lines: Mapping[UUID, OrderLine], rest: RefundableOrder, wish: RefundRequest) -> None:
    """Raises NotFound or InvalidInput for a request that the order cannot satisfy."""
    for line_id, number in wish.pieces.items():
        if line_id not in lines:
            raise NotFound("This item")
        left = rest.pieces.get(line_id, 0)
        if not 1 <= number <= left:
            raise InvalidInput({"lines": f"{left} of {lines[line_id].name} can still be refunded"})
        if not 0 <= wish.restocked.get(line_id, 0) <= number:
            raise InvalidInput({"lines": "No more can go on the shelf than is refunded"})
    if not 0 <= wish.shipping_cents <= rest.shipping_cents:
        raise InvalidInput({"shipping": "More than is left of the delivery"})
    if wish.amount_cents is not None and wish.amount_cents < 1:
        raise InvalidInput({"amount": "An amount above 0"})
    if not wish.pieces and not wish.shipping_cents and wish.amount_cents is None:
        raise InvalidInput({"lines": NOTHING})
    if problem := text_problem(wish.reason, LONGEST_REASON):
        raise InvalidInput({"reason": problem})


def _put_on_the_shelf(wish: RefundRequest, unsent: Mapping[UUID, int]) -> dict[UUID, int]:
    """Quantities by line that return to stock.

    The request speaks of the items that it refunds. Unsent items beyond those return too; otherwise they would be
    neither sold nor in stock.
    """
    found = {
        line_id: wish.restocked[line_id] + max(0, unsent.get(line_id, 0) - wish.pieces.get(line_id, 0))
        for line_id in wish.restocked
    }
    return {line_id: number for line_id, number in {**unsent, **found}.items() if number}


def _never_sent(
    lines: Mapping[UUID, OrderLine],
    rest: RefundableOrder,
    wish: RefundRequest,
    comes_to: RefundQuote,
    *,
    of_return: bool,
) -> dict[UUID, int]:
    """Quantities by line that will not be sent any more, since items that are not paid for are not sent.

    A refund takes unsent items before sent ones. A return consists of sent items, and takes others only where fewer are
    left than wait to be sent.
    """
    if comes_to.cents == rest.cents:
        return {line.id: line.to_ship for line in lines.values() if line.to_ship}
    if of_return:
        paid = {line_id: rest.pieces.get(line_id, 0) - number for line_id, number in wish.pieces.items()}
        found = {line_id: max(0, lines[line_id].to_ship - left) for line_id, left in paid.items()}
    else:
        found = {line_id: min(number, lines[line_id].to_ship) for line_id, number in wish.pieces.items()}
    return {line_id: number for line_id, number in found.items() if number}


def _spread(by_line: Mapping[UUID, int], cents: int) -> dict[UUID, int]:
    """Divides an amount among lines, in proportion to their own amounts; the cents add up."""
    whole, so_far, given = sum(by_line.values()), 0, 0
    parts: dict[UUID, int] = {}
    for place, (line_id, weight) in enumerate(by_line.items(), 1):
        so_far += weight
        upto = cents * so_far // whole if whole else cents * place // len(by_line)
        parts[line_id], given = upto - given, upto
    return parts


async def _given(session: AsyncSession, order_id: UUID) -> dict[UUID, int]:
    """Quantities by line whose refund is done or pending."""
    found = (
        select(RefundLine.order_line_id, func.sum(RefundLine.quantity))
        .join(Refund, Refund.id == RefundLine.refund_id)
        .where(Refund.order_id == order_id, Refund.status != "failed")
        .group_by(RefundLine.order_line_id)
    )
    return {line_id: int(number) for line_id, number in await session.execute(found)}


async def _asked_before(session: AsyncSession, order_id: UUID, key: str) -> Refund | None:
    """The refund with this key. Raises InvalidInput for a key of another order, or one that cannot be stored."""
    _check_key(key)
    known = await session.scalar(select(Refund).where(Refund.request_key == key))
    if known is not None and known.order_id != order_id:
        raise InvalidInput({"key": "This key belongs to another refund"})
    return known


def _check_key(key: str) -> None:
    """Raises InvalidInput."""
    if problem := text_problem(key, LONGEST_KEY):
        raise InvalidInput({"key": problem})


async def _of_return(session: AsyncSession, return_id: UUID, key: str) -> Refund | None:
    """The return's refund with this key. Raises InvalidInput for a key that cannot be stored."""
    _check_key(key)
    return await session.scalar(select(Refund).where(Refund.request_key == key, Refund.return_id == return_id))


async def _failed(session: AsyncSession, refund_id: UUID) -> tuple[Refund, Order | None]:
    """A failed refund that needs attention, its order locked. Raises NotFound or NotRetriable."""
    row = (await session.execute(select(Refund.id, Refund.order_id).where(Refund.id == refund_id))).one_or_none()
    if row is None:
        raise NotFound("This refund")
    order = await fulfilment.locked(session, row.order_id) if row.order_id else None
    fresh = select(Refund).where(Refund.id == refund_id).with_for_update().execution_options(populate_existing=True)
    failed = (await session.scalars(fresh)).one()
    if failed.status != "failed":
        raise NotRetriable("This refund has not failed.")
    replaced = await session.scalar(select(Refund.id).where(Refund.replaces_id == refund_id))
    if replaced is not None or failed.closed_at is not None:
        raise NotRetriable("This refund has been dealt with.")
    return failed, order


async def _note(
    session: AsyncSession,
    actor: Viewer,
    order: Order,
    lines: Mapping[UUID, OrderLine],
    wish: RefundRequest,
    comes_to: RefundQuote,
    restocked: Mapping[UUID, int],
) -> None:
    told = {
        "amount_cents": comes_to.cents,
        "shipping_cents": comes_to.shipping_cents,
        "pieces": fulfilment.named(lines, wish.pieces),
        "restocked": fulfilment.named(lines, restocked),
        "reason": wish.reason.strip(),
    }
    after = {name: value for name, value in told.items() if value}
    await audit.record(session, actor, "refunded", fulfilment.subject(order), after=after)


async def _note_about(
    session: AsyncSession, actor: Viewer, action: str, failed: Refund, order: Order | None, **further: object
) -> None:
    about = fulfilment.subject(order) if order else audit.AuditSubject("payment", failed.payment_intent_id, "Payment")
    await audit.record(session, actor, action, about, after={"amount_cents": failed.amount_cents, **further})
