"""The back office's half of orders: finding them, sending them, answering returns, and what admins note.

`OrderFields` is this domain's share of the type AdminOrder; payments adds what can be paid back, server.schema puts the
shares together.
"""

from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import date, datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated, TypeAlias, cast
from uuid import UUID

import strawberry
from sqlalchemy.ext.asyncio import AsyncSession

from server.core import errors as refusals
from server.core.context import reading, transaction
from server.core.graphql import (
    URL,
    AdminOnly,
    Info,
    InvalidInput,
    Money,
    UserError,
    asks_for,
    enum_value,
    parse_id,
)
from server.core.pages import After, Connection, First, moment_of, number_within, page_size, place_of
from server.identity.graphql import MODULE
from server.media.graphql import Image
from server.orders import cancellations, carriers, desk, errors, fulfilment, graphql, invoices, notes, queries, returns
from server.orders.checkouts import ADDRESS_FIELDS
from server.orders.graphql import (
    FulfilmentStatus,
    OrderAddress,
    OrderEvent,
    PaymentStatus,
    ReturnStatus,
    Shipment,
)
from server.shop import service as shop


@strawberry.type(description="A line of an order, with where its pieces are.")
class AdminOrderLine:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    name: str | None = strawberry.field(description="The product's name then; null when even the copy lacks it.")
    sku: str = strawberry.field(description="What the shelf calls it; may be empty.")
    image: Image | None = strawberry.field(description="The picture then; null when there was none.")
    color: str = strawberry.field(description='In the product\'s own words: "Indigo".')
    size: str = strawberry.field(description='"M".')
    quantity: int = strawberry.field(description="Pieces bought.")
    shipped: int = strawberry.field(description="Pieces that have left the shop.")
    called_off: int = strawberry.field(description="Pieces that will never be sent.")
    to_ship: int = strawberry.field(description="Pieces still to be sent.")
    refunded: int = strawberry.field(description="Pieces whose money went back or is on its way.")
    price: Money = strawberry.field(description="What one piece cost, before any discount of the whole order.")
    total: Money = strawberry.field(description="`price` times `quantity`.")
    product_id: strawberry.ID | None = strawberry.field(description="The product, which may be sold no longer.")

    @classmethod
    def of(cls, line: queries.Line, refunded: int) -> "AdminOrderLine":
        return cls(
            id=strawberry.ID(str(line.id)),
            name=line.name or None,
            sku=line.sku,
            image=graphql.image_of(line),
            color=line.color,
            size=line.size,
            quantity=line.quantity,
            shipped=line.shipped,
            called_off=line.called_off,
            to_ship=line.quantity - line.shipped - line.called_off,
            refunded=refunded,
            price=Money(line.unit_price_cents),
            total=Money(line.unit_price_cents * line.quantity),
            product_id=strawberry.ID(str(line.product_id)) if line.product_id else None,
        )


@strawberry.type(description="What admins tell each other about an order. Its buyer never sees it.")
class OrderNote:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    author: str = strawberry.field(description="The name of who wrote it, then.")
    text: str = strawberry.field(description="As it was written.")
    created_at: datetime = strawberry.field(description="When.")

    @classmethod
    def of(cls, note: desk.Note) -> "OrderNote":
        return cls(id=strawberry.ID(str(note.id)), author=note.author, text=note.text, created_at=note.at)


@strawberry.type(description="Pieces of a line within a return or a refund.")
class AdminPieces:
    line_id: strawberry.ID = strawberry.field(description="The order's line.")
    quantity: int = strawberry.field(description="Pieces.")
    received: int | None = strawberry.field(
        default=None, description="Pieces of a return that arrived; null until then, and for refunds."
    )
    restocked: int = strawberry.field(default=0, description="Pieces of a return that went on the shelf again.")


