"""Sums of visits by day, from which funnels are answered.

A day is summed once nothing can change it any more, so that neither an event nor a payment has to write a sum: reports
read the last days event by event.
"""

from datetime import date, datetime, time, timedelta

from sqlalchemy import ColumnElement, Executable, delete, func, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import AnalyticsState, SettledVisits, ShopEvent, VisitsDay
from server.catalog.models import Product
from server.platform.core import locks
from server.platform.core.db import Sessions, begin
from server.platform.core.locks import Lock

WINDOWS = (1_440, 43_200)
"""Minutes after which a day is settled for funnels with windows up to as long; the last is the longest there is."""
LATEST = timedelta(hours=1)
"""Long after the last event of a visit arrives: an event ten minutes after it happened, a payment at once."""
DAYS_AT_ONCE = 10
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
CLOCK_CHANGE = timedelta(hours=2)
"""The most by which a wall clock is set back."""

_FROZEN = text(
    """
    SELECT (CAST(:moment AS timestamptz) AT TIME ZONE time_zone)::date AS frozen,
        (SELECT min(local_at)::date FROM shop_events) AS first
    FROM analytics_state
    WHERE rebuilt_at IS NOT NULL AND NOT EXISTS (SELECT FROM shop_events WHERE visit_number IS NULL)
    """
)
_SPLITS = """CROSS JOIN LATERAL (VALUES
    ('', 0), ('category', category_number), ('gender', gender_number), ('subcategory', subcategory_number),
    ('product', product_number)
) AS splits (split, member)"""

# A step is the first of its kind at or after the step before, whatever the window; a window then keeps those that came
# in time.
_SUM = text(
    """
    WITH told AS MATERIALIZED (
        SELECT split, member, visit, kind, at, local_at
        FROM visit_events {splits}
        WHERE local_at >= :start AND local_at < :latest AND (kind <> 'viewed' OR local_at < :end)
    ),
    seen AS (
        SELECT split, member, visit, local_at::date AS day, min(at) AS at0
        FROM told WHERE kind = 'viewed' GROUP BY 1, 2, 3, 4
    ),
    later AS (
        SELECT split, member, visit, array_agg(at) FILTER (WHERE kind = 'added') AS all1,
            array_agg(at) FILTER (WHERE kind = 'checkout') AS all2, array_agg(at) FILTER (WHERE kind = 'paid') AS all3
        FROM told WHERE kind <> 'viewed' GROUP BY 1, 2, 3
    ),
    earlier AS (
        SELECT split, member, visit, max(local_at)::date AS day
        FROM visit_events {splits}
        WHERE kind = 'viewed' AND local_at < :start AND visit IN (SELECT visit FROM seen WHERE split = '')
        GROUP BY 1, 2, 3
    ),
    step1 AS MATERIALIZED (
        SELECT seen.*, all2, all3,
            coalesce(lag(seen.day) OVER own, earlier.day, '-infinity') AS previous_day,
            CASE WHEN all1 IS NOT NULL THEN (SELECT min(at) FROM unnest(all1) AS at WHERE at >= at0) END AS at1
        FROM seen LEFT JOIN later USING (split, member, visit) LEFT JOIN earlier USING (split, member, visit)
        WINDOW own AS (PARTITION BY split, member, visit ORDER BY seen.day)
    ),
    step2 AS MATERIALIZED (
        SELECT *, CASE WHEN at1 IS NOT NULL AND all2 IS NOT NULL
            THEN (SELECT min(at) FROM unnest(all2) AS at WHERE at >= at1) END AS at2
        FROM step1
    ),
    step3 AS MATERIALIZED (
        SELECT *, CASE WHEN at2 IS NOT NULL AND all3 IS NOT NULL
            THEN (SELECT min(at) FROM unnest(all3) AS at WHERE at >= at2) END AS at3
        FROM step2
    )
    INSERT INTO visits_by_day (split, day, member, previous_day, minutes, viewed, added, checkout, paid)
    SELECT split, day, member, previous_day, ceil(extract(epoch FROM at - at0) / 60)::int,
        count(*) FILTER (WHERE step = 0), count(*) FILTER (WHERE step = 1), count(*) FILTER (WHERE step = 2),
        count(*) FILTER (WHERE step = 3)
    FROM step3 CROSS JOIN LATERAL (VALUES (0, at0), (1, at1), (2, at2), (3, at3)) AS steps (step, at)
    WHERE at <= at0 + make_interval(mins => :minutes)
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY 1, 2, 3, 4, 5
    """.replace("{splits}", _SPLITS)
)
_SETTLED = text(
    """
    INSERT INTO settled_visits AS known (minutes, until, last_visit)
    SELECT minutes, CAST(:until AS date), coalesce((
        SELECT max(visit_number) FROM shop_events WHERE local_at >= :start AND local_at < :end
    ), 0)
    FROM unnest(CAST(:windows AS int[])) AS minutes
    ON CONFLICT (minutes) DO UPDATE SET
        until = greatest(known.until, excluded.until), last_visit = greatest(known.last_visit, excluded.last_visit)
    """
)
_SETTINGS = {"statement_timeout": "10min", "jit": "off", "plan_cache_mode": "force_custom_plan"}


