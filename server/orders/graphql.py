"""Orders in the schema."""

from datetime import datetime
from enum import Enum
from typing import Annotated, Any
from uuid import UUID

import strawberry

from server.core import errors as refusals
from server.core.context import reading
from server.core.graphql import (
    Connection,
    Edge,
    Info,
    Money,
    decode_cursor,
    encode_cursor,
    page_info,
    page_size,
    parse_id,
)
from server.media.graphql import Image
from server.orders import queries
from server.orders.checkouts import ADDRESS_FIELDS
from server.orders.queries import Wanted

First = Annotated[int, strawberry.argument(description="How many at most; 1 to 100.")]
After = Annotated[str | None, strawberry.argument(description="Go on behind this cursor.")]


@strawberry.enum(description="What became of an order's money.")
class PaymentStatus(Enum):
    PAID = strawberry.enum_value("paid", description="The money is here.")
    PROCESSING = strawberry.enum_value("processing", description="The money is on its way; a mail follows.")
    FAILED = strawberry.enum_value("failed", description="The money did not come; nothing was charged.")
    REFUNDED = strawberry.enum_value("refunded", description="All of it was paid back.")
    PARTIALLY_REFUNDED = strawberry.enum_value("partially_refunded", description="Part of it was paid back.")


@strawberry.type(description="Where an order goes: a copy, unchanged by later edits of the address.")
class OrderAddress:
    name: str = strawberry.field(description="Who gets the parcel.")
    address1: str = strawberry.field(description="Street and number.")
    address2: str = strawberry.field(description="What the street does not say; often empty.")
    city: str = strawberry.field(description="Town.")
    country: str = strawberry.field(description="Country, in the shopper's words.")
    postal_code: str = strawberry.field(description="Empty where there is none.")
    phone: str = strawberry.field(description="For the carrier.")


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
    product_id: strawberry.ID | None = strawberry.field(
        description="For a link to the product as it is now, which may be sold no longer; null when it is unknown."
    )

    @classmethod
    def of(cls, line: queries.Line) -> "OrderLine":
        return cls(
            id=strawberry.ID(str(line.id)),
            name=line.name or None,
            image=_image(line),
            color=line.color,
            size=line.size,
            quantity=line.quantity,
            price=Money(line.unit_price_cents),
            total=Money(line.unit_price_cents * line.quantity),
            product_id=strawberry.ID(str(line.product_id)) if line.product_id else None,
        )


@strawberry.type(description="A purchase, as it was sold.")
class Order:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    number: str = strawberry.field(description='What a shopper quotes: "M-10001".')
    created_at: datetime = strawberry.field(description="When it was placed.")
    payment_status: PaymentStatus = strawberry.field(description="What became of its money.")
    lines: list[OrderLine] = strawberry.field(description="In the order that the cart had.")
    total_amount: Money = strawberry.field(description="What was charged.")
    refunded_amount: Money = strawberry.field(description="What has been paid back of it.")
    shipping_address: OrderAddress = strawberry.field(description="Where it goes.")

    @classmethod
    def of(cls, order: queries.Placed) -> "Order":
        return cls(
            id=strawberry.ID(str(order.id)),
            number=order.number,
            created_at=order.created_at,
            payment_status=PaymentStatus(order.payment_status),
            lines=[OrderLine.of(line) for line in order.lines],
            total_amount=Money(order.total_cents),
            refunded_amount=Money(order.refunded_cents),
            shipping_address=OrderAddress(**{name: order.shipping_address.get(name, "") for name in ADDRESS_FIELDS}),
        )


@strawberry.type
class ViewerFields:
    """This domain's share of the type Viewer."""

    @strawberry.field(description="One's own orders, newest first. A page costs three statements.")
    async def orders(self, info: Info, first: First = 20, after: After = None) -> Connection[Order]:
        return await _connection(info, Wanted(info.context.signed_in.user_id), first, after)

    @strawberry.field(description="One of one's own orders; null when there is no such.")
    async def order(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="An order's id.")]
    ) -> Order | None:
        try:
            order_id = parse_id(id)
        except refusals.NotFound:
            return None
        async with reading(info.context) as session:
            found = await queries.order(session, order_id, user_id=info.context.signed_in.user_id)
        return Order.of(found) if found else None


@strawberry.type
class UserFields:
    """This domain's share of the type User."""

    @strawberry.field(description="Orders of this account. One statement for a whole page of accounts.")
    async def order_count(self, info: Info) -> int:
        user_id: Any = getattr(self, "id")  # noqa: B009, the id is the identity domain's share of the type
        return await info.context.load(queries.counts_by_user, UUID(user_id)) or 0


@strawberry.type
class AdminFields:
    """This domain's share of the back office."""

    @strawberry.field(description="Everybody's orders, newest first.")
    async def orders(
        self,
        info: Info,
        search: Annotated[
            str | None, strawberry.argument(description='A number ("M-10001") or part of the buyer\'s e-mail.')
        ] = None,
        first: First = 50,
        after: After = None,
    ) -> Connection[Order]:
        return await _connection(info, Wanted(search=search), first, after)


async def _connection(info: Info, wanted: Wanted, first: int, after: str | None) -> Connection[Order]:
    first, place = page_size(first), _place(after)
    async with reading(info.context) as session:
        found = await queries.page(session, wanted, limit=first + 1, after=place)
        total = await queries.total(session, wanted)
    shown = found[:first]
    nodes = [Order.of(order) for order in shown]
    cursors = [encode_cursor(order.created_at, order.id) for order in shown]
    return Connection(
        nodes=nodes,
        edges=[Edge(node=node, cursor=cursor) for node, cursor in zip(nodes, cursors, strict=True)],
        page_info=page_info(cursors, has_next=len(found) > first, has_previous=place is not None),
        total_count=total,
    )


def _place(cursor: str | None) -> queries.Place | None:
    """Raises InvalidInput for a cursor of another list."""
    parts = decode_cursor(cursor, 2)
    if parts is None:
        return None
    try:
        created_at, order_id = datetime.fromisoformat(parts[0]), UUID(parts[1])
    except ValueError as error:
        raise refusals.InvalidInput({"after": "This cursor is not one of this list's."}) from error
    if created_at.tzinfo is None:
        raise refusals.InvalidInput({"after": "This cursor is not one of this list's."})
    return created_at, order_id


def _image(line: queries.Line) -> Image | None:
    if line.picture is None:
        return None
    picture = line.picture
    return Image.of(picture.id, picture.width, picture.height, picture.placeholder, f"{line.name}, {line.color}")
