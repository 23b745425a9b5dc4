"""Orders in the GraphQL schema."""

from collections import Counter
from datetime import timedelta
from typing import Annotated
from uuid import UUID

import strawberry

from server.orders import errors, queries, returns
from server.orders.queries import OrderScope
from server.orders.types import Order
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.cursors import datetime_key, decode_cursor
from server.platform.core.text import parse_id
from server.platform.gql.pagination import After, Connection, First, connection
from server.platform.gql.permissions import SignedInOnly
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, InvalidInput, UserError
from server.shop import service as shop


@strawberry.type
class OrdersViewerFields:
    """The orders' fields of the type Viewer."""

    @strawberry.field(description="One's own orders, newest first. A page costs three statements.")
    async def orders(self, info: Info, first: First = 20, after: After = None) -> Connection[Order]:
        return await _connection(info, OrderScope(info.context.signed_in.user_id), first, after)

    @strawberry.field(description="One of one's own orders; null when there is no such.")
    async def order(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="An order's id.")]
    ) -> Order | None:
        try:
            return await find_node(info, parse_id(id))
        except refusals.NotFound:
            return None

    @strawberry.field(
        description="The order that a payment session became, for the return page; null while it is none, or somebody "
        "else's. Does not ask the provider, as `completeCheckout` does. Costs two statements."
    )
    async def order_of_session(
        self,
        info: Info,
        session_id: Annotated[
            strawberry.ID, strawberry.argument(description="From `startCheckout`, or the return page's address.")
        ],
    ) -> Order | None:
        async with reading(info.context) as session:
            row = await queries.order_of_session(session, session_id, info.context.signed_in.user_id)
        return Order.of(row) if row else None


@strawberry.type
class OrdersUserFields:
    """The orders' fields of the type User."""

    @strawberry.field(description="Orders of this account. One statement for a whole page of accounts.")
    async def order_count(self, info: Info) -> int:
        return await info.context.load(queries.counts_by_user, _user_id(self)) or 0

    @strawberry.field(description="Paid in all, less what was refunded. One statement for a whole page of accounts.")
    async def spent(self, info: Info) -> Money:
        return Money(await info.context.load(queries.spent_by_user, _user_id(self)) or 0)

    @strawberry.field(description="Orders of this account, newest first. A page costs three statements.")
    async def orders(self, info: Info, first: First = 20, after: After = None) -> Connection[Order]:
        return await _connection(info, OrderScope(_user_id(self)), first, after)


def _user_id(user: object) -> UUID:
    """The account's id. The type User belongs mostly to the identity domain."""
    user_id: str = getattr(user, "id")  # noqa: B009
    return UUID(user_id)


@strawberry.input(description="Pieces of one line of an order that shall go back.")
class ReturnLineInput:
    line_id: strawberry.ID = strawberry.field(description="The line's id.")
    quantity: int = strawberry.field(description="Pieces; at least 1, at most those that were sent and not asked for.")


@strawberry.type(description="Nothing of this order can be sent back.")
class NotReturnable(UserError): ...


RequestReturnResult = Annotated[
    Order | NotReturnable | InvalidInput,
    strawberry.union("RequestReturnResult", description="The order with the return in it, or why there is none."),
]


@strawberry.type
class OrdersMutations:
    """Requests of buyers about their orders."""

    @strawberry.mutation(
        permission_classes=[SignedInOnly],
        description="Asks to send pieces of an order back; the shop answers later. Somebody else's order or line is a "
        "NOT_FOUND error.",
    )
    async def request_return(
        self,
        info: Info,
        order_id: Annotated[strawberry.ID, strawberry.argument(description="One of the viewer's orders.")],
        lines: Annotated[list[ReturnLineInput], strawberry.argument(description="What goes back.")],
        reason: Annotated[str, strawberry.argument(description="Why, in up to 1,000 characters; may be empty.")] = "",
    ) -> RequestReturnResult:
        user_id, order = info.context.signed_in.user_id, parse_id(order_id, "This order")
        pieces = Counter[UUID]()
        for each in lines:
            pieces[parse_id(each.line_id, "This item")] += each.quantity
        within = timedelta(days=(await shop.current(info.context)).return_days)
        try:
            async with transaction(info.context) as session:
                await returns.request(session, order, user_id, pieces, reason, within=within)
        except errors.NotReturnable as error:
            return NotReturnable(message=str(error))
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        async with reading(info.context) as session:
            row = await queries.order(session, order, user_id=user_id)
        if row is None:
            raise refusals.NotFound("This order")
        return Order.of(row)


async def find_node(info: Info, node_id: UUID) -> Order | None:
    """One of the viewer's orders."""
    viewer = info.context.viewer
    if viewer is None:
        return None
    async with reading(info.context) as session:
        row = await queries.order(session, node_id, user_id=viewer.user_id)
    return Order.of(row) if row else None


async def _connection(info: Info, scope: OrderScope, first: int, after: str | None) -> Connection[Order]:
    return await connection(
        info,
        first,
        decode_cursor(after, datetime_key, UUID),
        lambda session, limit, place: queries.page(session, scope, limit=limit, after=place),
        lambda session: queries.total(session, scope),
        node=Order.of,
        place=lambda order: (order.created_at, order.id),
    )