async def settled_for(session: AsyncSession, window: timedelta) -> SettledVisits | None:
    """Which days are summed for a funnel with this window; None where nothing is."""
    if window % MINUTE:
        return None
    enough = select(SettledVisits).where(SettledVisits.minutes >= window // MINUTE)
    return await session.scalar(enough.order_by(SettledVisits.minutes).limit(1))


async def settle(sessions: Sessions, now: datetime) -> None:
    """Sums all days that can be, some at a time; one process does so at once."""
    while True:
        async with begin(sessions) as session:
            if not await locks.try_acquire(session, Lock.VISIT_SUMS):
                return
            if not await _settle_some(session, now):
                return


async def _settle_some(session: AsyncSession, now: datetime) -> bool:
    """Sums the next days of the longest window that has any. False when there are none."""
    await session.execute(select(*(func.set_config(name, value, True) for name, value in _SETTINGS.items())))
    until = {row.minutes: row.until for row in await session.scalars(select(SettledVisits))}
    for minutes in reversed(WINDOWS):
        days = (await session.execute(_FROZEN, {"moment": now - LATEST - minutes * MINUTE})).first()
        if days is None:
            return False
        start = until.get(minutes) or days.first or days.frozen
        if start < days.frozen:
            await _sum(session, start, min(start + DAYS_AT_ONCE * DAY, days.frozen), minutes)
            return True
    return False


async def _sum(session: AsyncSession, start: date, end: date, minutes: int) -> None:
    span = {"start": datetime.combine(start, time()), "end": datetime.combine(end, time())}
    await session.execute(delete(VisitsDay).where(VisitsDay.day >= start, VisitsDay.day < end))
    latest = span["end"] + timedelta(minutes=minutes) + CLOCK_CHANGE
    await session.execute(_SUM, {**span, "latest": latest, "minutes": minutes})
    await session.execute(_SETTLED, {**span, "until": end, "windows": [each for each in WINDOWS if each <= minutes]})


def follow_events(which: ColumnElement[bool]) -> Executable:
    """Sets the wall clocks of events by the shop's time zone, and their categories as their products stand now.

    Events that are right already are left alone.
    """
    local_at = func.timezone(select(AnalyticsState.time_zone).scalar_subquery(), ShopEvent.at)
    category = func.coalesce(
        select(Product.category).where(Product.id == ShopEvent.product_id).scalar_subquery(), ShopEvent.category
    )
    is_wrong = or_(ShopEvent.local_at != local_at, ShopEvent.category.is_distinct_from(category))
    return update(ShopEvent).where(which, is_wrong).values(local_at=local_at, category=category)


async def move_events(session: AsyncSession, count: int) -> bool:
    """Moves so many events to the categories of their products, and deletes all sums.

    Returns whether there may be more: also when days are being summed, which has to end first.
    """
    if not await locks.try_acquire(session, Lock.VISIT_SUMS):
        return True
    moved = (
        select(ShopEvent.id)
        .join(Product, Product.id == ShopEvent.product_id)
        .where(ShopEvent.category.is_distinct_from(Product.category))
        .limit(count)
    )
    ids = list(await session.scalars(moved))
    if ids:
        await session.execute(follow_events(ShopEvent.id.in_(ids)))
        await forget(session)
    return bool(ids)


async def forget(session: AsyncSession) -> None:
    """Deletes all sums, because events of the past, their categories or the days' time zone change."""
    await locks.acquire(session, Lock.VISIT_SUMS)
    await session.execute(delete(SettledVisits))
    await session.execute(delete(VisitsDay))


async def delete_before(session: AsyncSession, day: date) -> None:
    """Deletes the sums of days before this one. The caller deletes their events in the same transaction."""
    await locks.acquire(session, Lock.VISIT_SUMS)
    await session.execute(delete(VisitsDay).where(VisitsDay.day < day))
