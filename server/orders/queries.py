"""Reading orders with their lines, in two statements for any number of orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Uuid,
    any_,
    func,
    literal,
    or_,
    select,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncSession

from server.media.models import Image
from server.orders.models import PRICED, Checkout, Order, OrderLine, Return, ReturnLine, Shipment, ShipmentLine
from server.orders.states import HAVE_BEEN_PAID, REFUNDABLE_DISPUTES, CheckoutStatus, FulfilmentStatus
from server.orders.views import order_disputes, order_refund_lines, order_refunds

Place = tuple[datetime, UUID]
"""Sort keys of the last order of a page: time of creation and id."""


@dataclass(frozen=True)
class OrderLineImage:
    """The image that a line was sold with."""

    id: UUID
    width: int
    height: int
    placeholder: str


@dataclass(frozen=True)
class SoldLine:
    """A variant as it was sold. `name` is empty where the order's copy lacks it."""

    id: UUID
    product_id: UUID | None
    name: str
    color: str
    size: str
    quantity: int
    unit_price_cents: int
    picture: OrderLineImage | None
    sku: str = ""
    variant_id: UUID | None = None
    shipped: int = 0
    called_off: int = 0


@dataclass(frozen=True)
class PlacedOrder:
    """An order as its buyer sees it; money in cents."""

    id: UUID
    number: str
    created_at: datetime
    email: str
    payment_status: str
    total_cents: int
    refunded_cents: int
    shipping_address: dict[str, Any]
    paid_at: datetime | None
    failed_at: datetime | None
    canceled_at: datetime | None
    lines: tuple[SoldLine, ...]
    fulfilment: str = FulfilmentStatus.UNFULFILLED
    discount_code: str | None = None
    discount_cents: int = 0
    shipping_cents: int = 0
    tax_cents: int = 0
    tax_included: bool = False
    tax_basis_points: int = 0
    tax_name: str = ""
    delivery_name: str = ""
    delivery_min_days: int | None = None
    delivery_max_days: int | None = None

    @property
    def subtotal_cents(self) -> int:
        """The sum of the lines."""
        added = 0 if self.tax_included else self.tax_cents
        return self.total_cents + self.discount_cents - self.shipping_cents - added


@dataclass(frozen=True)
class OrderHistoryEvent:
    """An event after the order was placed; `kind` is refunded or return_requested."""

    kind: str
    at: datetime
    amount_cents: int | None = None


@dataclass(frozen=True)
class ReturnedQuantity:
    """Items of one line in a return: requested, arrived (None until then), and of those put back in stock."""

    quantity: int
    received: int | None
    restocked: int


@dataclass(frozen=True)
class ReturnRequest:
    """A requested return with quantities by order line, and the shop's answer."""

    id: UUID
    status: str
    reason: str
    answer: str
    label_url: str
    created_at: datetime
    answered_at: datetime | None
    received_at: datetime | None
    refunded_at: datetime | None
    pieces: dict[UUID, ReturnedQuantity]


@dataclass(frozen=True)
class SentShipment:
    """A shipment with quantities by order line."""

    id: UUID
    carrier: str
    tracking_number: str
    tracking_url: str
    created_at: datetime
    delivered_at: datetime | None
    pieces: dict[UUID, int]


@dataclass(frozen=True)
class OrderScope:
    """Which orders: those of one buyer, or all."""

    user_id: UUID | None = None


async def page(
    session: AsyncSession, scope: OrderScope, *, limit: int | None, after: Place | None = None, offset: int = 0
) -> list[PlacedOrder]:
    """Orders, newest first; all of them when `limit` is None. New orders do not shift later pages."""
    query = select(Order).where(*_conditions(scope)).order_by(Order.created_at.desc(), Order.id.desc())
    if after is not None:
        query = query.where(tuple_(Order.created_at, Order.id) < after)
    rows = (await session.scalars(query.limit(limit).offset(offset))).all()
    return await with_lines(session, rows)


async def total(session: AsyncSession, scope: OrderScope) -> int:
    """How many orders there are in the scope."""
    return await session.scalar(select(func.count()).select_from(Order).where(*_conditions(scope))) or 0


async def order(session: AsyncSession, order_id: UUID, *, user_id: UUID | None = None) -> PlacedOrder | None:
    """One order, None when it is not this buyer's; `user_id` None means any buyer's."""
    query = select(Order).where(Order.id == order_id, *_conditions(OrderScope(user_id)))
    placed = await with_lines(session, (await session.scalars(query)).all())
    return placed[0] if placed else None


