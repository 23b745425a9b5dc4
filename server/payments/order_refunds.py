"""Refunds of an order: in full, by line, its delivery, or an amount; never more than was paid or bought.

The order is locked before anything is counted, so parallel requests are handled one after the other. `refunds.pay`
moves the money.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.orders import fulfilment, proration, reservations, returns, versions
from server.orders.models import Order, OrderLine, Return
from server.orders.states import ReturnStatus
from server.payments import disputes, refunds
from server.payments.errors import NotRetriable
from server.payments.models import Refund, RefundLine
from server.platform.core import clock
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.text import text_problem, trimmed
from server.platform.core.viewer import Viewer

LONGEST_REASON = 500
LONGEST_KEY = 200
NOTHING = "Choose what to refund"
NOTHING_TO_PAY = "There is nothing to pay back for these pieces, and all of them have been sent"
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
class RefundedLine:
    """Items of a line that are refunded, or about to be, and what was allotted to them."""

    quantity: int = 0
    cents: int = 0


@dataclass(frozen=True)
class RefundableOrder:
    """What can still be refunded of an order; `pieces` by line, without lines that are fully refunded."""

    cents: int
    shipping_cents: int
    pieces: Mapping[UUID, int]
    refunded: Mapping[UUID, RefundedLine]


@dataclass(frozen=True)
class RefundQuote:
    """The amount of a refund; `lines` has the part of each line, never more than its share.

    An amount beyond the shares, as a goodwill refund is, belongs to no line.
    """

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
    refunded = await _refunded_lines(session, order.id)
    shipping = select(func.coalesce(func.sum(Refund.shipping_cents), 0))
    of_order = shipping.where(Refund.order_id == order.id, Refund.status != "failed")
    left = await refunds.left(session, order)
    delivery = proration.of_delivery(order, lines) - int(await session.scalar(of_order) or 0)
    pieces = {line.id: line.quantity - refunded.get(line.id, RefundedLine()).quantity for line in lines.values()}
    return RefundableOrder(
        cents=left,
        shipping_cents=max(0, min(delivery, left)),
        pieces={line_id: number for line_id, number in pieces.items() if number > 0},
        refunded=refunded,
    )


def refundable_pieces(order: Order, lines: Mapping[UUID, OrderLine], rest: RefundableOrder) -> dict[UUID, int]:
    """Quantities by line that a refund can name: there is money left for them, or they can be called off."""
    if order.paid_at is None:
        return {}
    return {
        line_id: number
        for line_id, number in rest.pieces.items()
        if lines[line_id].to_ship or (rest.cents and _unallotted(order, lines[line_id], rest))
    }


def quote(order: Order, lines: Mapping[UUID, OrderLine], rest: RefundableOrder, wish: RefundRequest) -> RefundQuote:
    """The amount of a refund: the share of what it names, as far as the payment covers it, or the amount it asks for.

    What was withheld from earlier refunds is in no share. Raises NotFound, InvalidInput, or RefundTooLarge.
    """
    _check(lines, rest, wish)
    if order.paid_at is None:
        raise refunds.RefundTooLarge(rest.cents)
    shares = {line_id: _share(order, lines[line_id], rest, number) for line_id, number in wish.pieces.items()}
    cents = wish.amount_cents
    if cents is None:
        cents = min(sum(shares.values()) + wish.shipping_cents, rest.cents)
    elif cents > rest.cents:
        raise refunds.RefundTooLarge(rest.cents)
    shipping = min(wish.shipping_cents, cents)
    return RefundQuote(cents, shipping, _spread(shares, cents - shipping))


async def refund(
    session: AsyncSession,
    order_id: UUID,
    wish: RefundRequest,
    *,
    actor: Viewer,
    return_id: UUID | None = None,
    seen: str | None = None,
) -> Refund | None:
    """Requests a refund. Unsent items in it are not sent any more, nor are any once no money is left for them.

    Returns the earlier refund when the `key` is known, whatever version was `seen`. None when nothing is to be paid for
    the items: then the unsent ones are called off, and that is all. Raises NotFound, OrderChangedMeanwhile,
    InvalidInput, or RefundTooLarge.
    """
    order = await fulfilment.locked(session, order_id)
    if wish.key is not None and (earlier := await _by_key(session, order_id, wish.key)):
        return earlier
    await versions.check(session, order, seen)
    lines = await fulfilment.lines_of(session, order_id)
    rest = await refundable(session, order, lines)
    comes_to = quote(order, lines, rest, wish)
    new_refund = await _request(session, order, wish, comes_to, actor, return_id) if comes_to.cents else None
    unsent = _never_sent(lines, rest, wish, comes_to, of_return=return_id is not None)
    if new_refund is None and not unsent:
        raise InvalidInput({"lines": NOTHING_TO_PAY})
    await fulfilment.call_off(session, order, unsent)
    restocked = _put_on_the_shelf(wish, unsent, is_paid=new_refund is not None)
    await _note(session, actor, order, lines, wish, comes_to, restocked)
    if restocked:
        await reservations.put_back_lines(session, order_id, restocked, "refund", actor=actor)
    return new_refund


async def refund_return(
    session: AsyncSession, return_id: UUID, wish: RefundRequest, *, actor: Viewer, seen: str | None = None
) -> Refund | None:
    """Refunds all items that a return brought back; quantities in the request are ignored.

    None when there is nothing to pay for them, because they cost nothing or were paid back before; the return is
    completed anyway. Raises NotFound, OrderChangedMeanwhile, ReturnAnswered, InvalidInput, or RefundTooLarge.
    """
    if wish.key is not None and (earlier := await _of_return(session, return_id, wish.key)):
        return earlier
    order, returned, pieces = await returns.received(session, return_id, seen=seen)
    lines = await fulfilment.lines_of(session, order.id)
    rest = await refundable(session, order, lines)
    unpaid = {line_id: min(number, rest.pieces.get(line_id, 0)) for line_id, number in pieces.items()}
    whole = RefundRequest(
        pieces={line_id: number for line_id, number in unpaid.items() if number},
        shipping_cents=wish.shipping_cents,
        amount_cents=wish.amount_cents,
        reason=wish.reason.strip() or RETURN_REASON,
        key=wish.key,
    )
    returned.status, returned.refunded_at = ReturnStatus.REFUNDED, clock.now()
    if _is_empty(whole) or not quote(order, lines, rest, whole).cents:
        await audit.record(session, actor, "return closed", fulfilment.subject(order))
        return None
    return await refund(session, order.id, whole, actor=actor, return_id=return_id)


async def retry(session: AsyncSession, refund_id: UUID, *, actor: Viewer, seen: str | None = None) -> Refund:
    """Repeats a failed refund: the same items and amount, as far as they are still refundable.

    A line that has less left of what was charged for it, by the cents of a division, gets only that. Raises NotFound,
    OrderChangedMeanwhile, NotRetriable, or RefundTooLarge.
    """
    failed, order = await _failed(session, refund_id, seen)
    parts = (await session.scalars(select(RefundLine).where(RefundLine.refund_id == failed.id))).all()
    amounts = {part.order_line_id: part.amount_cents for part in parts}
    if order is not None:
        amounts = await _retriable(session, order, failed, parts)
    new_refund = Refund(
        order_id=failed.order_id,
        checkout_id=failed.checkout_id,
        payment_intent_id=failed.payment_intent_id,
        amount_cents=failed.amount_cents - sum(part.amount_cents - amounts[part.order_line_id] for part in parts),
        shipping_cents=failed.shipping_cents,
        reason=failed.reason,
        return_id=failed.return_id,
        replaces_id=failed.id,
        asked_by=actor.email,
    )
    session.add(new_refund)
    await session.flush()
    for part in parts:
        line_id = part.order_line_id
        copied = {"order_line_id": line_id, "quantity": part.quantity, "amount_cents": amounts[line_id]}
        session.add(RefundLine(refund_id=new_refund.id, **copied))
    await refunds.enqueue(session, new_refund.id)
    await _note_about(session, actor, "refund tried again", failed, order)
    return new_refund


async def close(
    session: AsyncSession, refund_id: UUID, words: str, *, actor: Viewer, seen: str | None = None
) -> Refund:
    """Marks a failed refund as done, because the buyer got the money in another way; `words` describe it.

    Raises NotFound, OrderChangedMeanwhile, NotRetriable, InvalidInput.
    """
    failed, order = await _failed(session, refund_id, seen)
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
    if _is_empty(wish):
        raise InvalidInput({"lines": NOTHING})
    if problem := text_problem(wish.reason, LONGEST_REASON):
        raise InvalidInput({"reason": problem})


def _put_on_the_shelf(wish: RefundRequest, unsent: Mapping[UUID, int], *, is_paid: bool) -> dict[UUID, int]:
    """Quantities by line that return to stock.

    The request speaks of the items that it refunds. Unsent items beyond those return too; otherwise they would be
    neither sold nor in stock. Without a refund only unsent items return, since no refund counts the others.
    """
    restocked = {
        line_id: number + max(0, unsent.get(line_id, 0) - wish.pieces.get(line_id, 0))
        for line_id, number in wish.restocked.items()
    }
    if not is_paid:
        restocked = {line_id: min(number, unsent.get(line_id, 0)) for line_id, number in restocked.items()}
    return {line_id: number for line_id, number in {**unsent, **restocked}.items() if number}


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
    if 0 < comes_to.cents == rest.cents:
        return {line.id: line.to_ship for line in lines.values() if line.to_ship}
    if of_return:
        paid = {line_id: rest.pieces.get(line_id, 0) - number for line_id, number in wish.pieces.items()}
        unsent = {line_id: max(0, lines[line_id].to_ship - left) for line_id, left in paid.items()}
    else:
        unsent = {line_id: min(number, lines[line_id].to_ship) for line_id, number in wish.pieces.items()}
    return {line_id: number for line_id, number in unsent.items() if number}


def _is_empty(wish: RefundRequest) -> bool:
    return not wish.pieces and not wish.shipping_cents and wish.amount_cents is None


def _share(order: Order, line: OrderLine, rest: RefundableOrder, number: int) -> int:
    """Cents that were paid for `number` more items of a line; after a failed refund their running total restarts."""
    before = rest.refunded.get(line.id, RefundedLine()).quantity
    of_pieces = proration.of_pieces(proration.of_line(order, line), line.quantity, before, number)
    return min(of_pieces, _unallotted(order, line, rest))


def _unallotted(order: Order, line: OrderLine, rest: RefundableOrder) -> int:
    """Cents that were charged for a line and that no refund has allotted to it."""
    return max(0, proration.of_line(order, line) - rest.refunded.get(line.id, RefundedLine()).cents)


def _spread(shares: Mapping[UUID, int], cents: int) -> dict[UUID, int]:
    """Divides an amount among lines in proportion to their shares; no line gets more than its share."""
    whole, so_far, allotted = sum(shares.values()), 0, 0
    parts: dict[UUID, int] = {}
    for line_id, share in shares.items():
        so_far += share
        upto = min(cents, whole) * so_far // whole if whole else 0
        parts[line_id], allotted = upto - allotted, upto
    return parts


async def _request(
    session: AsyncSession,
    order: Order,
    wish: RefundRequest,
    comes_to: RefundQuote,
    actor: Viewer,
    return_id: UUID | None,
) -> Refund:
    """The refund with its lines; a job pays it."""
    new_refund = await refunds.refund_order(session, order.id, comes_to.cents, wish.reason.strip() or PART_BACK)
    new_refund.shipping_cents, new_refund.return_id = comes_to.shipping_cents, return_id
    new_refund.request_key, new_refund.asked_by = wish.key, actor.email
    for line_id, number in wish.pieces.items():
        amount = comes_to.lines[line_id]
        session.add(RefundLine(refund_id=new_refund.id, order_line_id=line_id, quantity=number, amount_cents=amount))
    return new_refund


async def _refunded_lines(session: AsyncSession, order_id: UUID) -> dict[UUID, RefundedLine]:
    """Lines with items whose refund is done or pending."""
    query = (
        select(RefundLine.order_line_id, func.sum(RefundLine.quantity), func.sum(RefundLine.amount_cents))
        .join(Refund, Refund.id == RefundLine.refund_id)
        .where(Refund.order_id == order_id, Refund.status != "failed")
        .group_by(RefundLine.order_line_id)
    )
    return {line_id: RefundedLine(int(number), int(cents)) for line_id, number, cents in await session.execute(query)}


async def _by_key(session: AsyncSession, order_id: UUID, key: str) -> Refund | None:
    """The refund with this key. Raises InvalidInput for a key of another order, or one that cannot be stored."""
    _check_key(key)
    earlier = await session.scalar(select(Refund).where(Refund.request_key == key))
    if earlier is not None and earlier.order_id != order_id:
        raise InvalidInput({"key": "This key belongs to another refund"})
    return earlier


def _check_key(key: str) -> None:
    """Raises InvalidInput."""
    if problem := text_problem(key, LONGEST_KEY):
        raise InvalidInput({"key": problem})


async def _of_return(session: AsyncSession, return_id: UUID, key: str) -> Refund | None:
    """The return's refund with this key. Raises InvalidInput for a key that cannot be stored."""
    _check_key(key)
    return await session.scalar(select(Refund).where(Refund.request_key == key, Refund.return_id == return_id))


