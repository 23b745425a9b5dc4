"""Returns: the buyer requests one, an admin answers, receives the items, and refunds them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.mail.messages import RefundState
from server.orders import carriers, emails, proration, reservations, versions
from server.orders.errors import NotReturnable, ReturnAnswered
from server.orders.fulfilment import lines_of, locked, named, subject
from server.orders.models import Order, OrderLine, Return, ReturnLine
from server.orders.queries import PlacedOrder, refunded_pieces
from server.orders.states import ENDED_WITHOUT_ITEMS, HAVE_ITEMS_SENT, OPEN_RETURNS, PaymentStatus, ReturnStatus
from server.platform.core import clock
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.text import trimmed
from server.platform.core.viewer import Viewer

LONGEST_REASON = LONGEST_ANSWER = 1_000
NOTHING_CHOSEN = "Choose what you want to return"
TOO_LATE = "The time to return this order is over."
CANCELED = "This order was canceled. There is nothing to return."
NOTHING_SENT = "Nothing of this order has been sent yet. You can ask for a return once it is on its way."
NOT_SENT = "Pieces of this return have not been sent. It can be refused, and they can be refunded by line."
NO_RETURNS: dict[str, str] = {
    PaymentStatus.REFUNDED: "This order has been paid back already.",
    PaymentStatus.PROCESSING: "The payment of this order is still on its way.",
    PaymentStatus.FAILED: "This order was never paid for. There is nothing to return.",
}


STANDING: dict[str, str] = {
    ReturnStatus.REQUESTED: "This return has not been answered yet.",
    ReturnStatus.ACCEPTED: "This return has been accepted.",
    ReturnStatus.REFUSED: "This return has been refused.",
    ReturnStatus.RECEIVED: "This return has been received.",
    ReturnStatus.REFUNDED: "This return has been refunded.",
    ReturnStatus.CANCELED: "This return ended when its order was canceled.",
}


@dataclass(frozen=True)
class ReceivedQuantity:
    """Items of one line that came back, and how many of them return to stock."""

    quantity: int
    restocked: int


async def request(
    session: AsyncSession, order_id: UUID, user_id: UUID, pieces: Mapping[UUID, int], reason: str, *, within: timedelta
) -> None:
    """Requests the return of items, by order line.

    Only items that were sent can be returned, each once. Raises NotFound for an order or line that is not the buyer's,
    NotReturnable, and InvalidInput for more items than can be returned or too long a reason.
    """
    words = trimmed(reason, "reason", LONGEST_REASON)
    own = select(Order).where(Order.id == order_id, Order.user_id == user_id).with_for_update()
    order = await session.scalar(own.execution_options(populate_existing=True))
    if order is None:
        raise NotFound("This order")
    _check_order(order, within)
    await _check_pieces(session, order_id, pieces)
    request_row = Return(order_id=order_id, reason=words)
    session.add(request_row)
    await session.flush()
    session.add_all(
        ReturnLine(return_id=request_row.id, order_line_id=line, quantity=each) for line, each in pieces.items()
    )


async def accept(
    session: AsyncSession,
    return_id: UUID,
    words: str,
    label_url: str,
    *,
    send_to: Sequence[str],
    actor: Viewer,
    shop_url: str,
    seen: str | None = None,
) -> Order:
    """Accepts a return; a mail names the address for the items, with instructions and label if given.

    Raises NotFound, OrderChangedMeanwhile, ReturnAnswered, NotReturnable, InvalidInput.
    """
    order, returned, lines = await _return_in_status(session, return_id, "requested", seen=seen)
    label_url = label_url.strip()
    if label_url and not carriers.is_web_address(label_url):
        raise InvalidInput({"labelUrl": "A web address that begins with https://"})
    bought = await lines_of(session, order.id)
    _check_sent(lines, bought)
    returned.answer, returned.label_url = trimmed(words, "words", LONGEST_ANSWER), label_url
    returned.status, returned.answered_at = ReturnStatus.ACCEPTED, clock.now()
    pieces = [(bought[line.order_line_id], line.quantity) for line in lines]
    await _note(session, actor, "return accepted", order, returned, {line.id: number for line, number in pieces})
    refund = await _refund_state(session, order, pieces)
    await emails.send_return_accepted(session, order, returned, pieces, send_to, shop_url, refund=refund)
    return order


async def refuse(
    session: AsyncSession, return_id: UUID, words: str, *, actor: Viewer, shop_url: str, seen: str | None = None
) -> Order:
    """Refuses a return; a mail gives the reason.

    Raises NotFound, OrderChangedMeanwhile, ReturnAnswered, InvalidInput.
    """
    order, returned, lines = await _return_in_status(session, return_id, "requested", "accepted", seen=seen)
    returned.answer = trimmed(words, "words", LONGEST_ANSWER, missing="Say why; the buyer reads it")
    returned.status, returned.answered_at = ReturnStatus.REFUSED, clock.now()
    await _note(
        session, actor, "return refused", order, returned, {line.order_line_id: line.quantity for line in lines}
    )
    await emails.send_return_refused(session, order, returned, shop_url)
    return order


async def receive(
    session: AsyncSession,
    return_id: UUID,
    arrived: Mapping[UUID, ReceivedQuantity] | None,
    *,
    actor: Viewer,
    shop_url: str,
    seen: str | None = None,
) -> Order:
    """Records which items arrived, by order line, and puts those that can be sold again back into stock.

    None means that all arrived and all can be sold. Lines that are not named did not arrive. Raises NotFound,
    OrderChangedMeanwhile, ReturnAnswered, NotReturnable, InvalidInput.
    """
    order, returned, lines = await _return_in_status(session, return_id, "requested", "accepted", seen=seen)
    bought = await lines_of(session, order.id)
    _check_sent(lines, bought)
    came = arrived
    if came is None:
        came = {line.order_line_id: ReceivedQuantity(line.quantity, line.quantity) for line in lines}
    _check_arrived(came, lines, bought)
    for line in lines:
        line.received = came[line.order_line_id].quantity if line.order_line_id in came else 0
        line.restocked = came[line.order_line_id].restocked if line.order_line_id in came else 0
    returned.status, returned.received_at = ReturnStatus.RECEIVED, clock.now()
    await session.flush()
    shelved = {line.order_line_id: line.restocked for line in lines if line.restocked}
    pieces = {line.order_line_id: line.received for line in lines if line.received}
    await _note(session, actor, "return received", order, returned, pieces, restocked=named(bought, shelved))
    parcel = [(bought[line_id], number) for line_id, number in pieces.items()]
    refund = await _refund_state(session, order, parcel)
    await emails.send_return_received(session, order, returned, parcel, shop_url, refund=refund)
    if shelved:
        await reservations.put_back_lines(session, order.id, shelved, "return", actor=actor)
    return order


async def close_all(session: AsyncSession, order: Order) -> int:
    """Closes the open returns of a locked order that is being canceled. Returns how many there were."""
    open_ones = update(Return).where(Return.order_id == order.id, Return.status.in_(OPEN_RETURNS))
    return len((await session.scalars(open_ones.values(status=ReturnStatus.CANCELED).returning(Return.id))).all())


async def received(
    session: AsyncSession, return_id: UUID, *, seen: str | None = None
) -> tuple[Order, Return, dict[UUID, int]]:
    """A return that has arrived, its locked order, and the quantities that arrived by order line.

    Raises NotFound, OrderChangedMeanwhile, ReturnAnswered.
    """
    order, returned, lines = await _return_in_status(session, return_id, "received", seen=seen)
    return order, returned, {line.order_line_id: line.received for line in lines if line.received}


async def _return_in_status(
    session: AsyncSession, return_id: UUID, *statuses: str, seen: str | None
) -> tuple[Order, Return, Sequence[ReturnLine]]:
    """A return in one of the statuses, its order locked. Raises NotFound, OrderChangedMeanwhile, ReturnAnswered."""
    order_id = await session.scalar(select(Return.order_id).where(Return.id == return_id))
    if order_id is None:
        raise NotFound("This return")
    order = await locked(session, order_id)
    await versions.check(session, order, seen)
    fresh = select(Return).where(Return.id == return_id).execution_options(populate_existing=True)
    returned = (await session.scalars(fresh)).one()
    if returned.status not in statuses:
        raise ReturnAnswered(STANDING[returned.status])
    of_it = select(ReturnLine).where(ReturnLine.return_id == return_id).order_by(ReturnLine.order_line_id)
    lines = (await session.scalars(of_it.execution_options(populate_existing=True))).all()
    return order, returned, lines


def _check_sent(lines: Sequence[ReturnLine], bought: Mapping[UUID, OrderLine]) -> None:
    """Raises NotReturnable."""
    if any(line.quantity > bought[line.order_line_id].shipped for line in lines):
        raise NotReturnable(NOT_SENT)


async def _refund_state(session: AsyncSession, order: Order, pieces: emails.Pieces) -> RefundState:
    """Whether a refund of these items follows."""
    if not any(proration.of_line(order, line) for line, _ in pieces):
        return "none"
    refunded = await refunded_pieces(session, order.id)
    is_refunded = all(line.quantity <= refunded.get(line.id, 0) for line, _ in pieces)
    return "made" if is_refunded or order.payment_status == PaymentStatus.REFUNDED else "due"


def _check_arrived(
    came: Mapping[UUID, ReceivedQuantity], lines: Sequence[ReturnLine], bought: Mapping[UUID, OrderLine]
) -> None:
    """Raises NotFound or InvalidInput."""
    requested = {line.order_line_id: line.quantity for line in lines}
    for line_id, parts in came.items():
        if line_id not in requested:
            raise NotFound("This item")
        if not 0 <= parts.quantity <= requested[line_id]:
            raise InvalidInput({"lines": f"{requested[line_id]} of {bought[line_id].name} were to come back"})
        if not 0 <= parts.restocked <= parts.quantity:
            raise InvalidInput({"lines": f"{parts.quantity} of {bought[line_id].name} came back"})
    if not any(parts.quantity for parts in came.values()):
        raise InvalidInput({"lines": "Say what was in the parcel"})


async def _note(
    session: AsyncSession,
    actor: Viewer,
    action: str,
    order: Order,
    returned: Return,
    pieces: Mapping[UUID, int],
    **further: object,
) -> None:
    bought = await lines_of(session, order.id)
    facts = {"pieces": named(bought, pieces), "answer": returned.answer, **further}
    await audit.record(
        session, actor, action, subject(order), after={key: value for key, value in facts.items() if value}
    )


def _check_order(order: Order, within: timedelta) -> None:
    """Raises NotReturnable."""
    if order.canceled_at is not None:
        raise NotReturnable(CANCELED)
    if order.payment_status in NO_RETURNS:
        raise NotReturnable(NO_RETURNS[order.payment_status])
    if order.fulfilment not in HAVE_ITEMS_SENT:
        raise NotReturnable(NOTHING_SENT)
    if _end(order, within) <= clock.now():
        raise NotReturnable(TOO_LATE)


def returnable_until(order: Order | PlacedOrder, within: timedelta) -> datetime | None:
    """When the time to request a return ends or ended; None when nothing can be returned, or nothing yet."""
    if order.canceled_at is not None or order.payment_status in NO_RETURNS or order.fulfilment not in HAVE_ITEMS_SENT:
        return None
    return _end(order, within)


def _end(order: Order | PlacedOrder, within: timedelta) -> datetime:
    return (order.paid_at or order.created_at) + within


async def _check_pieces(session: AsyncSession, order_id: UUID, pieces: Mapping[UUID, int]) -> None:
    """Raises NotFound or InvalidInput."""
    if not pieces:
        raise InvalidInput({"lines": NOTHING_CHOSEN})
    requested = (
        select(func.coalesce(func.sum(ReturnLine.quantity), 0))
        .join(Return, Return.id == ReturnLine.return_id)
        .where(
            ReturnLine.order_line_id == OrderLine.id,
            Return.status.not_in(ENDED_WITHOUT_ITEMS),
        )
    )
    lines = select(OrderLine.id, OrderLine.name, OrderLine.shipped, requested.scalar_subquery().label("asked"))
    bought = {row.id: row for row in await session.execute(lines.where(OrderLine.order_id == order_id))}
    for line_id, quantity in pieces.items():
        if line_id not in bought:
            raise NotFound("This item")
        left = bought[line_id].shipped - bought[line_id].asked
        if not 1 <= quantity <= left:
            least = "At least 1" if quantity < 1 else f"At most {left}"
            raise InvalidInput({"lines": f"{least} of {bought[line_id].name} can be returned"})
