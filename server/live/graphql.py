"""Live events in the GraphQL schema."""

from collections.abc import AsyncGenerator
from typing import Annotated

import strawberry

from server.identity import browser_sessions
from server.identity import service as identity
from server.identity.admin import WholeUser, user_of
from server.live import service as live
from server.orders import queries as orders
from server.orders.types import Order
from server.platform.core.context import Context, reading, transaction
from server.platform.core.errors import Unauthenticated
from server.platform.core.viewer import Access
from server.platform.gql.permissions import AdminOnly
from server.platform.gql.types import Info
from server.shop import service as shop

LOOK_AGAIN_SECONDS = 60.0
"""How often a stream without events checks that its listener is still an admin."""


@strawberry.type(description="An order came in; its money may still be on its way.")
class OrderPlaced:
    order: Order = strawberry.field(description="As it is now.")


@strawberry.type(description="A variant of which few are left.")
class LowVariant:
    variant_id: strawberry.ID = strawberry.field(description="The variant's id.")
    product_id: strawberry.ID = strawberry.field(description="Its product's id.")
    name: str = strawberry.field(description="The product's name.")
    color: str = strawberry.field(description="In the product's own words.")
    size: str = strawberry.field(description='Its size, such as "M".')
    stock: int = strawberry.field(description="Pieces left to sell.")


@strawberry.type(description="Variants became low on stock: they fell to the shop's threshold or below it.")
class StockLow:
    variants: list[LowVariant] = strawberry.field(description="At least one; the fewest pieces first.")


@strawberry.type(description="Somebody asked for admin access.")
class AdminRequested:
    user: WholeUser = strawberry.field(description="Who asked; already decided about, perhaps, by now.")


@strawberry.type(description="Some events were missed, or were too many: read anew what you show.")
class EventsMissed:
    ok: bool = strawberry.field(default=True, description="Always true.")


AdminEvent = Annotated[
    OrderPlaced | StockLow | AdminRequested | EventsMissed,
    strawberry.union("AdminEvent", description="Something that just happened."),
]


@strawberry.type
class LiveSubscriptions:
    """The subscriptions of the back office."""

    @strawberry.subscription(
        permission_classes=[AdminOnly],
        description="What just happened, from now on. Ends with an error when the listener is an admin no longer.",
    )
    async def admin_events(self, info: Info) -> AsyncGenerator[AdminEvent, None]:
        context = info.context
        with context.resources.get(live.EventHub).listen() as listening:
            while True:
                news = await listening.next(LOOK_AGAIN_SECONDS)
                await _make_sure_of_admin(context)
                event = await _event(context, news)
                if event is not None:
                    yield event


async def _make_sure_of_admin(context: Context) -> None:
    """Reads the session anew. Raises Unauthenticated or Forbidden."""
    if context.token is None:
        raise Unauthenticated
    async with transaction(context) as session:
        context.viewer = await browser_sessions.viewer_of(context, session, context.token, is_active=False)
    Access.ADMIN.check(context.viewer)


async def _event(context: Context, news: live.News | None) -> AdminEvent | None:
    """The event as GraphQL sends it; None when its subject no longer matters."""
    match news:
        case live.OrderPlaced(order_id):
            async with reading(context) as session:
                placed = await orders.order(session, order_id)
            return OrderPlaced(order=Order.of(placed)) if placed else None
        case live.AdminRequested(user_id):
            user = await context.load(identity.by_ids, user_id)
            return AdminRequested(user=user_of(user)) if user else None
        case live.StockDropped(falls):
            threshold = (await shop.current(context)).low_stock_threshold
            async with reading(context) as session:
                low = await live.low_now(session, falls, threshold)
            return StockLow(variants=[_low(each) for each in low]) if low else None
        case live.MissedEvents():
            return EventsMissed()
    return None


def _low(row: live.LowVariant) -> LowVariant:
    return LowVariant(
        variant_id=strawberry.ID(str(row.variant_id)),
        product_id=strawberry.ID(str(row.product_id)),
        name=row.name,
        color=row.color,
        size=row.size,
        stock=row.stock,
    )
