"""Orders and what belongs to them in the GraphQL schema: lines, shipments, returns, events."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import Enum

import strawberry

from server.media.graphql import Image
from server.orders import cancellations, queries, returns
from server.orders.checkouts import ADDRESS_FIELDS
from server.orders.states import HAVE_BEEN_PAID, FulfilmentStatus, PaymentStatus, ReturnStatus
from server.platform.core import clock, postal_addresses
from server.platform.gql.scalars import URL, Money
from server.platform.gql.types import Info, Node, describe_enum, enum_value
from server.pricing.graphql import DeliveryCharge, TaxCharge
from server.shop import service as shop

describe_enum(
    PaymentStatus,
    "PaymentStatus",
    "What became of an order's money.",
    {
        PaymentStatus.PAID: "The money is here.",
        PaymentStatus.PROCESSING: "The money is on its way; a mail follows.",
        PaymentStatus.FAILED: "The money did not come; nothing was charged.",
        PaymentStatus.REFUNDED: "All of it was paid back.",
        PaymentStatus.PARTIALLY_REFUNDED: "Part of it was paid back.",
    },
)


@strawberry.type(description="Where an order goes: a copy, unchanged by later edits of the address.")
class OrderAddress:
    name: str = strawberry.field(description="Who gets the parcel.")
    address1: str = strawberry.field(description="Street and number.")
    address2: str = strawberry.field(description="What the street does not say; often empty.")
    city: str = strawberry.field(description="Town.")
    state: str = strawberry.field(description='State, province or prefecture: "CA"; empty where there is none.')
    country: str = strawberry.field(description="English name.")
    country_code: str = strawberry.field(description="ISO 3166 code; empty where the country is unknown.")
    postal_code: str = strawberry.field(description="Empty where there is none.")
    phone: str = strawberry.field(description="For the carrier.")

    @strawberry.field(
        description="The address as its country writes it, in English letters where the country has such a form: line "
        "by line, from the receiver to the country, without the phone."
    )
    def lines(self) -> list[str]:
        return list(postal_addresses.lines_of(vars(self)))

    @classmethod
    def of(cls, address: Mapping[str, str]) -> "OrderAddress":
        """From the copy that a checkout or an order keeps, which lacks parts that the shop did not ask for then."""
        return cls(**{name: address.get(name, "") for name in ADDRESS_FIELDS})


@strawberry.type(description="A variant as it was sold, kept even when the product is gone.")
class OrderLine:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    name: str | None = strawberry.field(description="The product's name then; null when even the copy lacks it.")
    image: Image | None = strawberry.field(description="The picture then; null when there was none.")
    color: str = strawberry.field(description='In the product\'s own words: "Indigo".')
    size: str = strawberry.field(description='"M".')
    quantity: int = strawberry.field(description="Pieces.")
    price: Money = strawberry.field(description="What one piece cost.")
    total: Money = strawberry.field(description="`price` times `quantity`.")
    shipped: int = strawberry.field(description="Pieces that have left the shop; `shipments` says how.")
    called_off: int = strawberry.field(description="Pieces that will never be sent.")
    product_id: strawberry.ID | None = strawberry.field(
        description="For a link to the product as it is now, which may be sold no longer; null when it is unknown."
    )

    @classmethod
    def of(cls, line: queries.SoldLine) -> "OrderLine":
        """From the query's row."""
        return cls(
            id=strawberry.ID(str(line.id)),
            name=line.name or None,
            image=image_of(line),
            color=line.color,
            size=line.size,
            quantity=line.quantity,
            price=Money(line.unit_price_cents),
            total=Money(line.unit_price_cents * line.quantity),
            shipped=line.shipped,
            called_off=line.called_off,
            product_id=strawberry.ID(str(line.product_id)) if line.product_id else None,
        )