@strawberry.type(description="Pieces that the shopper wants to send back, or has.")
class AdminReturn:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    status: ReturnStatus = strawberry.field(description="How far it has come.")
    reason: str = strawberry.field(description="In the shopper's words; may be empty.")
    answer: str = strawberry.field(description="The shop's words to the shopper; may be empty.")
    label_url: URL | None = strawberry.field(description="The label that the shopper was given.")
    created_at: datetime = strawberry.field(description="When it was asked for.")
    pieces: list[AdminPieces] = strawberry.field(description="What goes back, and what came.")

    @classmethod
    def of(cls, returned: queries.Returned) -> "AdminReturn":
        return cls(
            id=strawberry.ID(str(returned.id)),
            status=ReturnStatus(returned.status),
            reason=returned.reason,
            answer=returned.answer,
            label_url=URL(returned.label_url) if returned.label_url else None,
            created_at=returned.created_at,
            pieces=[
                AdminPieces(
                    line_id=strawberry.ID(str(line_id)),
                    quantity=each.quantity,
                    received=each.received,
                    restocked=each.restocked,
                )
                for line_id, each in returned.pieces.items()
            ],
        )


@strawberry.enum(description="How far a refund has come.")
class RefundStatus(Enum):
    PENDING = enum_value("pending", "Asked for; the provider has not paid it yet.")
    SUCCEEDED = enum_value("succeeded", "The provider has paid it.")
    FAILED = enum_value("failed", "The provider did not pay it; the money is still with the shop.")


@strawberry.type(description="Money that goes back.")
class OrderRefund:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    amount: Money = strawberry.field(description="How much.")
    shipping: Money = strawberry.field(description="How much of it is for the delivery.")
    reason: str = strawberry.field(description="What the shopper is told.")
    status: RefundStatus = strawberry.field(description="How far it has come.")
    asked_by: str = strawberry.field(description="The admin's e-mail; empty when the shopper or the provider did.")
    return_id: strawberry.ID | None = strawberry.field(description="The return that it pays for.")
    created_at: datetime = strawberry.field(description="When it was asked for.")
    needs_care: bool = strawberry.field(
        description="It failed and nobody has dealt with that: `retryRefund` or `closeRefund`."
    )
    pieces: list[AdminPieces] = strawberry.field(description="Whose money it is; empty for a mere sum.")

    @classmethod
    def of(cls, made: desk.GivenBack) -> "OrderRefund":
        return cls(
            id=strawberry.ID(str(made.id)),
            amount=Money(made.amount_cents),
            shipping=Money(made.shipping_cents),
            reason=made.reason,
            status=RefundStatus(made.status),
            asked_by=made.asked_by,
            return_id=strawberry.ID(str(made.return_id)) if made.return_id else None,
            created_at=made.at,
            needs_care=made.needs_care,
            pieces=[
                AdminPieces(line_id=strawberry.ID(str(line_id)), quantity=number)
                for line_id, number in made.pieces.items()
            ],
        )


@strawberry.type(
    description="A bank takes a payment back for its customer, or asks to. It is answered at the provider."
)
class OrderDispute:
    id: strawberry.ID = strawberry.field(description="The provider's id.")
    amount: Money = strawberry.field(description="How much is at stake.")
    reason: str = strawberry.field(description='In the provider\'s words: "fraudulent".')
    status: str = strawberry.field(description='In the provider\'s words: "needs_response".')
    is_open: bool = strawberry.field(description="Whether it can still end either way.")
    answer_by: datetime | None = strawberry.field(description="Until when the shop can answer.")
    created_at: datetime = strawberry.field(description="When it was opened.")


@strawberry.type(description="The account that an order belongs to.")
class OrderBuyer:
    id: strawberry.ID = strawberry.field(description="The account's id.")
    name: str = strawberry.field(description="Full name.")
    order_count: int = strawberry.field(description="Orders that were paid.")
    spent: Money = strawberry.field(description="What they paid less what went back.")


@strawberry.type(description="The provider's names of a payment, for its own pages.")
class OrderPayment:
    session_id: str | None = strawberry.field(description="Of the checkout session.")
    intent_id: str | None = strawberry.field(description="Of the payment; null when nothing was charged.")


@strawberry.type(description="What an order's total is made of.")
class OrderSums:
    subtotal: Money = strawberry.field(description="The lines.")
    discount: Money = strawberry.field(description="What a code took off.")
    discount_code: str | None = strawberry.field(description="The code; null when there was none.")
    shipping: Money = strawberry.field(description="Delivery.")
    tax: Money = strawberry.field(description="Tax, added or within; see `taxIncluded`.")
    tax_included: bool = strawberry.field(description="Whether the prices have the tax in them.")


