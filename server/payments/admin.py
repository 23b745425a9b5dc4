"""Refunds and the shop's cancellations in the GraphQL schema, for admins."""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

import strawberry
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders import errors, fulfilment, queries
from server.orders.admin.actions import (
    LineQuantityInput,
    OrderActionResult,
    OrderChanged,
    OrderChangedMeanwhile,
    OrderConflict,
    OrderId,
    ReturnId,
    SeenVersion,
    changed,
    pieces_of,
    present,
)
from server.orders.admin.order import WholeOrder
from server.orders.models import Order, OrderLine
from server.orders.service import CheckoutOutcome
from server.payments import cancellations, order_refunds, service
from server.payments.errors import NotRetriable, PaymentProviderDown
from server.payments.order_refunds import RefundableOrder, RefundRequest
from server.payments.refunds import RefundTooLarge
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.jobs import JobEnvironment
from server.platform.core.text import parse_id
from server.platform.gql.permissions import AdminOnly, RecentSignIn
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, InvalidInput, Success, UserError

NOT_CLOSED = "The payment could not be closed, because the payment provider does not answer. Please try again."
PAID_BACK = "It was paid, but could not become an order. The money goes back by itself."


@strawberry.type(description="More than is left of what was paid; nothing went back.")
class OverRefund(UserError):
    left: Money = strawberry.field(description="What can still be paid back.")


RefundOrderResult = Annotated[
    OrderChanged | OrderChangedMeanwhile | OverRefund | OrderConflict | InvalidInput,
    strawberry.union("RefundOrderResult", description="The order with the refund in it, or why there is none."),
]


@strawberry.type(description="The refund was dealt with; it belongs to a payment that became no order.")
class RefundSettled(Success): ...


SettleRefundResult = Annotated[
    OrderChanged | RefundSettled | OrderChangedMeanwhile | OverRefund | OrderConflict | InvalidInput,
    strawberry.union("SettleRefundResult", description="What became of a failed refund."),
]


@strawberry.type(description="The payment is closed at the provider, and the pieces can be bought again.")
class ReservationReleased(Success): ...


@strawberry.type(description="The shopper had confirmed the payment before it could be closed: this is the order.")
class ReservationOrdered:
    order: WholeOrder = strawberry.field(description="The order that the payment became.")


@strawberry.type(description="The reservation cannot be ended, or not now.")
class ReservationNotReleased(UserError): ...


ReleaseReservationResult = Annotated[
    ReservationReleased | ReservationOrdered | ReservationNotReleased,
    strawberry.union("ReleaseReservationResult", description="What became of a reservation that was to be ended."),
]


@strawberry.type(description="What of a line can still be paid back.")
class RefundableLine:
    line_id: strawberry.ID = strawberry.field(description="The order's line.")
    quantity: int = strawberry.field(description="Pieces.")


@strawberry.type(description="What of an order can still be paid back.")
class RefundableParts:
    amount: Money = strawberry.field(description="All of it.")
    shipping: Money = strawberry.field(description="How much of that is for the delivery.")
    lines: list[RefundableLine] = strawberry.field(
        description="Lines with pieces that have money left, or that have not been sent and can be called off."
    )


@strawberry.type
class PaymentsOrderFields:
    """The payments' fields of the type AdminOrder."""

    @strawberry.field(description="What can still be paid back. Four statements, for a single order.")
    async def refundable(self, info: Info) -> RefundableParts:
        async with reading(info.context) as session:
            state = await _rest(session, _id_of(self))
        pieces = order_refunds.refundable_pieces(state.order, state.lines, state.rest)
        return RefundableParts(
            amount=Money(state.rest.cents),
            shipping=Money(state.rest.shipping_cents),
            lines=[
                RefundableLine(line_id=strawberry.ID(str(line_id)), quantity=number)
                for line_id, number in pieces.items()
            ],
        )

    @strawberry.field(
        description="What a refund of these pieces and this share of the delivery would come to: each line's share of "
        "discount and tax goes with it, at most what is left of the payment. What was withheld from earlier refunds is "
        "not in it. 0 where only unsent pieces would be called off. Null when it cannot be."
    )
    async def refund_quote(
        self,
        info: Info,
        lines: Annotated[list[LineQuantityInput], strawberry.argument(description="Pieces of its lines.")],
        shipping: Annotated[Money, strawberry.argument(description="Of the delivery.")] = Money(0),  # noqa: B008
    ) -> Money | None:
        wish = RefundRequest(pieces=pieces_of(lines), shipping_cents=int(shipping))
        async with reading(info.context) as session:
            state = await _rest(session, _id_of(self))
        try:
            return Money(order_refunds.quote(state.order, state.lines, state.rest, wish).cents)
        except (RefundTooLarge, refusals.InvalidInput, refusals.NotFound):
            return None