@strawberry.enum(description="What can happen to an order.")
class OrderEventKind(Enum):
    PLACED = enum_value("placed", "It was placed.")
    PAID = enum_value("paid", "Its money arrived.")
    PAYMENT_FAILED = enum_value("payment_failed", "Its money did not come.")
    CANCELED = enum_value("canceled", "The shopper or the shop called it off.")
    SHIPPED = enum_value("shipped", "A parcel left the shop; `shipments` says what is in it.")
    DELIVERED = enum_value("delivered", "A parcel arrived.")
    REFUNDED = enum_value("refunded", "Money went back; banks take days to show it.")
    RETURN_REQUESTED = enum_value("return_requested", "The shopper asked to send pieces back.")
    RETURN_ACCEPTED = enum_value("return_accepted", "The shop waits for the pieces.")
    RETURN_REFUSED = enum_value("return_refused", "The shop does not take them back.")
    RETURN_RECEIVED = enum_value("return_received", "The pieces are back at the shop.")


@strawberry.type(description="One thing that happened to an order.")
class OrderEvent:
    at: datetime = strawberry.field(description="When it happened.")
    kind: OrderEventKind = strawberry.field(description="What happened.")
    amount: Money | None = strawberry.field(description="The money that moved; null when none did.")

    @classmethod
    def of(cls, kind: str, at: datetime, cents: int | None = None) -> "OrderEvent":
        """An event with an optional amount in cents."""
        return cls(at=at, kind=OrderEventKind(kind), amount=None if cents is None else Money(cents))


describe_enum(
    ReturnStatus,
    "ReturnStatus",
    "How far a return has come.",
    {
        ReturnStatus.REQUESTED: "Asked for; the shop has not answered yet.",
        ReturnStatus.ACCEPTED: "The shop waits for the pieces.",
        ReturnStatus.REFUSED: "The shop does not take them back; `answer` says why.",
        ReturnStatus.CANCELED: "It ended when its order was canceled.",
        ReturnStatus.RECEIVED: "The pieces are back; the money follows.",
        ReturnStatus.REFUNDED: "The money for them was sent back.",
    },
)


describe_enum(
    FulfilmentStatus,
    "FulfilmentStatus",
    "How much of an order has left the shop.",
    {
        FulfilmentStatus.UNFULFILLED: "Nothing has been sent.",
        FulfilmentStatus.PARTLY_SHIPPED: "Some pieces have been sent, others wait.",
        FulfilmentStatus.SHIPPED: "All of it has been sent.",
        FulfilmentStatus.DELIVERED: "All of it has arrived.",
        FulfilmentStatus.CANCELED: "Nothing of it will be sent.",
    },
)


@strawberry.type(description="Pieces of an order's line in a parcel.")
class ShipmentLine:
    line: OrderLine = strawberry.field(description="The line that they were bought with.")
    quantity: int = strawberry.field(description="Pieces.")


@strawberry.type(description="A parcel on its way to the shopper, or there.")
class Shipment:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    carrier: str = strawberry.field(description='Who brings it: "UPS".')
    tracking_number: str | None = strawberry.field(description="What the carrier calls it; null when it has no number.")
    tracking_url: URL | None = strawberry.field(description="Where it can be followed; null when it cannot.")
    shipped_at: datetime = strawberry.field(description="When it left the shop.")
    delivered_at: datetime | None = strawberry.field(description="When it arrived; null while it travels.")
    lines: list[ShipmentLine] = strawberry.field(description="What is in it.")

    @classmethod
    def of(cls, sent: queries.SentShipment, order: queries.PlacedOrder) -> "Shipment":
        """From the query's row, with the order's lines."""
        bought = {line.id: line for line in order.lines}
        return cls(
            id=strawberry.ID(str(sent.id)),
            carrier=sent.carrier,
            tracking_number=sent.tracking_number or None,
            tracking_url=URL(sent.tracking_url) if sent.tracking_url else None,
            shipped_at=sent.created_at,
            delivered_at=sent.delivered_at,
            lines=[
                ShipmentLine(line=OrderLine.of(bought[line_id]), quantity=quantity)
                for line_id, quantity in sent.pieces.items()
                if line_id in bought
            ],
        )


@strawberry.type(description="How many pieces of an order's line go back.")
class ReturnLine:
    line: OrderLine = strawberry.field(description="The line that they were bought with.")
    quantity: int = strawberry.field(description="Pieces asked to go back.")
    received: int | None = strawberry.field(description="Pieces that arrived at the shop; null until then.")


