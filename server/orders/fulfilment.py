"""Fulfilment: shipments with items of an order, and the order's fulfilment status.

The order is locked before anything of it is counted, so of two admins who send the same item, one is refused.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.orders import carriers, emails, versions
from server.orders.errors import NotFulfillable
from server.orders.models import Order, OrderLine, Shipment, ShipmentLine
from server.orders.states import MAY_BE_SENT, FulfilmentStatus, PaymentStatus
from server.platform.core import clock
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.text import text_problem
from server.platform.core.viewer import Viewer

NOT_SENT: dict[str, str] = {
    PaymentStatus.PROCESSING: "The payment of this order is still on its way. Nothing is sent before it arrives.",
    PaymentStatus.FAILED: "This order was never paid for. There is nothing to send.",
    PaymentStatus.REFUNDED: "This order has been paid back. There is nothing to send.",
}
CANCELED = "This order was canceled. There is nothing to send."
ALL_SENT = "All of this order has been sent."
LONGEST = 100


@dataclass(frozen=True)
class ShipmentTracking:
    """Carrier and tracking of a shipment. An empty `url` is derived from carrier and number where possible."""

    carrier: str
    number: str = ""
    url: str = ""


def subject(order: Order) -> audit.AuditSubject:
    """The order as the audit log names it."""
    return audit.AuditSubject("order", order.id, order.quoted)


async def locked(session: AsyncSession, order_id: UUID) -> Order:
    """The order, locked until the transaction ends. Raises NotFound."""
    query = select(Order).where(Order.id == order_id).with_for_update()
    order = await session.scalar(query.execution_options(populate_existing=True))
    if order is None:
        raise NotFound("This order")
    return order


async def lines_of(session: AsyncSession, order_id: UUID) -> dict[UUID, OrderLine]:
    """The current lines by id, in the order of the cart; the caller has locked the order."""
    query = select(OrderLine).where(OrderLine.order_id == order_id).order_by(OrderLine.position, OrderLine.id)
    return {line.id: line for line in await session.scalars(query.execution_options(populate_existing=True))}


async def ship(
    session: AsyncSession,
    order_id: UUID,
    pieces: Mapping[UUID, int] | None,
    tracking: ShipmentTracking,
    *,
    actor: Viewer,
    shop_url: str,
    seen: str | None = None,
) -> Shipment:
    """Ships quantities by order line, or all that is unsent; the buyer gets a mail with the tracking.

    `seen` is the version that the admin saw. Raises NotFound, OrderChangedMeanwhile, NotFulfillable, or InvalidInput
    for more items than are unsent.
    """
    order = await locked(session, order_id)
    await versions.check(session, order, seen)
    lines = await lines_of(session, order_id)
    travels = _checked(tracking)
    _check_sendable(order, lines)
    sent = _sent(lines, pieces)
    shipment = Shipment(order_id=order_id, **travels)
    session.add(shipment)
    await session.flush()
    for line_id, quantity in sent.items():
        lines[line_id].shipped += quantity
        session.add(ShipmentLine(shipment_id=shipment.id, order_line_id=line_id, quantity=quantity))
    await refresh(session, order, lines.values())
    facts = {"pieces": named(lines, sent), **travels}
    await audit.record(session, actor, "shipped", subject(order), after={**facts, "fulfilment": order.fulfilment})
    await emails.send_shipment(session, order, shipment, [(lines[each], sent[each]) for each in sent], shop_url)
    return shipment


async def correct(
    session: AsyncSession,
    shipment_id: UUID,
    tracking: ShipmentTracking,
    *,
    actor: Viewer,
    shop_url: str,
    seen: str | None = None,
) -> Order:
    """Changes a shipment's tracking, and mails the buyer if it differs.

    Raises NotFound, OrderChangedMeanwhile, InvalidInput.
    """
    shipment, order = await _shipment(session, shipment_id)
    travels = _checked(tracking)
    before = {name: getattr(shipment, name) for name in travels}
    if before == travels:
        return order
    await versions.check(session, order, seen)
    for name, value in travels.items():
        setattr(shipment, name, value)
    lines = await lines_of(session, order.id)
    inside = select(ShipmentLine).where(ShipmentLine.shipment_id == shipment_id)
    sent = [(lines[each.order_line_id], each.quantity) for each in await session.scalars(inside)]
    await audit.record(session, actor, "parcel corrected", subject(order), before=before, after=travels)
    await emails.send_shipment(session, order, shipment, sent, shop_url)
    return order


async def deliver(session: AsyncSession, shipment_id: UUID, *, actor: Viewer, seen: str | None = None) -> Order:
    """Marks a shipment as delivered; idempotent. Raises NotFound, OrderChangedMeanwhile."""
    shipment, order = await _shipment(session, shipment_id)
    if shipment.delivered_at is None:
        await versions.check(session, order, seen)
        shipment.delivered_at = clock.now()
        await refresh(session, order, (await lines_of(session, order.id)).values())
        facts = {"carrier": shipment.carrier, "tracking_number": shipment.tracking_number}
        await audit.record(session, actor, "delivered", subject(order), after={**facts, "fulfilment": order.fulfilment})
    return order


async def call_off(session: AsyncSession, order: Order, pieces: Mapping[UUID, int]) -> None:
    """Marks items of a locked order as never to be sent; at most the unsent ones of each line."""
    lines = await lines_of(session, order.id)
    for line_id, quantity in pieces.items():
        lines[line_id].called_off += min(quantity, lines[line_id].to_ship)
    await refresh(session, order, lines.values())


async def call_off_refunded(session: AsyncSession, order: Order) -> dict[UUID, int]:
    """Marks unsent items of a locked order as not to be sent while its payment is refunded. Returns them by line."""
    lines = await lines_of(session, order.id)
    unsent = {line.id: line.to_ship for line in lines.values() if line.to_ship}
    for line_id, quantity in unsent.items():
        lines[line_id].called_off += quantity
        lines[line_id].called_off_refunded += quantity
    await refresh(session, order, lines.values())
    return unsent


async def called_off_refunded(session: AsyncSession, order: Order) -> dict[UUID, int]:
    """What `call_off_refunded` has marked, by line; the order is locked."""
    lines = await lines_of(session, order.id)
    return {line.id: line.called_off_refunded for line in lines.values() if line.called_off_refunded}


async def take_up_refunded(session: AsyncSession, order: Order) -> None:
    """Marks what `call_off_refunded` has marked as to be sent again, since the refund failed."""
    lines = await lines_of(session, order.id)
    for line in lines.values():
        line.called_off, line.called_off_refunded = line.called_off - line.called_off_refunded, 0
    await refresh(session, order, lines.values())


async def refresh(session: AsyncSession, order: Order, lines: Iterable[OrderLine]) -> None:
    """Updates the order's `fulfilment` from its lines and shipments; the order is locked."""
    await session.flush()
    travelling = select(func.count()).where(Shipment.order_id == order.id, Shipment.delivered_at.is_(None))
    order.fulfilment = fulfilment_status(list(lines), travelling=await session.scalar(travelling) or 0)
    await session.flush()