@strawberry.type
class OrderFields:
    """What orders know of an order, for admins."""

    id: strawberry.ID = strawberry.field(description="Opaque; the same as the shopper's `Order.id`.")
    number: str = strawberry.field(description='What a shopper quotes: "M-10001".')
    created_at: datetime = strawberry.field(description="When it was placed.")
    email: str = strawberry.field(description="Where its mails go.")
    payment_status: PaymentStatus = strawberry.field(description="What became of its money.")
    fulfilment: FulfilmentStatus = strawberry.field(description="How much of it has left the shop.")
    piece_count: int = strawberry.field(description="Pieces over all lines.")
    total_amount: Money = strawberry.field(description="What was charged.")
    refunded_amount: Money = strawberry.field(description="What has been paid back of it.")
    shipping_address: OrderAddress = strawberry.field(description="Where it goes.")
    is_canceled: bool = strawberry.field(description="Whether it was called off.")
    cancel_refusal: str | None = strawberry.field(
        description="Why `cancelOrderAsShop` does not work now; null when it does."
    )
    placed: strawberry.Private[queries.Placed]

    @strawberry.field(description="In the order that the cart had. One statement for a whole page of orders.")
    async def lines(self, info: Info) -> list[AdminOrderLine]:
        refunded = Counter[UUID]()
        for refund in await info.context.load(desk.refunds_by_order, self.placed.id) or []:
            if refund.status != "failed":
                refunded.update(refund.pieces)
        return [AdminOrderLine.of(line, refunded[line.id]) for line in self.placed.lines]

    @strawberry.field(description="What the total is made of. One statement for a whole page of orders.")
    async def sums(self, info: Info) -> OrderSums:
        found = await info.context.load(desk.sums_by_order, self.placed.id)
        if found is None:
            raise refusals.NotFound("This order")
        return OrderSums(
            subtotal=Money(found.subtotal_cents),
            discount=Money(found.discount_cents),
            discount_code=found.discount_code,
            shipping=Money(found.shipping_cents),
            tax=Money(found.tax_cents),
            tax_included=found.tax_included,
        )

    @strawberry.field(description="What happened to it, as its shopper sees it, oldest first.")
    async def timeline(self, info: Info) -> list[OrderEvent]:
        return await graphql.timeline_of(info, self.placed)

    @strawberry.field(description="Its parcels, oldest first. One statement for a whole page of orders.")
    async def shipments(self, info: Info) -> list[Shipment]:
        found = await info.context.load(queries.shipments_by_order, self.placed.id) or []
        return [Shipment.of(each, self.placed) for each in found]

    @strawberry.field(
        description="What its shopper sends back, oldest first. One statement for a whole page of orders."
    )
    async def returns(self, info: Info) -> list[AdminReturn]:
        found = await info.context.load(queries.returns_by_order, self.placed.id) or []
        return [AdminReturn.of(each) for each in found]

    @strawberry.field(description="Money that went back, oldest first. One statement for a whole page of orders.")
    async def refunds(self, info: Info) -> list[OrderRefund]:
        found = await info.context.load(desk.refunds_by_order, self.placed.id) or []
        return [OrderRefund.of(each) for each in found]

    @strawberry.field(description="Its disputes, oldest first. One statement for a whole page of orders.")
    async def disputes(self, info: Info) -> list[OrderDispute]:
        return [
            OrderDispute(
                id=strawberry.ID(each.id),
                amount=Money(each.amount_cents),
                reason=each.reason,
                status=each.status,
                is_open=each.is_open,
                answer_by=each.answer_by,
                created_at=each.at,
            )
            for each in await info.context.load(desk.disputes_by_order, self.placed.id) or []
        ]

    @strawberry.field(description="What admins noted, oldest first. One statement for a whole page of orders.")
    async def notes(self, info: Info) -> list[OrderNote]:
        found = await info.context.load(desk.notes_by_order, self.placed.id) or []
        return [OrderNote.of(each) for each in found]

    @strawberry.field(description="Who bought it; null when the account is gone. One statement for a whole page.")
    async def buyer(self, info: Info) -> OrderBuyer | None:
        found = await info.context.load(desk.buyers_by_order, self.placed.id)
        if found is None:
            return None
        user_id, name, orders, spent = found
        return OrderBuyer(id=strawberry.ID(str(user_id)), name=name, order_count=orders, spent=Money(spent))

    @strawberry.field(description="The provider's names of its payment. One statement for a whole page of orders.")
    async def payment(self, info: Info) -> OrderPayment:
        session_id, intent_id = await info.context.load(desk.payments_by_order, self.placed.id) or (None, None)
        return OrderPayment(session_id=session_id, intent_id=intent_id)

    @strawberry.field(description="Where a GET answers the invoice as a PDF; null while nothing was paid.")
    def invoice_url(self) -> URL | None:
        is_paid = self.placed.payment_status in invoices.INVOICED
        return URL(f"/orders/{self.placed.id}/invoice.pdf") if is_paid else None


