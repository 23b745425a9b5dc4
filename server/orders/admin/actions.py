"""Mutations of admins on orders, without refunds: shipping, returns, notes."""

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Annotated
from uuid import UUID

import strawberry
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders import errors, fulfilment, notes, queries, returns
from server.orders.admin.order import OrdersOrderFields, WholeOrder, order_of
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.text import parse_id
from server.platform.gql.permissions import AdminOnly
from server.platform.gql.types import Info, InvalidInput, UserError
from server.shop import service as shop


@strawberry.type(description="It is done, and this is the order now.")
class OrderChanged:
    order: WholeOrder = strawberry.field(description="The order with the change in it.")


@strawberry.type(description="The order, the return or the refund is not in a state for this, or no longer.")
class OrderConflict(UserError): ...


@strawberry.type(
    description="Somebody else, the buyer or the provider changed the order after `version`; nothing was done."
)
class OrderChangedMeanwhile(UserError):
    changes: list[str] = strawberry.field(
        description='What has changed, in whole sentences: "A refund of $49.00 was requested by ada@shop.test."'
    )

    @classmethod
    def of(cls, error: errors.OrderChangedMeanwhile) -> "OrderChangedMeanwhile":
        """From the service's error."""
        return cls(message=str(error), changes=list(error.changes))


OrderActionResult = Annotated[
    OrderChanged | OrderChangedMeanwhile | OrderConflict | InvalidInput,
    strawberry.union("OrderActionResult", description="The changed order, or why nothing has changed."),
]
OrderId = Annotated[strawberry.ID, strawberry.argument(description="The order's id.")]
ReturnId = Annotated[strawberry.ID, strawberry.argument(description="The return's id.")]
ShipmentId = Annotated[strawberry.ID, strawberry.argument(description="The parcel's id.")]


SeenVersion = Annotated[
    str, strawberry.argument(description="`version` of the order as it was seen. Refused when the order has another.")
]


@strawberry.input(description="Pieces of a line.")
class LineQuantityInput:
    line_id: strawberry.ID = strawberry.field(description="The order's line.")
    quantity: int = strawberry.field(description="Pieces.")


@strawberry.input(description="How a parcel travels.")
class TrackingInput:
    carrier: str = strawberry.field(description='Who brings it; one of `admin.carriers`, or any other: "UPS".')
    tracking_number: str = strawberry.field(default="", description="What the carrier calls it; may be empty.")
    tracking_url: str = strawberry.field(
        default="", description="Where it can be followed; found from the number for carriers that are known."
    )

    def tracking(self) -> fulfilment.ShipmentTracking:
        """The tracking for the service."""
        return fulfilment.ShipmentTracking(self.carrier, self.tracking_number, self.tracking_url)


@strawberry.input(description="A parcel that leaves the shop.")
class ShipmentInput(TrackingInput):
    lines: list[LineQuantityInput] | None = strawberry.field(
        default=None, description="What is in it; left out, all that waits."
    )


@strawberry.input(description="What the buyer is told about an accepted return.")
class AcceptReturnInput:
    words: str = strawberry.field(default="", description="To the buyer, up to 1,000 characters.")
    label_url: str = strawberry.field(default="", description="Where the label can be printed.")


@strawberry.input(description="Pieces of a returned line that arrived.")
class ReceivedLineInput:
    line_id: strawberry.ID = strawberry.field(description="The order's line.")
    quantity: int = strawberry.field(description="Pieces that were in the parcel.")
    restock: int = strawberry.field(default=0, description="Pieces of those that go on the shelf again.")