async def order_of_session(session: AsyncSession, session_id: str, user_id: UUID) -> PlacedOrder | None:
    """What a payment session of this buyer's became; None while it is no order."""
    if not (session_id.isascii() and session_id.isprintable()):
        return None
    paid_with = select(Checkout.id).where(Checkout.stripe_session_id == session_id)
    query = select(Order).where(Order.checkout_id.in_(paid_with), *_conditions(OrderScope(user_id)))
    placed = await with_lines(session, (await session.scalars(query)).all())
    return placed[0] if placed else None


async def by_ids(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, PlacedOrder]:
    """Orders by id; unknown ids are missing."""
    rows = (await session.scalars(select(Order).where(Order.id == any_(literal(list(order_ids), ARRAY(Uuid())))))).all()
    return {placed.id: placed for placed in await with_lines(session, rows)}


async def counts_by_user(session: AsyncSession, user_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Number of orders; accounts without orders are missing."""
    of_users = Order.user_id == any_(literal(list(user_ids), ARRAY(Uuid())))
    rows = await session.execute(select(Order.user_id, func.count()).where(of_users).group_by(Order.user_id))
    return {user_id: number for user_id, number in rows if user_id is not None}


async def spent_by_user(session: AsyncSession, user_ids: Sequence[UUID]) -> dict[UUID, int]:
    """Cents paid less refunds; accounts without orders are missing."""
    of_users = Order.user_id == any_(literal(list(user_ids), ARRAY(Uuid())))
    paid = Order.payment_status.in_(HAVE_BEEN_PAID)
    spent = select(Order.user_id, func.sum(Order.total_cents - Order.refunded_cents)).where(of_users, paid)
    rows = await session.execute(spent.group_by(Order.user_id))
    return {user_id: int(cents) for user_id, cents in rows if user_id is not None}


async def ids_by_user(session: AsyncSession, user_ids: Sequence[UUID]) -> Mapping[UUID, Sequence[UUID]]:
    """Order ids, newest first; accounts without orders are missing."""
    of_users = Order.user_id == any_(literal(list(user_ids), ARRAY(Uuid())))
    query = select(Order.user_id, Order.id).where(of_users).order_by(Order.created_at.desc(), Order.id.desc())
    ids: dict[UUID, list[UUID]] = {}
    for user_id, order_id in await session.execute(query):
        if user_id is not None:
            ids.setdefault(user_id, []).append(order_id)
    return ids


async def have_bought(session: AsyncSession, user_id: UUID) -> bool:
    """Whether the account has an order, or a checkout whose payment is processing."""
    ordered = select(Order.id).where(Order.user_id == user_id).exists()
    paying = select(Checkout.id).where(
        Checkout.user_id == user_id, Checkout.status.not_in((CheckoutStatus.OPEN, CheckoutStatus.RELEASED))
    )
    return bool(await session.scalar(select(or_(ordered, paying.exists()))))


async def refunds_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, list[OrderHistoryEvent]]:
    """Refunds that are done or pending, oldest first. Orders without any are missing."""
    refunds = order_refunds.c
    of_orders = refunds.order_id == any_(literal(list(order_ids), ARRAY(Uuid())))
    query = select(order_refunds).where(of_orders, refunds.status != "failed").order_by(refunds.created_at)
    events: dict[UUID, list[OrderHistoryEvent]] = {}
    for row in await session.execute(query):
        events.setdefault(row.order_id, []).append(OrderHistoryEvent("refunded", row.created_at, row.amount_cents))
    return events


async def disputed_orders(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, bool]:
    """True for orders with a dispute that blocks refunds. Other orders are missing."""
    disputes = order_disputes.c
    of_orders = disputes.order_id == any_(literal(list(order_ids), ARRAY(Uuid())))
    blocking = select(disputes.order_id).where(of_orders, disputes.status.not_in(REFUNDABLE_DISPUTES)).distinct()
    return dict.fromkeys(await session.scalars(blocking), True)


async def refunded_pieces(session: AsyncSession, order_id: UUID) -> dict[UUID, int]:
    """Quantities by line whose refund is done or pending. Lines without any are missing."""
    refunds, pieces = order_refunds.c, order_refund_lines.c
    query = (
        select(pieces.order_line_id, func.sum(pieces.quantity))
        .join(order_refunds, refunds.id == pieces.refund_id)
        .where(refunds.order_id == order_id, refunds.status != "failed")
        .group_by(pieces.order_line_id)
    )
    return {line_id: int(number) for line_id, number in await session.execute(query)}


async def returns_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, list[ReturnRequest]]:
    """Returns, oldest first. Orders without any are missing."""
    of_orders = Return.order_id == any_(literal(list(order_ids), ARRAY(Uuid())))
    query = select(Return, ReturnLine).join(ReturnLine, ReturnLine.return_id == Return.id).where(of_orders)
    wishes: dict[UUID, dict[UUID, ReturnRequest]] = {}
    for row, line in await session.execute(query.order_by(Return.id, ReturnLine.order_line_id)):
        wish = wishes.setdefault(row.order_id, {}).setdefault(row.id, _returned(row))
        wish.pieces[line.order_line_id] = ReturnedQuantity(line.quantity, line.received, line.restocked)
    return {order_id: list(by_id.values()) for order_id, by_id in wishes.items()}


async def shipments_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, list[SentShipment]]:
    """Shipments, oldest first. Orders without any are missing."""
    of_orders = Shipment.order_id == any_(literal(list(order_ids), ARRAY(Uuid())))
    query = select(Shipment, ShipmentLine).join(ShipmentLine, ShipmentLine.shipment_id == Shipment.id).where(of_orders)
    shipments: dict[UUID, dict[UUID, SentShipment]] = {}
    for row, line in await session.execute(query.order_by(Shipment.id, ShipmentLine.order_line_id)):
        shipment = shipments.setdefault(row.order_id, {}).setdefault(row.id, _sent(row))
        shipment.pieces[line.order_line_id] = line.quantity
    return {order_id: list(by_id.values()) for order_id, by_id in shipments.items()}


async def with_lines(session: AsyncSession, rows: Sequence[Order]) -> list[PlacedOrder]:
    """The orders with their lines, in the same order."""
    if not rows:
        return []
    of_orders = OrderLine.order_id == any_(literal([row.id for row in rows], ARRAY(Uuid())))
    query = (
        select(OrderLine, Image)
        .outerjoin(Image, Image.id == OrderLine.image_id)
        .where(of_orders)
        .order_by(OrderLine.position, OrderLine.id)
    )
    lines: dict[UUID, list[SoldLine]] = {}
    for line, image in await session.execute(query):
        picture = OrderLineImage(image.id, image.width, image.height, image.placeholder) if image else None
        lines.setdefault(line.order_id, []).append(_line(line, picture))
    return [_placed(row, lines.get(row.id, [])) for row in rows]


def _returned(row: Return) -> ReturnRequest:
    return ReturnRequest(
        id=row.id,
        status=row.status,
        reason=row.reason,
        answer=row.answer,
        label_url=row.label_url,
        created_at=row.created_at,
        answered_at=row.answered_at,
        received_at=row.received_at,
        refunded_at=row.refunded_at,
        pieces={},
    )


def _sent(shipment: Shipment) -> SentShipment:
    return SentShipment(
        id=shipment.id,
        carrier=shipment.carrier,
        tracking_number=shipment.tracking_number,
        tracking_url=shipment.tracking_url,
        created_at=shipment.created_at,
        delivered_at=shipment.delivered_at,
        pieces={},
    )


def _line(line: OrderLine, picture: OrderLineImage | None) -> SoldLine:
    return SoldLine(
        id=line.id,
        product_id=line.product_id,
        name=line.name,
        color=line.color,
        size=line.size,
        quantity=line.quantity,
        unit_price_cents=line.unit_price_cents,
        picture=picture,
        sku=line.sku,
        variant_id=line.variant_id,
        shipped=line.shipped,
        called_off=line.called_off,
    )


def _placed(order: Order, lines: Sequence[SoldLine]) -> PlacedOrder:
    return PlacedOrder(
        id=order.id,
        number=order.quoted,
        created_at=order.created_at,
        email=order.email,
        payment_status=order.payment_status,
        fulfilment=order.fulfilment,
        total_cents=order.total_cents,
        refunded_cents=order.refunded_cents,
        shipping_address=order.shipping_address,
        paid_at=order.paid_at,
        failed_at=order.failed_at,
        canceled_at=order.canceled_at,
        lines=tuple(lines),
        **{name: getattr(order, name) for name in PRICED},
    )


def _conditions(scope: OrderScope) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if scope.user_id is not None:
        conditions.append(Order.user_id == scope.user_id)
    return conditions
