"""One order with all its details, for admins.

`OrdersOrderFields` is this domain's part of the type AdminOrder; payments adds what can be refunded, and server.schema
combines them.
"""

from collections import Counter
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated, TypeAlias
from uuid import UUID

import strawberry

from server.identity.graphql import MODULE
from server.media.graphql import Image
from server.orders import admin_queries, cancellations, queries, types, versions
from server.orders.states import REFUNDABLE_DISPUTES, FulfilmentStatus, PaymentStatus, ReturnStatus
from server.orders.types import BaseOrder, OrderAddress
from server.platform.core import errors as refusals
from server.platform.gql.scalars import URL, Money
from server.platform.gql.types import Info, enum_value


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
    def of(cls, line: queries.SoldLine, refunded: int) -> "AdminOrderLine":
        """A line with the number of its items that are refunded."""
        return cls(
            id=strawberry.ID(str(line.id)),
            name=line.name or None,
            sku=line.sku,
            image=types.image_of(line),
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
    created_at: datetime = strawberry.field(description="When it was written.")

    @classmethod
    def of(cls, note: admin_queries.AdminNote) -> "OrderNote":
        """From the query's row."""
        return cls(id=strawberry.ID(str(note.id)), author=note.author, text=note.text, created_at=note.at)


@strawberry.type(description="Pieces of a line within a return or a refund.")
class LineQuantity:
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
    pieces: list[LineQuantity] = strawberry.field(description="What goes back, and what came.")

    @classmethod
    def of(cls, returned: queries.ReturnRequest) -> "AdminReturn":
        """From the query's row."""
        return cls(
            id=strawberry.ID(str(returned.id)),
            status=ReturnStatus(returned.status),
            reason=returned.reason,
            answer=returned.answer,
            label_url=URL(returned.label_url) if returned.label_url else None,
            created_at=returned.created_at,
            pieces=[
                LineQuantity(
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
        description="It failed and nobody has dealt with that: `retryRefund` or `settleRefund`."
    )
    pieces: list[LineQuantity] = strawberry.field(description="Whose money it is; empty for a mere sum.")

    @classmethod
    def of(cls, refund: admin_queries.RefundSummary) -> "OrderRefund":
        """From the query's row."""
        return cls(
            id=strawberry.ID(str(refund.id)),
            amount=Money(refund.amount_cents),
            shipping=Money(refund.shipping_cents),
            reason=refund.reason,
            status=RefundStatus(refund.status),
            asked_by=refund.asked_by,
            return_id=strawberry.ID(str(refund.return_id)) if refund.return_id else None,
            created_at=refund.at,
            needs_care=refund.needs_care,
            pieces=[
                LineQuantity(line_id=strawberry.ID(str(line_id)), quantity=number)
                for line_id, number in refund.pieces.items()
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
    blocks_refunds: bool = strawberry.field(
        description="Whether nothing can be paid back because of it: the bank decides, or has taken the money."
    )
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
class OrderTotals:
    subtotal: Money = strawberry.field(description="The lines.")
    discount: Money = strawberry.field(description="What a code took off.")
    discount_code: str | None = strawberry.field(description="The code; null when there was none.")
    shipping: Money = strawberry.field(description="Delivery.")
    tax: Money = strawberry.field(description="Tax, added or within; see `taxIncluded`.")
    tax_included: bool = strawberry.field(description="Whether the prices have the tax in them.")


@strawberry.type
class OrdersOrderFields(BaseOrder):
    """The orders' fields of the type AdminOrder."""

    email: str = strawberry.field(description="Where its mails go.")
    piece_count: int = strawberry.field(description="Pieces over all lines.")
    cancel_refusal: str | None = strawberry.field(
        description="Why `cancelOrderAsShop` does not work now; null when it does."
    )

    @strawberry.field(
        description="Opaque; another one once a parcel, a return, a refund, a dispute, a note, the payment or pieces "
        "to send have changed. The mutations on an order take the one that was seen. Five statements for a whole page "
        "of orders, shared with the fields that show the same."
    )
    async def version(self, info: Info) -> str:
        return await version_of(info, self.placed)

    @strawberry.field(description="In the order that the cart had. One statement for a whole page of orders.")
    async def lines(self, info: Info) -> list[AdminOrderLine]:
        refunded = Counter[UUID]()
        for refund in await info.context.load(admin_queries.refunds_by_order, self.placed.id) or []:
            if refund.status != "failed":
                refunded.update(refund.pieces)
        return [AdminOrderLine.of(line, refunded[line.id]) for line in self.placed.lines]

    @strawberry.field(description="What the total is made of. One statement for a whole page of orders.")
    async def sums(self, info: Info) -> OrderTotals:
        totals = await info.context.load(admin_queries.sums_by_order, self.placed.id)
        if totals is None:
            raise refusals.NotFound("This order")
        return OrderTotals(
            subtotal=Money(totals.subtotal_cents),
            discount=Money(totals.discount_cents),
            discount_code=totals.discount_code,
            shipping=Money(totals.shipping_cents),
            tax=Money(totals.tax_cents),
            tax_included=totals.tax_included,
        )

    @strawberry.field(
        description="What its shopper sends back, oldest first. One statement for a whole page of orders."
    )
    async def returns(self, info: Info) -> list[AdminReturn]:
        returns = await info.context.load(queries.returns_by_order, self.placed.id) or []
        return [AdminReturn.of(each) for each in returns]

    @strawberry.field(description="Money that went back, oldest first. One statement for a whole page of orders.")
    async def refunds(self, info: Info) -> list[OrderRefund]:
        refunds = await info.context.load(admin_queries.refunds_by_order, self.placed.id) or []
        return [OrderRefund.of(each) for each in refunds]

    @strawberry.field(description="Its disputes, oldest first. One statement for a whole page of orders.")
    async def disputes(self, info: Info) -> list[OrderDispute]:
        return [
            OrderDispute(
                id=strawberry.ID(each.id),
                amount=Money(each.amount_cents),
                reason=each.reason,
                status=each.status,
                is_open=each.is_open,
                blocks_refunds=each.status not in REFUNDABLE_DISPUTES,
                answer_by=each.answer_by,
                created_at=each.at,
            )
            for each in await info.context.load(admin_queries.disputes_by_order, self.placed.id) or []
        ]

    @strawberry.field(description="What admins noted, oldest first. One statement for a whole page of orders.")
    async def notes(self, info: Info) -> list[OrderNote]:
        notes = await info.context.load(admin_queries.notes_by_order, self.placed.id) or []
        return [OrderNote.of(each) for each in notes]

    @strawberry.field(description="Who bought it; null when the account is gone. One statement for a whole page.")
    async def buyer(self, info: Info) -> OrderBuyer | None:
        row = await info.context.load(admin_queries.buyers_by_order, self.placed.id)
        if row is None:
            return None
        user_id, name, orders, spent = row
        return OrderBuyer(id=strawberry.ID(str(user_id)), name=name, order_count=orders, spent=Money(spent))

    @strawberry.field(description="The provider's names of its payment. One statement for a whole page of orders.")
    async def payment(self, info: Info) -> OrderPayment:
        session_id, intent_id = await info.context.load(admin_queries.payments_by_order, self.placed.id) or (None, None)
        return OrderPayment(session_id=session_id, intent_id=intent_id)

    @strawberry.field(
        description="Where a GET answers the packing slip as a PDF: of what is to be sent, of everything once all is "
        "sent, or with ?shipment= and its id of one shipment."
    )
    def packing_slip_url(self) -> URL:
        return URL(f"/orders/{self.placed.id}/packing-slip.pdf")

    @strawberry.field(
        description="Where a GET answers an address label as a PDF of 105 by 148 mm; with ?shipment= and its id it "
        "names carrier and tracking number."
    )
    def address_label_url(self) -> URL:
        return URL(f"/orders/{self.placed.id}/address-label.pdf")


if TYPE_CHECKING:
    AdminOrder: TypeAlias = OrdersOrderFields

WholeOrder = Annotated["AdminOrder", strawberry.lazy(MODULE)]


async def version_of(info: Info, placed: queries.PlacedOrder) -> str:
    """The version of an order, from the rows that this request shows."""
    records: list[object] = []
    for read in versions.RECORDS:
        records += await info.context.load(read, placed.id) or []
    return versions.version_of(placed, records)


def order_of(placed: queries.PlacedOrder) -> OrdersOrderFields:
    """The order as the type AdminOrder."""
    return OrdersOrderFields(
        id=strawberry.ID(str(placed.id)),
        number=placed.number,
        created_at=placed.created_at,
        email=placed.email,
        payment_status=PaymentStatus(placed.payment_status),
        fulfilment=FulfilmentStatus(placed.fulfilment),
        piece_count=sum(line.quantity for line in placed.lines),
        total_amount=Money(placed.total_cents),
        refunded_amount=Money(placed.refunded_cents),
        shipping_address=OrderAddress.of(placed.shipping_address),
        is_canceled=placed.canceled_at is not None,
        cancel_refusal=cancellations.refusal_to_shop(placed),
        placed=placed,
    )