@strawberry.type
class OrderAdminMutations:
    """Shipping, returns and notes."""

    @strawberry.mutation(
        permission_classes=[AdminOnly],
        description="Sends pieces of an order in a parcel; the buyer gets a mail with the way to follow it. Pieces "
        "that somebody else has just sent are refused, not sent twice.",
    )
    async def ship_order(
        self,
        info: Info,
        id: OrderId,
        version: SeenVersion,
        input: Annotated[ShipmentInput, strawberry.argument(description="The parcel.")],
    ) -> OrderActionResult:
        order, pieces = parse_id(id, "This order"), None if input.lines is None else pieces_of(input.lines)
        actor, shop_url = info.context.signed_in, info.context.site.public_url

        async def send(session: AsyncSession) -> UUID:
            await fulfilment.ship(
                session, order, pieces, input.tracking(), actor=actor, shop_url=shop_url, seen=version
            )
            return order

        return await changed(info, send)

    @strawberry.mutation(
        permission_classes=[AdminOnly],
        description="Says anew how a parcel travels; the buyer gets a mail when that changes anything.",
    )
    async def update_shipment(
        self,
        info: Info,
        id: ShipmentId,
        version: SeenVersion,
        input: Annotated[TrackingInput, strawberry.argument(description="How it travels.")],
    ) -> OrderActionResult:
        shipment, actor = parse_id(id, "This parcel"), info.context.signed_in
        shop_url = info.context.site.public_url

        async def correct(session: AsyncSession) -> UUID:
            tracking = input.tracking()
            order = await fulfilment.correct(session, shipment, tracking, actor=actor, shop_url=shop_url, seen=version)
            return order.id

        return await changed(info, correct)

    @strawberry.mutation(
        permission_classes=[AdminOnly], description="Notes that a parcel has arrived. Asking again changes nothing."
    )
    async def mark_delivered(self, info: Info, id: ShipmentId, version: SeenVersion) -> OrderActionResult:
        shipment, actor = parse_id(id, "This parcel"), info.context.signed_in

        async def deliver(session: AsyncSession) -> UUID:
            return (await fulfilment.deliver(session, shipment, actor=actor, seen=version)).id

        return await changed(info, deliver)

    @strawberry.mutation(
        permission_classes=[AdminOnly], description="Writes a note for other admins. The buyer never sees it."
    )
    async def create_order_note(
        self,
        info: Info,
        order_id: OrderId,
        version: SeenVersion,
        text: Annotated[str, strawberry.argument(description="In up to 2,000 characters.")],
    ) -> OrderActionResult:
        order, actor = parse_id(order_id, "This order"), info.context.signed_in

        async def note(session: AsyncSession) -> UUID:
            await notes.add(session, order, text, actor=actor, seen=version)
            return order

        return await changed(info, note)

    @strawberry.mutation(
        permission_classes=[AdminOnly],
        description="Tells the buyer to send the pieces of a return to the shop's address, with words and a label.",
    )
    async def accept_return(
        self,
        info: Info,
        id: ReturnId,
        version: SeenVersion,
        input: Annotated[AcceptReturnInput, strawberry.argument(description="The answer to the buyer.")],
    ) -> OrderActionResult:
        returned, actor = parse_id(id, "This return"), info.context.signed_in
        send_to = (await shop.current(info.context)).seller.splitlines()
        shop_url = info.context.site.public_url

        async def accept(session: AsyncSession) -> UUID:
            order = await returns.accept(
                session,
                returned,
                input.words,
                input.label_url,
                send_to=send_to,
                actor=actor,
                shop_url=shop_url,
                seen=version,
            )
            return order.id

        return await changed(info, accept)

    @strawberry.mutation(
        permission_classes=[AdminOnly], description="Tells the buyer why the pieces of a return cannot come back."
    )
    async def refuse_return(
        self,
        info: Info,
        id: ReturnId,
        version: SeenVersion,
        words: Annotated[str, strawberry.argument(description="To the buyer, up to 1,000 characters.")],
    ) -> OrderActionResult:
        returned, actor = parse_id(id, "This return"), info.context.signed_in
        shop_url = info.context.site.public_url

        async def refuse(session: AsyncSession) -> UUID:
            refused = await returns.refuse(session, returned, words, actor=actor, shop_url=shop_url, seen=version)
            return refused.id

        return await changed(info, refuse)

    @strawberry.mutation(
        permission_classes=[AdminOnly],
        description="Notes what of a return was in the parcel, and puts on the shelf what can be sold again. The buyer "
        "gets a mail; the money goes back with `refundReturn`.",
    )
    async def receive_return(
        self,
        info: Info,
        id: ReturnId,
        version: SeenVersion,
        lines: Annotated[
            list[ReceivedLineInput] | None,
            strawberry.argument(description="What came; left out, all of it, and all of it can be sold again."),
        ] = None,
    ) -> OrderActionResult:
        returned, actor = parse_id(id, "This return"), info.context.signed_in
        shop_url = info.context.site.public_url
        arrived = None
        if lines is not None:
            arrived = {
                parse_id(each.line_id, "This item"): returns.ReceivedQuantity(each.quantity, each.restock)
                for each in lines
            }

        async def receive(session: AsyncSession) -> UUID:
            if lines is not None and len(lines) > len(arrived or ()):
                raise refusals.InvalidInput({"lines": "An item is named twice"})
            received = await returns.receive(session, returned, arrived, actor=actor, shop_url=shop_url, seen=version)
            return received.id

        return await changed(info, receive)


async def changed(info: Info, work: Callable[[AsyncSession], Awaitable[UUID]]) -> OrderActionResult:
    """Runs `work` in a transaction of its own; returns the changed order, or the refusal as data."""
    try:
        async with transaction(info.context) as session:
            order_id = await work(session)
    except errors.OrderChangedMeanwhile as error:
        return OrderChangedMeanwhile.of(error)
    except errors.NotCancelable as error:
        return OrderConflict(message=str(error))
    except refusals.InvalidInput as error:
        return InvalidInput.of(error)
    return OrderChanged(order=await present(info, order_id))


async def present(info: Info, order_id: UUID) -> OrdersOrderFields:
    """The order. Raises NotFound."""
    async with reading(info.context) as session:
        placed = await queries.order(session, order_id)
    if placed is None:
        raise refusals.NotFound("This order")
    return order_of(placed)


def pieces_of(lines: list[LineQuantityInput]) -> dict[UUID, int]:
    """The total quantity by line. Raises NotFound for malformed ids."""
    pieces = Counter[UUID]()
    for each in lines:
        pieces[parse_id(each.line_id, "This item")] += each.quantity
    return dict(pieces)
