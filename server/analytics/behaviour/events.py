"""Events of visits, stored without anything that identifies the visitor."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from uuid import UUID

import orjson
from sqlalchemy import Date, cast, delete, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import visit_sums
from server.analytics.models import AnalyticsState, ShopEvent
from server.platform.core import clock
from server.platform.core.db import begin
from server.platform.core.jobs import JobEnvironment

KEPT = timedelta(days=760)
"""Two years and a month, so that a year can be compared with the one before."""

LINKED = timedelta(hours=23)
"""How long a visit's checkout is stored. The hourly job deletes the link within a day."""

# Unknown products and checkouts are left out. An event that a visit has already reported on the same day is not stored
# again: reports count the visits that reached a step, not how often.
_RECORD = text(
    """
    INSERT INTO shop_events (at, local_at, visit, kind, product_id, category, checkout_id)
    SELECT event.at, event.at AT TIME ZONE (SELECT time_zone FROM analytics_state), :visit, event.kind,
        products.id, products.category, checkouts.id
    FROM jsonb_to_recordset(CAST(:events AS jsonb)) AS event (
        at timestamptz, kind text, product uuid, session text
    )
    JOIN products ON products.id = event.product
    LEFT JOIN checkouts ON checkouts.stripe_session_id = event.session
    WHERE (event.kind <> 'checkout' OR checkouts.id IS NOT NULL) AND NOT EXISTS (
        SELECT FROM shop_events told
        WHERE told.visit = :visit AND told.kind = event.kind AND told.product_id = products.id
            AND told.local_at::date = (event.at AT TIME ZONE (SELECT time_zone FROM analytics_state))::date
    )
    ON CONFLICT DO NOTHING
    """
)

# The payments in the view `visit_events` are the same before and after.
_CUT = text(
    """
    WITH cut AS (
        UPDATE shop_events SET checkout_id = NULL WHERE checkout_id IS NOT NULL AND at < :before
        RETURNING old.checkout_id, visit, product_id, category
    )
    INSERT INTO shop_events (at, local_at, visit, kind, product_id, category)
    SELECT orders.paid_at, orders.paid_at AT TIME ZONE (SELECT time_zone FROM analytics_state), cut.visit, 'paid',
        cut.product_id, cut.category
    FROM cut JOIN orders USING (checkout_id)
    WHERE orders.paid_at IS NOT NULL
    """
)


@dataclass(frozen=True)
class VisitEvent:
    """One event about some products. `session` is the provider session, for a checkout only."""

    kind: str
    products: tuple[UUID, ...]
    seconds_ago: float = 0.0
    session: str | None = None


async def rows_of_visit(session: AsyncSession, visit: UUID) -> int:
    """How many events of this visit are stored; the limit per visit keeps the count cheap."""
    return await session.scalar(select(func.count()).where(ShopEvent.visit == visit)) or 0


async def record(session: AsyncSession, visit: UUID, happenings: Sequence[VisitEvent]) -> None:
    """Stores a batch of events in one statement."""
    now = clock.now()
    rows = [
        {
            "at": now - timedelta(seconds=happening.seconds_ago),
            "kind": happening.kind,
            "product": product,
            "session": happening.session,
        }
        for happening in happenings
        for product in happening.products
    ]
    await session.execute(_RECORD, {"visit": visit, "events": orjson.dumps(rows).decode()})


async def tidy(env: JobEnvironment) -> None:
    """Removes the link to checkouts after a day, and deletes days too old for any comparison, sums and events alike."""
    async with begin(env.sessions) as session:
        await session.execute(_CUT, {"before": clock.now() - LINKED})
    async with begin(env.sessions) as session:
        oldest = func.timezone(AnalyticsState.time_zone, clock.now() - KEPT)
        day = (await session.scalars(select(cast(oldest, Date) + 1))).one()
        await visit_sums.delete_before(session, day)
        await session.execute(delete(ShopEvent).where(ShopEvent.local_at < datetime.combine(day, time())))