if TYPE_CHECKING:
    AdminOrder: TypeAlias = OrderFields

WholeOrder = Annotated["AdminOrder", strawberry.lazy(MODULE)]


def order_of(placed: queries.Placed) -> OrderFields:
    address = {name: placed.shipping_address.get(name, "") for name in ADDRESS_FIELDS}
    return OrderFields(
        id=strawberry.ID(str(placed.id)),
        number=placed.number,
        created_at=placed.created_at,
        email=placed.email,
        payment_status=PaymentStatus(placed.payment_status),
        fulfilment=FulfilmentStatus(placed.fulfilment),
        piece_count=sum(line.quantity for line in placed.lines),
        total_amount=Money(placed.total_cents),
        refunded_amount=Money(placed.refunded_cents),
        shipping_address=OrderAddress(**address),
        is_canceled=placed.canceled_at is not None,
        cancel_refusal=cancellations.refusal_to_shop(placed),
        placed=placed,
    )


@strawberry.enum(description="The order of a list of orders.")
class OrderSort(Enum):
    NEWEST = enum_value("newest", "The last one placed first.")
    OLDEST = enum_value("oldest", "The first one placed first.")
    HIGHEST_TOTAL = enum_value("highest_total", "The dearest first.")
    LOWEST_TOTAL = enum_value("lowest_total", "The cheapest first.")


@strawberry.input(description="Which orders. What is left out does not matter.")
class OrderFilter:
    search: str | None = strawberry.field(
        default=None, description='A number ("M-10012" or "10012"), or part of the buyer\'s e-mail or name.'
    )
    payment_status: list[PaymentStatus] | None = strawberry.field(default=None, description="Any of these.")
    fulfilment: list[FulfilmentStatus] | None = strawberry.field(default=None, description="Any of these.")
    to_ship: bool = strawberry.field(default=False, description="Only those that are paid and wait to be sent.")
    open_returns: bool = strawberry.field(default=False, description="Only those with a return that is not done.")
    buyer_id: strawberry.ID | None = strawberry.field(default=None, description="Of this account.")
    first_day: date | None = strawberry.field(
        name="from", default=None, description="Placed on this day or later, in UTC."
    )
    last_day: date | None = strawberry.field(
        name="to", default=None, description="Placed on this day or earlier, in UTC."
    )

    def wanted(self) -> desk.Filter:
        return desk.Filter(
            search=self.search or "",
            payment_statuses=tuple(each.value for each in self.payment_status or ()),
            fulfilments=tuple(each.value for each in self.fulfilment or ()),
            to_ship=self.to_ship,
            open_returns=self.open_returns,
            user_id=parse_id(self.buyer_id, "This account") if self.buyer_id else None,
            first_day=self.first_day,
            last_day=self.last_day,
        )


@strawberry.type(description="What of the orders waits for somebody.")
class OrderQueue:
    to_ship: int = strawberry.field(description="Orders that are paid and not all sent.")
    returns: int = strawberry.field(description="Returns that are not done.")
    trouble: int = strawberry.field(description="Payments that need a person: see `paymentTroubles(openOnly: true)`.")


@strawberry.enum(description="What is wrong with a payment.")
class PaymentTroubleKind(Enum):
    UNFULFILLABLE = enum_value("unfulfillable", "It was paid, but no order could come of it; the money goes back.")
    REFUND_FAILED = enum_value("refund_failed", "Money should go back, and did not.")
    DISPUTED = enum_value("disputed", "The buyer's bank takes it back, or asks to.")