@strawberry.type(description="Pieces that the shopper wants to send back.")
class Return:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    status: ReturnStatus = strawberry.field(description="How far it has come.")
    reason: str = strawberry.field(description="In the shopper's words; may be empty.")
    answer: str = strawberry.field(description="The shop's words to it; empty while there are none.")
    label_url: URL | None = strawberry.field(description="The label for the parcel; null when the shop gave none.")
    created_at: datetime = strawberry.field(description="When it was asked for.")
    lines: list[ReturnLine] = strawberry.field(description="What goes back.")

    @classmethod
    def of(cls, returned: queries.ReturnRequest, order: queries.PlacedOrder) -> "Return":
        """From the query's row, with the order's lines."""
        bought = {line.id: line for line in order.lines}
        return cls(
            id=strawberry.ID(str(returned.id)),
            status=ReturnStatus(returned.status),
            reason=returned.reason,
            answer=returned.answer,
            label_url=URL(returned.label_url) if returned.label_url else None,
            created_at=returned.created_at,
            lines=[
                ReturnLine(line=OrderLine.of(bought[line_id]), quantity=pieces.quantity, received=pieces.received)
                for line_id, pieces in returned.pieces.items()
                if line_id in bought
            ],
        )


@strawberry.interface(description="What a shopper and the back office read of a purchase alike.")
class BaseOrder:
    id: strawberry.ID = strawberry.field(description="Opaque; the same for the shopper and the back office.")
    number: str = strawberry.field(description='What a shopper quotes: "M-10001".')
    created_at: datetime = strawberry.field(description="When it was placed.")
    payment_status: PaymentStatus = strawberry.field(description="What became of its money.")
    fulfilment: FulfilmentStatus = strawberry.field(description="How much of it has left the shop.")
    total_amount: Money = strawberry.field(
        description="What was charged: subtotal less discount, with delivery, and the tax unless it is included."
    )
    refunded_amount: Money = strawberry.field(description="What has been paid back of it.")
    shipping_address: OrderAddress = strawberry.field(description="Where it goes.")
    is_canceled: bool = strawberry.field(description="Whether it was called off; `timeline` says when.")
    placed: strawberry.Private[queries.PlacedOrder]

    @strawberry.field(
        description="What happened to it, oldest first. Costs three statements for a whole page of orders."
    )
    async def timeline(self, info: Info) -> list[OrderEvent]:
        return await timeline_of(info, self.placed)

    @strawberry.field(description="Its parcels, oldest first. Costs one statement for a whole page of orders.")
    async def shipments(self, info: Info) -> list[Shipment]:
        shipments = await info.context.load(queries.shipments_by_order, self.placed.id) or []
        return [Shipment.of(each, self.placed) for each in shipments]

    @strawberry.field(
        description="Where a GET answers the invoice as a PDF, to the buyer and to admins; null while nothing was paid."
    )
    def invoice_url(self) -> URL | None:
        is_paid = self.placed.payment_status in HAVE_BEEN_PAID
        return URL(f"/orders/{self.placed.id}/invoice.pdf") if is_paid else None