async def _failed(session: AsyncSession, refund_id: UUID, seen: str | None) -> tuple[Refund, Order | None]:
    """A failed refund that needs attention, its order locked. Raises NotFound, OrderChangedMeanwhile, NotRetriable."""
    row = (await session.execute(select(Refund.id, Refund.order_id).where(Refund.id == refund_id))).one_or_none()
    if row is None:
        raise NotFound("This refund")
    order = await fulfilment.locked(session, row.order_id) if row.order_id else None
    if order is not None:
        await versions.check(session, order, seen)
    fresh = select(Refund).where(Refund.id == refund_id).with_for_update().execution_options(populate_existing=True)
    failed = (await session.scalars(fresh)).one()
    if failed.status != "failed":
        raise NotRetriable("This refund has not failed.")
    replaced = await session.scalar(select(Refund.id).where(Refund.replaces_id == refund_id))
    if replaced is not None or failed.closed_at is not None:
        raise NotRetriable("This refund has been dealt with.")
    return failed, order


async def _retriable(
    session: AsyncSession, order: Order, failed: Refund, parts: Sequence[RefundLine]
) -> dict[UUID, int]:
    """Cents by line of a refund that is tried again. Raises NotRetriable or RefundTooLarge."""
    if await disputes.block_refunds(session, order.id):
        raise NotRetriable(f"{refunds.DISPUTED}.")
    lines = await fulfilment.lines_of(session, order.id)
    rest = await refundable(session, order, lines)
    if failed.amount_cents > rest.cents:
        raise refunds.RefundTooLarge(rest.cents)
    if any(part.quantity > rest.pieces.get(part.order_line_id, 0) for part in parts):
        raise NotRetriable("These pieces have been paid back with another refund.")
    if failed.shipping_cents > rest.shipping_cents:
        raise NotRetriable("The delivery has been paid back with another refund.")
    return {
        part.order_line_id: min(part.amount_cents, _unallotted(order, lines[part.order_line_id], rest))
        for part in parts
    }


async def _note(
    session: AsyncSession,
    actor: Viewer,
    order: Order,
    lines: Mapping[UUID, OrderLine],
    wish: RefundRequest,
    comes_to: RefundQuote,
    restocked: Mapping[UUID, int],
) -> None:
    facts = {
        "amount_cents": comes_to.cents,
        "shipping_cents": comes_to.shipping_cents,
        "pieces": fulfilment.named(lines, wish.pieces),
        "restocked": fulfilment.named(lines, restocked),
        "reason": wish.reason.strip(),
    }
    after = {name: value for name, value in facts.items() if value}
    action = "refunded" if comes_to.cents else "pieces called off"
    await audit.record(session, actor, action, fulfilment.subject(order), after=after)


async def _note_about(
    session: AsyncSession, actor: Viewer, action: str, failed: Refund, order: Order | None, **further: object
) -> None:
    about = fulfilment.subject(order) if order else audit.AuditSubject("payment", failed.payment_intent_id, "Payment")
    await audit.record(session, actor, action, about, after={"amount_cents": failed.amount_cents, **further})