@strawberry.type(description="A payment that a person has to look at, or had to.")
class PaymentTrouble:
    id: strawberry.ID = strawberry.field(
        description="Opaque. Of a failed refund, its id for `retryRefund` and `closeRefund`."
    )
    kind: PaymentTroubleKind = strawberry.field(description="What is wrong.")
    at: datetime = strawberry.field(description="Since when.")
    amount: Money = strawberry.field(description="How much it is about.")
    email: str = strawberry.field(description="The buyer's; empty when nobody knows.")
    order_id: strawberry.ID | None = strawberry.field(description="The order; null when there is none.")
    order_number: str | None = strawberry.field(description="The order's number; null when there is none.")
    status: str = strawberry.field(
        description='"pending", "succeeded", "failed" or "closed"; of a dispute, the provider\'s word.'
    )
    reason: str = strawberry.field(description="Why, in words; of a dispute, the provider's word.")
    payment_intent_id: str | None = strawberry.field(description="The provider's name of the payment.")

    @classmethod
    def of(cls, trouble: desk.Trouble) -> "PaymentTrouble":
        return cls(
            id=strawberry.ID(trouble.id),
            kind=PaymentTroubleKind(trouble.kind),
            at=trouble.at,
            amount=Money(trouble.amount_cents),
            email=trouble.email,
            order_id=strawberry.ID(str(trouble.order_id)) if trouble.order_id else None,
            order_number=f"M-{trouble.number}" if trouble.number else None,
            status=trouble.status,
            reason=trouble.reason,
            payment_intent_id=trouble.payment_intent_id,
        )


@strawberry.type
class AdminFields:
    """This domain's share of the back office."""

    @strawberry.field(
        description="Everybody's orders. With a search, `totalCount` stops at 10,000; it costs a statement of its own."
    )
    async def orders(
        self,
        info: Info,
        filter: Annotated[OrderFilter | None, strawberry.argument(description="Which ones.")] = None,
        sort: Annotated[OrderSort, strawberry.argument(description="In which order.")] = OrderSort.NEWEST,
        first: First = 50,
        after: After = None,
    ) -> Connection[WholeOrder]:
        wanted, first = (filter or OrderFilter()).wanted(), page_size(first)
        key: Callable[[str], int | datetime] = number_within(bits=64) if sort in _BY_TOTAL else moment_of
        place = place_of(after, key, UUID)
        async with reading(info.context) as session:
            found = await desk.page(session, wanted, cast(desk.Sort, sort.value), limit=first + 1, after=place)
            total = await desk.total(session, wanted) if asks_for(info, "totalCount") else 0
        nodes = [order_of(placed) for placed in found[:first]]
        places = [(_key(sort, placed), placed.id) for placed in found[:first]]
        return Connection.of(nodes, places, has_next=len(found) > first, has_previous=place is not None, total=total)

    @strawberry.field(description="One order, whoever's; null when there is no such.")
    async def order(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="An order's id.")]
    ) -> WholeOrder | None:
        try:
            order_id = parse_id(id)
        except refusals.NotFound:
            return None
        async with reading(info.context) as session:
            placed = await queries.order(session, order_id)
        return order_of(placed) if placed else None

    @strawberry.field(description="What of the orders waits for somebody. One statement.")
    async def order_queue(self, info: Info) -> OrderQueue:
        async with reading(info.context) as session:
            queue = await desk.queue(session)
        return OrderQueue(to_ship=queue.to_ship, returns=queue.returns, trouble=queue.trouble)

    @strawberry.field(description="Payments that something is wrong with, the latest first.")
    async def payment_troubles(
        self,
        info: Info,
        open_only: Annotated[bool, strawberry.argument(description="Without those that are settled.")] = True,
        first: First = 50,
        after: After = None,
    ) -> Connection[PaymentTrouble]:
        first, place = page_size(first), place_of(after, moment_of, str)
        async with reading(info.context) as session:
            found = await desk.troubles(session, open_only=open_only, limit=first + 1, after=place)
            total = await desk.number_of_troubles(session, open_only=open_only)
        nodes = [PaymentTrouble.of(each) for each in found[:first]]
        places = [(each.at, each.id) for each in found[:first]]
        return Connection.of(nodes, places, has_next=len(found) > first, has_previous=place is not None, total=total)

    @strawberry.field(description="Carriers whose parcels the shop can find by their number alone.")
    def carriers(self) -> list[str]:
        return list(carriers.FOLLOWED_AT)


