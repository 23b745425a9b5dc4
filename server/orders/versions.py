"""The version of an order: what an admin saw of its state, so that a change of an outdated view is refused.

It is made of the rows themselves, a tag for each, and not a counter that writers increment: no writer can omit it,
and the tags that were not seen say what has changed. The payment of a refund that was requested before is no change,
since nothing depends on it; its failure is one.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders import admin_queries, queries
from server.orders.admin_queries import AdminNote, DisputeSummary, RefundSummary
from server.orders.errors import OrderChangedMeanwhile
from server.orders.models import Order, OrderLine
from server.orders.queries import PlacedOrder, ReturnRequest, SentShipment, SoldLine
from server.orders.states import HAVE_BEEN_PAID, PaymentStatus, ReturnStatus
from server.platform.core.money import dollars

RECORDS = (
    queries.shipments_by_order,
    queries.returns_by_order,
    admin_queries.refunds_by_order,
    admin_queries.disputes_by_order,
    admin_queries.notes_by_order,
)
"""What is read of orders beside their lines."""
_RETURNS: dict[str, str] = {
    ReturnStatus.REQUESTED: "The buyer asks to return {}.",
    ReturnStatus.ACCEPTED: "A return of {} was accepted.",
    ReturnStatus.REFUSED: "A return of {} was refused.",
    ReturnStatus.RECEIVED: "A return of {} was received.",
    ReturnStatus.REFUNDED: "A return of {} was refunded or closed.",
    ReturnStatus.CANCELED: "A return of {} ended with the order.",
}

Fact = tuple[tuple[str, ...], str]
"""A state, and the sentence that says it."""


def version_of(order: PlacedOrder, records: Iterable[object]) -> str:
    """The version of an order with everything that RECORDS read of it."""
    return ".".join(_tags(order, order.lines, records))


async def check(session: AsyncSession, order: Order, seen: str | None) -> None:
    """Raises OrderChangedMeanwhile when a locked order no longer has the version; None is not checked."""
    if seen is None:
        return
    tags = await _current(session, order)
    if ".".join(tags) != seen:
        seen_tags = set(seen.split("."))
        changes = [words for tag, words in tags.items() if tag not in seen_tags]
        raise OrderChangedMeanwhile(tuple(changes) or ("Something of it was taken back.",))


async def _current(session: AsyncSession, order: Order) -> dict[str, str]:
    of_order = select(OrderLine).where(OrderLine.order_id == order.id).order_by(OrderLine.position, OrderLine.id)
    lines = (await session.scalars(of_order.execution_options(populate_existing=True))).all()
    records = [record for read in RECORDS for record in (await read(session, [order.id])).get(order.id, [])]
    return _tags(order, lines, records)


def _tags(
    order: Order | PlacedOrder, lines: Sequence[OrderLine | SoldLine], records: Iterable[object]
) -> dict[str, str]:
    """A sentence by the tag of its state."""
    facts = [*_of_order(order, lines), *map(_of_record, records)]
    return {_tag(order.id, state): words for state, words in facts}


def _tag(order_id: UUID, state: tuple[str, ...]) -> str:
    digest = blake2b("\0".join((str(order_id), *state)).encode(), digest_size=6).digest()
    return urlsafe_b64encode(digest).decode()


def _of_order(order: Order | PlacedOrder, lines: Sequence[OrderLine | SoldLine]) -> Iterator[Fact]:
    if order.payment_status in HAVE_BEEN_PAID:
        yield ("payment", "arrived"), "Its payment has arrived."
    elif order.payment_status == PaymentStatus.PROCESSING:
        yield ("payment", "processing"), "Its payment is on its way."
    else:
        yield ("payment", "failed"), "Its payment has failed."
    if order.canceled_at is not None:
        yield ("canceled",), "It was canceled."
    counts = [f"{line.id} {line.shipped} {line.called_off}" for line in lines]
    waiting = sum(line.quantity - line.shipped - line.called_off for line in lines)
    yield ("pieces", *counts), f"{waiting} of {_pieces(sum(line.quantity for line in lines))} can still be sent."


def _of_record(record: object) -> Fact:
    match record:
        case SentShipment():
            return _of_shipment(record)
        case ReturnRequest():
            words = _RETURNS[record.status].format(_pieces(sum(each.quantity for each in record.pieces.values())))
            return ("return", str(record.id), record.status), words
        case RefundSummary():
            return _of_refund(record)
        case DisputeSummary():
            about = f"about {dollars(record.amount_cents)}"
            words = f"The buyer's bank has a dispute {about}." if record.is_open else f"A dispute {about} has ended."
            return ("dispute", record.id, record.status), words
        case AdminNote():
            return ("note", str(record.id)), f"{record.author} wrote a note."
        case _:
            raise TypeError(record)


def _of_shipment(shipment: SentShipment) -> Fact:
    delivered = shipment.delivered_at is not None
    state = (shipment.carrier, shipment.tracking_number, shipment.tracking_url, str(delivered))
    summary = f"A parcel with {shipment.carrier}, {_pieces(sum(shipment.pieces.values()))},"
    return ("parcel", str(shipment.id), *state), f"{summary} {'has arrived' if delivered else 'is on its way'}."


def _of_refund(refund: RefundSummary) -> Fact:
    amount, failed = dollars(refund.amount_cents), refund.status == "failed"
    state = ("refund", str(refund.id), str(failed), str(refund.needs_care))
    if failed:
        return state, f"A refund of {amount} failed{'' if refund.needs_care else ', and was dealt with'}."
    return state, f"A refund of {amount} was requested{f' by {refund.asked_by}' if refund.asked_by else ''}."


def _pieces(number: int) -> str:
    return "1 piece" if number == 1 else f"{number} pieces"