@strawberry.input(description="Pieces of a line whose money goes back.")
class RefundLineInput(LineQuantityInput):
    restock: bool | None = strawberry.field(
        default=None,
        description="Whether they go on the shelf again; left out, those do that have not been sent, as it is when the "
        "refund is made.",
    )


@strawberry.input(description="What shall be paid back of an order.")
class RefundInput:
    lines: list[RefundLineInput] = strawberry.field(
        default_factory=list,
        description="Pieces of its lines; those that have not been sent will not be, also where they cost nothing.",
    )
    shipping: Money = strawberry.field(default=Money(0), description="How much of the delivery.")
    amount: Money | None = strawberry.field(
        default=None, description="Another sum than pieces and delivery come to, or one without either."
    )
    reason: str = strawberry.field(default="", description="A whole sentence for the buyer, up to 500 characters.")
    key: str | None = strawberry.field(
        default=None, description="Made up by the client: the same key again is the same refund, not another one."
    )

    def wish(self) -> RefundRequest:
        """The request for the service."""
        not_restocked = [
            LineQuantityInput(line_id=line.line_id, quantity=0) for line in self.lines if line.restock is False
        ]
        return RefundRequest(
            pieces=pieces_of(list(self.lines)),
            restocked=pieces_of([*not_restocked, *(line for line in self.lines if line.restock)]),
            shipping_cents=int(self.shipping),
            amount_cents=None if self.amount is None else int(self.amount),
            reason=self.reason,
            key=self.key,
        )


@strawberry.input(description="What shall be paid back for a return, beside the pieces that came.")
class RefundReturnInput:
    shipping: Money = strawberry.field(default=Money(0), description="How much of the delivery.")
    amount: Money | None = strawberry.field(
        default=None, description="Another sum than the pieces come to, as for worn ones."
    )
    reason: str = strawberry.field(default="", description="A sentence for the buyer; may be empty.")
    key: str | None = strawberry.field(default=None, description="The same key again is the same refund.")

    def wish(self) -> RefundRequest:
        """The request for the service."""
        return RefundRequest(
            shipping_cents=int(self.shipping),
            amount_cents=None if self.amount is None else int(self.amount),
            reason=self.reason,
            key=self.key,
        )


RefundId = Annotated[strawberry.ID, strawberry.argument(description="The refund's id.")]
OfRefund = Annotated[
    str | None,
    strawberry.argument(
        description="`version` of the refund's order as it was seen; refused when the order has another. Null where "
        "the payment became no order."
    ),
]
RefundVersion = Annotated[
    str,
    strawberry.argument(
        description="`version` of the order as it was seen. Refused when the order has another, unless `key` is known."
    ),
]