@strawberry.type(description="It is done, and this is the order now.")
class OrderChanged:
    order: WholeOrder = strawberry.field(description="The order with the change in it.")


@strawberry.type(description="The order, the return or the refund is not in a state for this, or no longer.")
class OrderConflict(UserError): ...


OrderActionResult = Annotated[
    OrderChanged | OrderConflict | InvalidInput,
    strawberry.union("OrderActionResult", description="The changed order, or why nothing has changed."),
]
OrderId = Annotated[strawberry.ID, strawberry.argument(description="The order's id.")]
ReturnId = Annotated[strawberry.ID, strawberry.argument(description="The return's id.")]
ShipmentId = Annotated[strawberry.ID, strawberry.argument(description="The parcel's id.")]


@strawberry.input(description="Pieces of a line.")
class PiecesInput:
    line_id: strawberry.ID = strawberry.field(description="The order's line.")
    quantity: int = strawberry.field(description="Pieces.")


@strawberry.input(description="How a parcel travels.")
class ParcelInput:
    carrier: str = strawberry.field(description='Who brings it; one of `admin.carriers`, or any other: "UPS".')
    tracking_number: str = strawberry.field(default="", description="What the carrier calls it; may be empty.")
    tracking_url: str = strawberry.field(
        default="", description="Where it can be followed; found from the number for carriers that are known."
    )

    def parcel(self) -> fulfilment.Parcel:
        return fulfilment.Parcel(self.carrier, self.tracking_number, self.tracking_url)


@strawberry.input(description="Pieces of a returned line that arrived.")
class ArrivedInput:
    line_id: strawberry.ID = strawberry.field(description="The order's line.")
    quantity: int = strawberry.field(description="Pieces that were in the parcel.")
    restock: int = strawberry.field(default=0, description="Pieces of those that go on the shelf again.")


