"""Mails to buyers, stored in the outbox in the transaction of the change that they report.

They go to the e-mail that the buyer's account has at that moment, and to the order's own once the account is deleted.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import service as identity
from server.mail import service as mail
from server.mail.messages import (
    MailOrderLine,
    Message,
    OrderCanceled,
    OrderConfirmation,
    OrderShipped,
    PaymentFailed,
    RefundNotice,
    RefundState,
    ReturnAccepted,
    ReturnReceived,
    ReturnRefused,
)
from server.media import service as media
from server.media.service import ImageRow
from server.orders import totals
from server.orders.models import Checkout, Order, OrderLine, Return, Shipment
from server.orders.states import FulfilmentStatus
from server.platform.core import postal_addresses

THUMBNAIL = 180

Pieces = Sequence[tuple[OrderLine, int]]
"""Lines of an order, each with a quantity."""


async def send_confirmation(session: AsyncSession, order: Order, shop_url: str) -> str:
    """The order's confirmation, once. Returns the address that it goes to."""
    query = select(OrderLine).where(OrderLine.order_id == order.id).order_by(OrderLine.position)
    lines = (await session.scalars(query)).all()
    pictures = await media.images_by_id(session, [line.image_id for line in lines if line.image_id])
    message = OrderConfirmation(
        order.shipping_address["name"],
        order.quoted,
        tuple(_line(line, pictures) for line in lines),
        order.total_cents,
        postal_addresses.lines_of(order.shipping_address),
        order.shipping_address.get("phone", ""),
        sums=tuple(totals.rows(order)),
        included_tax=totals.included_tax(order),
        order_path=_path(order),
    )
    return await _enqueue(session, message, order, f"order:{order.id}:confirmation", shop_url)


async def send_failure(session: AsyncSession, order: Order, shop_url: str) -> None:
    """Reports that a processing payment has failed, once for an order."""
    message = PaymentFailed(order.shipping_address["name"], order.total_cents, order_path=_path(order))
    await _enqueue(session, message, order, f"order:{order.id}:failed", shop_url)


async def send_cancellation(
    session: AsyncSession,
    order: Order,
    shop_url: str,
    reason: str | None = None,
    *,
    closes_returns: bool = False,
    is_disputed: bool = False,
) -> None:
    """Confirms a cancellation. `reason` is the shop's; None when the buyer canceled."""
    left = order.total_cents - order.refunded_cents
    message = OrderCanceled(
        order.shipping_address["name"],
        order.quoted,
        left,
        reason,
        closes_returns,
        is_disputed,
        order_path=_path(order),
    )
    await _enqueue(session, message, order, f"order:{order.id}:canceled", shop_url)


async def send_refund(
    session: AsyncSession, refund_id: UUID, about: Order | Checkout, amount_cents: int, reason: str, shop_url: str
) -> None:
    """Reports a refund of an order, or of a payment that led to no order."""
    quoted = about.quoted if isinstance(about, Order) else None
    message = RefundNotice(about.shipping_address["name"], amount_cents, reason, quoted, order_path=_path(about))
    await _enqueue(session, message, about, f"refund:{refund_id}:notice", shop_url)


async def send_shipment(session: AsyncSession, order: Order, shipment: Shipment, sent: Pieces, shop_url: str) -> None:
    """Reports a shipment, once for its tracking; again when that is corrected."""
    message = OrderShipped(
        name=order.shipping_address["name"],
        number=order.quoted,
        carrier=shipment.carrier,
        tracking_number=shipment.tracking_number,
        tracking_url=shipment.tracking_url,
        lines=await _pieces(session, sent),
        is_last=order.fulfilment != FulfilmentStatus.PARTLY_SHIPPED,
        address=postal_addresses.lines_of(order.shipping_address),
        order_path=_path(order),
    )
    travels = f"{shipment.carrier}\n{shipment.tracking_number}\n{shipment.tracking_url}"
    key = f"shipment:{shipment.id}:{sha256(travels.encode()).hexdigest()[:16]}"
    await _enqueue(session, message, order, key, shop_url)


async def send_return_accepted(
    session: AsyncSession,
    order: Order,
    returned: Return,
    pieces: Pieces,
    send_to: Sequence[str],
    shop_url: str,
    *,
    refund: RefundState,
) -> None:
    """Accepts a return.

    `send_to` is the shop's name and address, line by line.
    """
    message = ReturnAccepted(
        name=order.shipping_address["name"],
        number=order.quoted,
        lines=await _pieces(session, pieces),
        words=returned.answer,
        label_url=returned.label_url,
        send_to=tuple(send_to),
        refund=refund,
        order_path=_path(order),
    )
    await _enqueue(session, message, order, f"return:{returned.id}:accepted", shop_url)


async def send_return_refused(session: AsyncSession, order: Order, returned: Return, shop_url: str) -> None:
    """Refuses a return, with the shop's answer."""
    message = ReturnRefused(order.shipping_address["name"], order.quoted, returned.answer, order_path=_path(order))
    await _enqueue(session, message, order, f"return:{returned.id}:refused", shop_url)


async def send_return_received(
    session: AsyncSession, order: Order, returned: Return, arrived: Pieces, shop_url: str, *, refund: RefundState
) -> None:
    """Reports that a return has arrived."""
    lines = await _pieces(session, arrived)
    message = ReturnReceived(order.shipping_address["name"], order.quoted, lines, refund, order_path=_path(order))
    await _enqueue(session, message, order, f"return:{returned.id}:received", shop_url)


async def _enqueue(session: AsyncSession, message: Message, about: Order | Checkout, key: str, shop_url: str) -> str:
    account = await identity.email_of(session, about.user_id) if about.user_id else None
    to, is_confirmed = account or (about.email, False)
    await mail.enqueue(session, message, key=key, to=to, shop_url=shop_url, is_confirmed=is_confirmed)
    return to


def _path(about: Order | Checkout) -> str | None:
    """The order's own page; None without an order, or without an account that could see it."""
    return f"/account/orders/{about.id}" if isinstance(about, Order) and about.user_id else None


async def _pieces(session: AsyncSession, pieces: Pieces) -> tuple[MailOrderLine, ...]:
    pictures = await media.images_by_id(session, [line.image_id for line, _ in pieces if line.image_id])
    return tuple(_line(line, pictures, quantity) for line, quantity in pieces)


def _line(line: OrderLine, pictures: Mapping[UUID, ImageRow], quantity: int | None = None) -> MailOrderLine:
    """`quantity` None means all items of the line."""
    pieces = line.quantity if quantity is None else quantity
    picture = pictures.get(line.image_id) if line.image_id else None
    return MailOrderLine(
        name=line.name,
        color=line.color,
        size=line.size,
        quantity=pieces,
        total_cents=line.unit_price_cents * pieces,
        image_path=media.path_of(picture.id, picture.width, THUMBNAIL, "jpg") if picture else None,
    )