@strawberry.type
class PaymentsAdminMutations:
    """Refunds and cancellations by admins."""

    @strawberry.mutation(
        permission_classes=[AdminOnly, RecentSignIn],
        description="Pays back pieces, delivery or a sum. The money is sent by itself; a mail tells the buyer when it "
        "has left. Never more than was paid, nor for more pieces than were bought, whoever else refunds just now.",
    )
    async def refund_order(
        self,
        info: Info,
        id: OrderId,
        version: RefundVersion,
        input: Annotated[RefundInput, strawberry.argument(description="What goes back.")],
    ) -> RefundOrderResult:
        order_id, actor, wish = parse_id(id, "This order"), info.context.signed_in, input.wish()
        try:
            async with transaction(info.context) as session:
                await order_refunds.refund(session, order_id, wish, actor=actor, seen=version)
        except errors.OrderChangedMeanwhile as error:
            return OrderChangedMeanwhile.of(error)
        except RefundTooLarge as error:
            return _over(error)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return OrderChanged(order=await present(info, order_id))

    @strawberry.mutation(
        permission_classes=[AdminOnly, RecentSignIn],
        description="Pays for what came back with a return; with it the return is done, also where nothing is left to "
        "pay.",
    )
    async def refund_return(
        self,
        info: Info,
        id: ReturnId,
        version: RefundVersion,
        input: Annotated[RefundReturnInput, strawberry.argument(description="What goes back.")],
    ) -> RefundOrderResult:
        returned, actor, wish = parse_id(id, "This return"), info.context.signed_in, input.wish()
        try:
            async with transaction(info.context) as session:
                await order_refunds.refund_return(session, returned, wish, actor=actor, seen=version)
                order_id = await order_refunds.order_of_return(session, returned)
        except errors.OrderChangedMeanwhile as error:
            return OrderChangedMeanwhile.of(error)
        except RefundTooLarge as error:
            return _over(error)
        except errors.NotCancelable as error:
            return OrderConflict(message=str(error))
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return OrderChanged(order=await present(info, order_id))

    @strawberry.mutation(
        permission_classes=[AdminOnly, RecentSignIn],
        description="Asks once more for the money of a refund that failed. Twice is refused, not paid twice.",
    )
    async def retry_refund(self, info: Info, id: RefundId, version: OfRefund = None) -> SettleRefundResult:
        refund_id, actor = parse_id(id, "This refund"), info.context.signed_in
        try:
            async with transaction(info.context) as session:
                order_id = (await order_refunds.retry(session, refund_id, actor=actor, seen=version or "")).order_id
        except errors.OrderChangedMeanwhile as error:
            return OrderChangedMeanwhile.of(error)
        except RefundTooLarge as error:
            return _over(error)
        except NotRetriable as error:
            return OrderConflict(message=str(error))
        return OrderChanged(order=await present(info, order_id)) if order_id else RefundSettled()

    @strawberry.mutation(
        permission_classes=[AdminOnly, RecentSignIn],
        description="Says that a failed refund needs nothing more, because the money went another way.",
    )
    async def settle_refund(
        self,
        info: Info,
        id: RefundId,
        words: Annotated[str, strawberry.argument(description="How it went, for the log; up to 500 characters.")],
        version: OfRefund = None,
    ) -> SettleRefundResult:
        refund_id, actor = parse_id(id, "This refund"), info.context.signed_in
        try:
            async with transaction(info.context) as session:
                order_id = (
                    await order_refunds.close(session, refund_id, words, actor=actor, seen=version or "")
                ).order_id
        except errors.OrderChangedMeanwhile as error:
            return OrderChangedMeanwhile.of(error)
        except NotRetriable as error:
            return OrderConflict(message=str(error))
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return OrderChanged(order=await present(info, order_id)) if order_id else RefundSettled()

    @strawberry.mutation(
        permission_classes=[AdminOnly],
        description="Closes an open checkout's payment at the provider, then releases its pieces. Asking again changes "
        "nothing. The shopper may begin another checkout.",
    )
    async def release_reservation(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="The reservation's id.")]
    ) -> ReleaseReservationResult:
        checkout_id, env = (
            parse_id(id, "This reservation"),
            JobEnvironment(info.context.sessions, info.context.resources),
        )
        try:
            settled = await service.end_reservation(env, checkout_id, actor=info.context.signed_in)
        except PaymentProviderDown:
            return ReservationNotReleased(message=NOT_CLOSED)
        info.context.forget_loaded()
        if settled.outcome is CheckoutOutcome.RELEASED:
            return ReservationReleased()
        if settled.order is not None:
            return ReservationOrdered(order=await present(info, settled.order.id))
        return ReservationNotReleased(
            message=PAID_BACK if settled.outcome is CheckoutOutcome.UNFULFILLABLE else NOT_CLOSED
        )

    @strawberry.mutation(
        permission_classes=[AdminOnly, RecentSignIn],
        description="Calls off an order of which nothing has been sent: its pieces go back on the shelf, all its money "
        "to the card, and the buyer reads why. Asking again changes nothing.",
    )
    async def cancel_order_as_shop(
        self,
        info: Info,
        id: OrderId,
        version: SeenVersion,
        reason: Annotated[str, strawberry.argument(description="A whole sentence for the buyer.")],
    ) -> OrderActionResult:
        order, actor = parse_id(id, "This order"), info.context.signed_in
        shop_url = info.context.site.public_url

        async def cancel(session: AsyncSession) -> UUID:
            await cancellations.cancel_as_shop(session, order, reason, actor=actor, shop_url=shop_url, seen=version)
            return order

        return await changed(info, cancel)


@dataclass(frozen=True)
class _Known:
    order: Order
    lines: dict[UUID, OrderLine]
    rest: RefundableOrder


async def _rest(session: AsyncSession, order_id: UUID) -> _Known:
    order = await order_refunds.found(session, order_id)
    lines = await fulfilment.lines_of(session, order_id)
    return _Known(order, lines, await order_refunds.refundable(session, order, lines))


def _id_of(order: object) -> UUID:
    """The order's id. The type AdminOrder belongs mostly to the orders domain."""
    placed: queries.PlacedOrder = order.placed  # type: ignore[attr-defined]
    return placed.id


def _over(error: RefundTooLarge) -> OverRefund:
    return OverRefund(message=str(error), field="amount", left=Money(error.left_cents))
