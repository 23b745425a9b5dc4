"""What is written to a buyer, put into the outbox in the transaction of what it tells of."""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.mail import service as mail
from server.mail.messages import Line, OrderCanceled, OrderConfirmation, PaymentFailed, PostalAddress, RefundNotice
from server.media import service as media
from server.media.service import ImageRow
from server.orders.models import Checkout, Order, OrderLine

THUMBNAIL = 180


async def send_confirmation(session: AsyncSession, order: Order, shop_url: str) -> None:
    found = select(OrderLine).where(OrderLine.order_id == order.id).order_by(OrderLine.position)
    lines = (await session.scalars(found)).all()
    pictures = await media.images_by_id(session, [line.image_id for line in lines if line.image_id])
    address = PostalAddress(**order.shipping_address)
    message = OrderConfirmation(
        address.name, order.quoted, tuple(_line(line, pictures) for line in lines), order.total_cents, address
    )
    await mail.enqueue(session, message, key=f"order:{order.id}:confirmation", to=order.email, shop_url=shop_url)


async def send_failure(session: AsyncSession, order: Order, shop_url: str) -> None:
    message = PaymentFailed(order.shipping_address["name"], order.total_cents)
    await mail.enqueue(session, message, key=f"order:{order.id}:failed", to=order.email, shop_url=shop_url)


async def send_cancellation(session: AsyncSession, order: Order, shop_url: str) -> None:
    message = OrderCanceled(order.shipping_address["name"], order.quoted, order.total_cents - order.refunded_cents)
    await mail.enqueue(session, message, key=f"order:{order.id}:canceled", to=order.email, shop_url=shop_url)


async def send_refund(
    session: AsyncSession, refund_id: UUID, about: Order | Checkout, amount_cents: int, reason: str, shop_url: str
) -> None:
    """Tells of money that goes back for an order, or for a payment that no order came of."""
    quoted = about.quoted if isinstance(about, Order) else None
    message = RefundNotice(about.shipping_address["name"], amount_cents, reason, quoted)
    await mail.enqueue(session, message, key=f"refund:{refund_id}:notice", to=about.email, shop_url=shop_url)


def _line(line: OrderLine, pictures: Mapping[UUID, ImageRow]) -> Line:
    picture = pictures.get(line.image_id) if line.image_id else None
    return Line(
        name=line.name,
        color=line.color,
        size=line.size,
        quantity=line.quantity,
        total_cents=line.unit_price_cents * line.quantity,
        image_path=media.path_of(picture.id, picture.width, THUMBNAIL, "jpg") if picture else None,
    )