def fulfilment_status(lines: Sequence[OrderLine], *, travelling: int) -> FulfilmentStatus:
    """The fulfilment status, from the lines' items and the number of undelivered shipments."""
    if not any(line.shipped for line in lines):
        is_waiting = any(line.to_ship for line in lines)
        return FulfilmentStatus.UNFULFILLED if is_waiting else FulfilmentStatus.CANCELED
    if any(line.to_ship for line in lines):
        return FulfilmentStatus.PARTLY_SHIPPED
    return FulfilmentStatus.SHIPPED if travelling else FulfilmentStatus.DELIVERED


def named(lines: Mapping[UUID, OrderLine], pieces: Mapping[UUID, int]) -> list[str]:
    """Quantities as the audit log shows them: "2 x OX-M"."""
    return [f"{quantity} x {lines[line_id].sku or lines[line_id].name}" for line_id, quantity in pieces.items()]


def _check_sendable(order: Order, lines: Mapping[UUID, OrderLine]) -> None:
    """Raises NotFulfillable."""
    if order.canceled_at is not None:
        raise NotFulfillable(CANCELED)
    if order.payment_status not in MAY_BE_SENT:
        raise NotFulfillable(NOT_SENT[order.payment_status])
    if not any(line.to_ship for line in lines.values()):
        raise NotFulfillable(ALL_SENT)


def _sent(lines: Mapping[UUID, OrderLine], pieces: Mapping[UUID, int] | None) -> dict[UUID, int]:
    """The quantities in the shipment. Raises NotFound or InvalidInput."""
    if pieces is None:
        return {line.id: line.to_ship for line in lines.values() if line.to_ship}
    for line_id, quantity in pieces.items():
        line = lines.get(line_id)
        if line is None:
            raise NotFound("This item")
        if not 0 <= quantity <= line.to_ship:
            raise InvalidInput({"lines": f"{line.to_ship} of {line.name} can still be sent"})
    sent = {line_id: quantity for line_id, quantity in pieces.items() if quantity}
    if not sent:
        raise InvalidInput({"lines": "Choose what is in the parcel"})
    return sent


def _checked(tracking: ShipmentTracking) -> dict[str, str]:
    """The tracking as its row stores it. Raises InvalidInput."""
    carrier, number, url = tracking.carrier.strip(), tracking.number.strip(), tracking.url.strip()
    problems = {}
    if not carrier:
        problems["carrier"] = "Say who carries it"
    for name, value in (("carrier", carrier), ("trackingNumber", number)):
        if problem := text_problem(value, LONGEST) or (None if value.isprintable() else "On one line, please"):
            problems[name] = problem
    if url and not carriers.is_web_address(url):
        problems["trackingUrl"] = "A web address that begins with https://"
    if problems:
        raise InvalidInput(problems)
    tracking_url = url or carriers.followed_at(carrier, number)
    return {"carrier": carrier, "tracking_number": number, "tracking_url": tracking_url}


async def _shipment(session: AsyncSession, shipment_id: UUID) -> tuple[Shipment, Order]:
    """A shipment and its locked order. Raises NotFound."""
    order_id = await session.scalar(select(Shipment.order_id).where(Shipment.id == shipment_id))
    if order_id is None:
        raise NotFound("This parcel")
    order = await locked(session, order_id)
    fresh = select(Shipment).where(Shipment.id == shipment_id).execution_options(populate_existing=True)
    return (await session.scalars(fresh)).one(), order
