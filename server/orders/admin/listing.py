"""Lists of orders in the back office: search, filters, and what needs attention."""

from collections.abc import Callable
from datetime import date, datetime
from enum import Enum
from typing import Annotated, cast
from uuid import UUID

import strawberry

from server.orders import admin_queries, carriers, payment_issues, queries
from server.orders.admin.order import WholeOrder, order_of, version_of
from server.orders.reading import note_reading
from server.orders.states import FulfilmentStatus, PaymentStatus
from server.platform.core import days
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.cursors import datetime_key, decode_cursor, integer_key
from server.platform.core.text import parse_id
from server.platform.gql.pagination import After, Connection, First, connection
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, enum_value
from server.shop import service as shop


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
        name="from", default=None, description="Placed on this day or later, in the shop's time zone."
    )
    last_day: date | None = strawberry.field(
        name="to", default=None, description="Placed on this day or earlier, in the shop's time zone."
    )

    def criteria(self, time_zone: str) -> admin_queries.AdminOrderFilter:
        """The filter for the query, with days of this time zone."""
        since, before = days.bounds_of(self.first_day, self.last_day, time_zone)
        return admin_queries.AdminOrderFilter(
            search=self.search or "",
            payment_statuses=tuple(each.value for each in self.payment_status or ()),
            fulfilments=tuple(each.value for each in self.fulfilment or ()),
            to_ship=self.to_ship,
            open_returns=self.open_returns,
            user_id=parse_id(self.buyer_id, "This account") if self.buyer_id else None,
            since=since,
            before=before,
        )


@strawberry.type(description="What of the orders waits for somebody.")
class OrderQueue:
    to_ship: int = strawberry.field(description="Orders that are paid and not all sent.")
    returns: int = strawberry.field(description="Returns that are not done.")
    trouble: int = strawberry.field(description="Payments that need a person: see `paymentTroubles(openOnly: true)`.")


@strawberry.enum(description="What is wrong with a payment.")
class PaymentIssueKind(Enum):
    UNFULFILLABLE = enum_value("unfulfillable", "It was paid, but no order could come of it; the money goes back.")
    REFUND_FAILED = enum_value("refund_failed", "Money should go back, and did not.")
    DISPUTED = enum_value("disputed", "The buyer's bank takes it back, or asks to.")


@strawberry.type(description="A payment that a person has to look at, or had to.")
class PaymentIssue:
    id: strawberry.ID = strawberry.field(
        description="Opaque. Of a failed refund, its id for `retryRefund` and `settleRefund`."
    )
    kind: PaymentIssueKind = strawberry.field(description="What is wrong.")
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
    placed_id: strawberry.Private[UUID | None]

    @strawberry.field(
        description="`version` of the order, for `retryRefund` and `settleRefund`; null when there is none. Seven "
        "statements for a whole page."
    )
    async def order_version(self, info: Info) -> str | None:
        if self.placed_id is None:
            return None
        placed = await info.context.load(queries.by_ids, self.placed_id)
        return await version_of(info, placed) if placed else None

    @classmethod
    def of(cls, trouble: payment_issues.PaymentIssueRow) -> "PaymentIssue":
        """From the query's row."""
        return cls(
            id=strawberry.ID(trouble.id),
            kind=PaymentIssueKind(trouble.kind),
            at=trouble.at,
            amount=Money(trouble.amount_cents),
            email=trouble.email,
            order_id=strawberry.ID(str(trouble.order_id)) if trouble.order_id else None,
            order_number=f"M-{trouble.number}" if trouble.number else None,
            status=trouble.status,
            reason=trouble.reason,
            payment_intent_id=trouble.payment_intent_id,
            placed_id=trouble.order_id,
        )


@strawberry.type
class OrderListAdminFields:
    """The orders' fields of the back office."""

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
        time_zone = (await shop.current(info.context)).time_zone
        criteria, order = (filter or OrderFilter()).criteria(time_zone), cast(admin_queries.Sort, sort.value)
        key: Callable[[str], int | datetime] = integer_key(bits=64) if sort in _BY_TOTAL else datetime_key
        return await connection(
            info,
            first,
            decode_cursor(after, key, UUID),
            lambda session, limit, place: admin_queries.page(session, criteria, order, limit=limit, after=place),
            lambda session: admin_queries.total(session, criteria),
            node=order_of,
            place=lambda placed: (_key(sort, placed), placed.id),
            within=transaction,
        )

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
        if placed is None:
            return None
        await note_reading(info.context, placed)
        return order_of(placed)

    @strawberry.field(description="What of the orders waits for somebody. One statement.")
    async def order_queue(self, info: Info) -> OrderQueue:
        async with reading(info.context) as session:
            queue = await admin_queries.queue(session)
        return OrderQueue(to_ship=queue.to_ship, returns=queue.returns, trouble=queue.trouble)

    @strawberry.field(description="Payments that something is wrong with, the latest first.")
    async def payment_troubles(
        self,
        info: Info,
        open_only: Annotated[bool, strawberry.argument(description="Without those that are settled.")] = True,
        first: First = 50,
        after: After = None,
    ) -> Connection[PaymentIssue]:
        return await connection(
            info,
            first,
            decode_cursor(after, datetime_key, str),
            lambda session, limit, place: payment_issues.troubles(
                session, open_only=open_only, limit=limit, after=place
            ),
            lambda session: payment_issues.number_of_troubles(session, open_only=open_only),
            node=PaymentIssue.of,
            place=lambda each: (each.at, each.id),
        )

    @strawberry.field(description="Carriers whose parcels the shop can find by their number alone.")
    def carriers(self) -> list[str]:
        return list(carriers.FOLLOWED_AT)


_BY_TOTAL = (OrderSort.HIGHEST_TOTAL, OrderSort.LOWEST_TOTAL)


def _key(sort: OrderSort, placed: queries.PlacedOrder) -> int | datetime:
    return placed.total_cents if sort in _BY_TOTAL else placed.created_at