@strawberry.type(description="A purchase, as it was sold.")
class Order(BaseOrder, Node):
    lines: list[OrderLine] = strawberry.field(description="In the order that the cart had.")
    subtotal: Money = strawberry.field(description="The sum of the lines.")
    discount_code: str | None = strawberry.field(description="The code it was bought with; null without one.")
    discount: Money = strawberry.field(description="What the code took off; 0.00 without one.")
    delivery: DeliveryCharge = strawberry.field(description="What sending it cost.")
    tax: TaxCharge | None = strawberry.field(description="Null where there was none.")

    @strawberry.field(description="Until when `cancelOrder` works; null when it does not, or no longer.")
    async def cancelable_until(self, info: Info) -> datetime | None:
        return await cancelable_until(info, self.placed)

    @strawberry.field(description="Whether `cancelOrder` works right now.")
    async def can_cancel(self, info: Info) -> bool:
        return await cancelable_until(info, self.placed) is not None

    @strawberry.field(
        description="Whether the buyer disputes its payment at the bank: canceling it then pays nothing back, unless "
        "the bank leaves the money with the shop. Costs one statement for a whole page of orders."
    )
    async def is_disputed(self, info: Info) -> bool:
        return await info.context.load(queries.disputed_orders, self.placed.id) or False

    @strawberry.field(description="Until when `requestReturn` works; null when it does not, not yet, or no longer.")
    async def returnable_until(self, info: Info) -> datetime | None:
        within = timedelta(days=(await shop.current(info.context)).return_days)
        until = returns.returnable_until(self.placed, within)
        return until if until and until > clock.now() else None

    @strawberry.field(
        description="What the shopper asked to send back, oldest first. Costs one statement for a whole page of orders."
    )
    async def returns(self, info: Info) -> list[Return]:
        returns = await info.context.load(queries.returns_by_order, self.placed.id) or []
        return [Return.of(each, self.placed) for each in returns]

    @classmethod
    def of(cls, order: queries.PlacedOrder) -> "Order":
        """From the query's row."""
        return cls(
            id=strawberry.ID(str(order.id)),
            number=order.number,
            created_at=order.created_at,
            payment_status=PaymentStatus(order.payment_status),
            fulfilment=FulfilmentStatus(order.fulfilment),
            lines=[OrderLine.of(line) for line in order.lines],
            subtotal=Money(order.subtotal_cents),
            discount_code=order.discount_code,
            discount=Money(order.discount_cents),
            delivery=DeliveryCharge(
                name=order.delivery_name,
                price=Money(order.shipping_cents),
                min_days=order.delivery_min_days,
                max_days=order.delivery_max_days,
            ),
            tax=_tax(order),
            total_amount=Money(order.total_cents),
            refunded_amount=Money(order.refunded_cents),
            shipping_address=OrderAddress.of(order.shipping_address),
            is_canceled=order.canceled_at is not None,
            placed=order,
        )


async def timeline_of(info: Info, order: queries.PlacedOrder) -> list[OrderEvent]:
    """The order's events that its buyer may see, oldest first."""
    refunds = await info.context.load(queries.refunds_by_order, order.id) or []
    returns = await info.context.load(queries.returns_by_order, order.id) or []
    shipments = await info.context.load(queries.shipments_by_order, order.id) or []
    moments: list[tuple[str, datetime | None]] = [
        ("placed", order.created_at),
        ("payment_failed", order.failed_at),
        ("canceled", order.canceled_at),
    ]
    for shipment in shipments:
        moments += [("shipped", shipment.created_at), ("delivered", shipment.delivered_at)]
    for each in returns:
        answered = "return_refused" if each.status == "refused" else "return_accepted"
        moments += [("return_requested", each.created_at), (answered, each.answered_at)]
        moments += [("return_received", each.received_at)]
    events = [OrderEvent.of(kind, at) for kind, at in moments if at]
    events += [OrderEvent.of("paid", order.paid_at, order.total_cents)] if order.paid_at else []
    events += [OrderEvent.of(event.kind, event.at, event.amount_cents) for event in refunds]
    return sorted(events, key=lambda event: event.at)


def _tax(order: queries.PlacedOrder) -> TaxCharge | None:
    if not order.tax_cents:
        return None
    return TaxCharge.of(order.tax_name, order.tax_basis_points, order.tax_cents, included=order.tax_included)


async def cancelable_until(info: Info, order: queries.PlacedOrder) -> datetime | None:
    """None when the time has passed."""
    within = timedelta(minutes=(await shop.current(info.context)).cancel_minutes)
    until = cancellations.cancelable_until(order, within)
    return until if until and until > clock.now() else None


def image_of(line: queries.SoldLine) -> Image | None:
    """The image that a line was sold with."""
    if line.picture is None:
        return None
    picture = line.picture
    return Image.of(picture.id, picture.width, picture.height, picture.placeholder, f"{line.name}, {line.color}")