@strawberry.type
class Mutation:
    """What admins do with orders, but for their money."""

    @strawberry.mutation(
        permission_classes=[AdminOnly],
        description="Sends pieces of an order in a parcel; the buyer gets a mail with the way to follow it. Pieces "
        "that somebody else has just sent are refused, not sent twice.",
    )
    async def ship_order(
        self,
        info: Info,
        order_id: OrderId,
        parcel: Annotated[ParcelInput, strawberry.argument(description="How it travels.")],
        lines: Annotated[
            list[PiecesInput] | None, strawberry.argument(description="What is in it; left out, all that waits.")
        ] = None,
    ) -> OrderActionResult:
        order, pieces = parse_id(order_id, "This order"), None if lines is None else pieces_of(lines)
        actor, shop_url = info.context.signed_in, info.context.settings.public_url

        async def send(session: AsyncSession) -> UUID:
            await fulfilment.ship(session, order, pieces, parcel.parcel(), actor=actor, shop_url=shop_url)
            return order

        return await changed(info, send)

    @strawberry.mutation(
        permission_classes=[AdminOnly],
        description="Says anew how a parcel travels; the buyer gets a mail when that changes anything.",
    )
    async def correct_shipment(
        self,
        info: Info,
        shipment_id: ShipmentId,
        parcel: Annotated[ParcelInput, strawberry.argument(description="How it travels.")],
    ) -> OrderActionResult:
        shipment, actor = parse_id(shipment_id, "This parcel"), info.context.signed_in
        shop_url = info.context.settings.public_url

        async def correct(session: AsyncSession) -> UUID:
            made = await fulfilment.correct(session, shipment, parcel.parcel(), actor=actor, shop_url=shop_url)
            return made.id

        return await changed(info, correct)

    @strawberry.mutation(
        permission_classes=[AdminOnly], description="Notes that a parcel has arrived. Asking again changes nothing."
    )
    async def mark_delivered(self, info: Info, shipment_id: ShipmentId) -> OrderActionResult:
        shipment, actor = parse_id(shipment_id, "This parcel"), info.context.signed_in

        async def deliver(session: AsyncSession) -> UUID:
            return (await fulfilment.deliver(session, shipment, actor=actor)).id

        return await changed(info, deliver)

    @strawberry.mutation(
        permission_classes=[AdminOnly], description="Writes a note for other admins. The buyer never sees it."
    )
    async def add_order_note(
        self,
        info: Info,
        order_id: OrderId,
        text: Annotated[str, strawberry.argument(description="In up to 2,000 characters.")],
    ) -> OrderActionResult:
        order, actor = parse_id(order_id, "This order"), info.context.signed_in

        async def note(session: AsyncSession) -> UUID:
            await notes.add(session, order, text, actor=actor)
            return order

        return await changed(info, note)

    @strawberry.mutation(
        permission_classes=[AdminOnly],
        description="Tells the buyer to send the pieces of a return to the shop's address, with words and a label.",
    )
    async def accept_return(
        self,
        info: Info,
        return_id: ReturnId,
        words: Annotated[str, strawberry.argument(description="To the buyer, up to 1,000 characters.")] = "",
        label_url: Annotated[str, strawberry.argument(description="Where the label can be printed.")] = "",
    ) -> OrderActionResult:
        returned, actor = parse_id(return_id, "This return"), info.context.signed_in
        send_to = (await shop.current(info.context)).seller.splitlines()
        told = {"send_to": send_to, "actor": actor, "shop_url": info.context.settings.public_url}

        async def accept(session: AsyncSession) -> UUID:
            return (await returns.accept(session, returned, words, label_url, **told)).id  # type: ignore[arg-type]

        return await changed(info, accept)

    @strawberry.mutation(
        permission_classes=[AdminOnly], description="Tells the buyer why the pieces of a return cannot come back."
    )
    async def refuse_return(
        self,
        info: Info,
        return_id: ReturnId,
        words: Annotated[str, strawberry.argument(description="To the buyer, up to 1,000 characters.")],
    ) -> OrderActionResult:
        returned, actor = parse_id(return_id, "This return"), info.context.signed_in
        shop_url = info.context.settings.public_url

        async def refuse(session: AsyncSession) -> UUID:
            return (await returns.refuse(session, returned, words, actor=actor, shop_url=shop_url)).id

        return await changed(info, refuse)

    @strawberry.mutation(
        permission_classes=[AdminOnly],
        description="Notes what of a return was in the parcel, and puts on the shelf what can be sold again. The buyer "
        "gets a mail; the money goes back with `refundReturn`.",
    )
    async def receive_return(
        self,
        info: Info,
        return_id: ReturnId,
        lines: Annotated[
            list[ArrivedInput] | None,
            strawberry.argument(description="What came; left out, all of it, and all of it can be sold again."),
        ] = None,
    ) -> OrderActionResult:
        returned, actor = parse_id(return_id, "This return"), info.context.signed_in
        shop_url = info.context.settings.public_url
        arrived = None
        if lines is not None:
            arrived = {
                parse_id(each.line_id, "This item"): returns.Arrived(each.quantity, each.restock) for each in lines
            }

        async def receive(session: AsyncSession) -> UUID:
            return (await returns.receive(session, returned, arrived, actor=actor, shop_url=shop_url)).id

        return await changed(info, receive)


async def changed(info: Info, work: Callable[[AsyncSession], Awaitable[UUID]]) -> OrderActionResult:
    """Does something to an order in a transaction of its own, and answers the order or the refusal."""
    try:
        async with transaction(info.context) as session:
            order_id = await work(session)
    except errors.NotCancelable as error:
        return OrderConflict(message=str(error))
    except refusals.InvalidInput as error:
        return InvalidInput.of(error)
    return OrderChanged(order=await present(info, order_id))


async def present(info: Info, order_id: UUID) -> OrderFields:
    """An order that is there. Raises NotFound otherwise."""
    async with reading(info.context) as session:
        placed = await queries.order(session, order_id)
    if placed is None:
        raise refusals.NotFound("This order")
    return order_of(placed)


def pieces_of(lines: list[PiecesInput]) -> dict[UUID, int]:
    """The sum by line. Raises NotFound for what is no id."""
    pieces = Counter[UUID]()
    for each in lines:
        pieces[parse_id(each.line_id, "This item")] += each.quantity
    return dict(pieces)


_BY_TOTAL = (OrderSort.HIGHEST_TOTAL, OrderSort.LOWEST_TOTAL)


def _key(sort: OrderSort, placed: queries.Placed) -> int | datetime:
    return placed.total_cents if sort in _BY_TOTAL else placed.created_at
