"""The past of a big shop, for measuring: orders by the million, made by the database from a seed.

What sells follows Zipf's law, days follow seasons, weekdays and growth, shoppers return unevenly, some orders go back,
and visits are counted in the last year. Rows are made in the order of time, as a shop that lives keeps them. The same
seed makes the same orders and visits of the same catalogue, up to the moment that is given.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from demo.history import HOURS, SEASON
from server.analytics import facts, visit_sums
from server.config import Settings
from server.platform.core.db import Sessions, begin, create_engine, sessionmaker
from server.platform.processes.console import say

DAYS = 730
ORDERS_AT_ONCE = 50_000
VISITS_AT_ONCE = 2_000
"""Each is locked until the end of its transaction while it gets a number, and a database has room for some 6,000."""
GROWTH = 0.5
"""How much more a day sells at the end than at the beginning."""
WEEKDAYS = (1.0, 0.95, 0.95, 1.0, 1.05, 1.2, 1.35)
SHOPPERS_PER_ORDER = 0.35
VISIT_DAYS = 365
EVENTS_PER_ORDER = 1
EVENTS_PER_VISIT = 2.34
"""As `_EVENTS` comes to on average."""

# Chance, the same for the same seed, purpose and numbers: 0 up to but without 1.
_CHANCE = """
CREATE OR REPLACE FUNCTION pg_temp.chance(number bigint, purpose bigint) RETURNS float8
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT (hashint8extended(number, {seed} * 1000 + purpose) & 9007199254740991)::float8 / 9007199254740992 $$
"""
# An id as the shop makes them: it begins with the moment, so that they follow each other in time.
_ID_AT = """
CREATE OR REPLACE FUNCTION pg_temp.id_at(at timestamptz, what text) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT (
    lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(what), 1, 3)
    || 'a' || substr(md5(what), 4, 15)
)::uuid $$
"""
# Every variant with its place on a ladder from 0 to 1: the more of it is sold, the longer its rung.
_SHELF = """
CREATE TEMP TABLE shelf ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY rank, size_place) AS place, weighed.*,
    sum(weight) OVER (ORDER BY rank, size_place) / sum(weight) OVER () AS upto
FROM (
    SELECT variants.id AS variant_id, variants.size, variants.sku, products.id AS product_id, products.name,
        products.price_cents, product_colors.name AS color, ranked.rank,
        sizes.size_place, power(ranked.rank + 3, -0.9) * sizes.share AS weight
    FROM variants
    JOIN (
        VALUES ('XS', 1, 0.5), ('S', 2, 1.0), ('M', 3, 1.4), ('L', 4, 1.2), ('XL', 5, 0.7), ('XXL', 6, 0.3)
    ) AS sizes (size, size_place, share) ON sizes.size = variants.size
    JOIN product_colors ON product_colors.id = variants.color_id
    JOIN products ON products.id = variants.product_id
    JOIN (
        SELECT id, row_number() OVER (ORDER BY pg_temp.chance(hashtext(name), 0)) AS rank
        FROM products
    ) ranked ON ranked.id = products.id
) weighed
"""
_ORDERS = """
CREATE TEMP TABLE made ON COMMIT DROP AS
SELECT timed.*, pg_temp.id_at(at, CAST(:seed AS bigint) || '/' || number) AS id
FROM (
    SELECT
        number,
        floor(CAST(:shoppers AS bigint) * power(pg_temp.chance(number, 1), 1.8))::bigint AS shopper,
        CAST(:first AS timestamptz)
            + width_bucket((number - pg_temp.chance(number, 2)) / :whole, CAST(:days AS float8[])) * interval '1 day'
            + width_bucket(pg_temp.chance(number, 3), CAST(:hours AS float8[])) * interval '1 hour'
            + pg_temp.chance(number, 4) * interval '1 hour' AS at,
        1 + width_bucket(
            pg_temp.chance(number, 5), CAST(ARRAY[0.22, 0.46, 0.68, 0.85] AS float8[])
        ) AS lines
    FROM generate_series(CAST(:from AS bigint), CAST(:to AS bigint)) AS number
) timed
"""
_LINES = """
CREATE TEMP TABLE made_lines ON COMMIT DROP AS
SELECT made.id AS order_id, made.at, made.number, line, shelf.*,
    CASE WHEN pg_temp.chance(made.number * 8 + line, 7) < 0.88 THEN 1 ELSE 2 END AS quantity,
    CASE WHEN pg_temp.chance(made.number * 8 + line, 8) < 0.25
        THEN shelf.price_cents * 8 / 10 ELSE shelf.price_cents END AS unit_price_cents
FROM made
CROSS JOIN LATERAL generate_series(1, made.lines) AS line
JOIN shelf ON shelf.place = 1 + width_bucket(
    pg_temp.chance(made.number * 8 + line, 6), (SELECT array_agg(upto::float8 ORDER BY place) FROM shelf)
)
"""
_KEEP = """
WITH homes AS (
    SELECT ARRAY[
        '{"country": "Sweden", "city": "Stockholm"}', '{"country": "Sweden", "city": "Malmö"}',
        '{"country": "Norway", "city": "Oslo"}', '{"country": "Denmark", "city": "Aarhus"}',
        '{"country": "Germany", "city": "Hamburg"}', '{"country": "United States", "city": "New York"}',
        '{"country": "United States", "city": "Portland"}', '{"country": "Japan", "city": "Kyoto"}'
    ]::jsonb[] AS home
),
sums AS (
    SELECT order_id, sum(quantity * unit_price_cents) AS goods FROM made_lines GROUP BY order_id
),
priced AS (
    SELECT made.*, home[1 + (hashint8extended(shopper, 9) & 7)] AS home,
        CASE WHEN goods < 15000 THEN 500 ELSE 0 END AS shipping,
        goods + CASE WHEN goods < 15000 THEN 500 ELSE 0 END AS total,
        CASE WHEN pg_temp.chance(number, 10) >= 0.06 THEN 'paid'
            WHEN pg_temp.chance(number, 11) < 0.6 THEN 'refunded' ELSE 'partially_refunded'
        END AS status
    FROM made JOIN sums ON sums.order_id = made.id CROSS JOIN homes
),
kept AS (
    INSERT INTO orders (id, email, payment_status, fulfilment, total_cents, shipping_cents, refunded_cents, currency,
        shipping_address, created_at, paid_at)
    SELECT id, 'shopper' || shopper || '@big.minimal.test', status, 'delivered', total, shipping,
        CASE status WHEN 'paid' THEN 0 WHEN 'refunded' THEN total ELSE total / 3 END, 'usd', home, at, at
    FROM priced
    ORDER BY at, id
    RETURNING id, total_cents, refunded_cents, paid_at
),
given AS (
    INSERT INTO refunds (order_id, payment_intent_id, amount_cents, reason, status, created_at, succeeded_at)
    SELECT id, 'pi_big_' || id, refunded_cents, 'Wrong size.', 'succeeded',
        least(back_at, CAST(:now AS timestamptz)), least(back_at, CAST(:now AS timestamptz))
    FROM (
        SELECT *, paid_at + (3 + (hashint8extended(total_cents, 12) & 15)) * interval '1 day' AS back_at
        FROM kept WHERE refunded_cents > 0
    ) back
)
INSERT INTO order_lines (order_id, position, product_id, variant_id, name, color, size, sku, quantity,
    unit_price_cents, list_price_cents, shipped)
SELECT order_id, line, product_id, variant_id, name, color, size, sku, quantity, unit_price_cents, price_cents,
    quantity
FROM made_lines
ORDER BY at, order_id, line
"""
# One to six products are looked at, the last is sometimes put in the cart, taken to the checkout, paid for.
_EVENTS = """
WITH visits AS (
    SELECT
        number,
        CAST(:first AS timestamptz)
            + width_bucket((number - pg_temp.chance(number, 20)) / :whole, CAST(:days AS float8[])) * interval '1 day'
            + width_bucket(pg_temp.chance(number, 21), CAST(:hours AS float8[])) * interval '1 hour'
            + pg_temp.chance(number, 22) * interval '1 hour' AS at,
        1 + width_bucket(
            pg_temp.chance(number, 23), CAST(ARRAY[0.46, 0.7, 0.83, 0.91, 0.96] AS float8[])
        ) AS views,
        width_bucket(1 - pg_temp.chance(number, 24), CAST(ARRAY[0.88, 0.946, 0.97] AS float8[])) AS steps
    FROM generate_series(CAST(:from AS bigint), CAST(:to AS bigint)) AS number
),
happened AS (
    SELECT number, at + (step - 1) * interval '73 seconds' AS at, step,
        (ARRAY['viewed', 'added', 'checkout', 'paid'])[greatest(1, step - views + 1)] AS kind,
        least(step, views) AS seen
    FROM visits CROSS JOIN LATERAL generate_series(1, views + steps) AS step
)
INSERT INTO shop_events (id, at, local_at, visit, kind, product_id, category)
SELECT pg_temp.id_at(at, CAST(:seed AS bigint) || '/' || number || '/' || step), at,
    at AT TIME ZONE (SELECT time_zone FROM analytics_state),
    md5(CAST(:seed AS bigint) || '/visit/' || number)::uuid, kind, products.id, products.category
FROM happened
JOIN shelf ON shelf.place = 1 + width_bucket(
    pg_temp.chance(number * 8 + seen, 25), (SELECT array_agg(upto::float8 ORDER BY place) FROM shelf)
)
JOIN products ON products.id = shelf.product_id
ORDER BY at, number
"""


async def open_big(settings: Settings, orders: int, seed: int) -> None:
    """`make` for the shop of these settings, up to today, saying how far it is."""
    engine = create_engine(settings.database_url)
    try:
        midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        await make(sessionmaker(engine), orders, seed, midnight, on_progress=say)
    finally:
        await engine.dispose()


async def make(
    sessions: Sessions, orders: int, seed: int, now: datetime, *, on_progress: Callable[[str], None]
) -> None:
    """Adds so many orders to the shop, spread over the two years before `now`, and as many events of its last year.

    The orders have no payments at the provider and no accounts; stock is left alone.
    """
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    first, begun = midnight - timedelta(days=DAYS), midnight - timedelta(days=VISIT_DAYS)
    weights = _weights(first)
    parameters = {
        "seed": seed,
        "now": now,
        "hours": _ladder(HOURS),
        "shoppers": max(1, int(orders * SHOPPERS_PER_ORDER)),
    }
    sold = parameters | {"first": first, "days": _ladder(weights), "whole": float(orders)}
    await _by_chunks(sessions, (_SHELF, _ORDERS, _LINES, _KEEP), sold, ORDERS_AT_ONCE, "orders", on_progress)
    visits = int(orders * EVENTS_PER_ORDER / EVENTS_PER_VISIT)
    seen = parameters | {"first": begun, "days": _ladder(weights[-VISIT_DAYS:]), "whole": float(visits)}
    await _by_chunks(sessions, (_SHELF, _EVENTS), seen, VISITS_AT_ONCE, "visits", on_progress)
    on_progress("Counting the orders for the reports")
    async with begin(sessions) as session:
        await _open(session, seed)
        await facts.build(session)
    await visit_sums.settle(sessions, now)
    on_progress("Counting the rows of every table for the database's planner")
    async with sessions() as session:
        await session.connection(execution_options={"isolation_level": "AUTOCOMMIT"})
        await session.execute(text("VACUUM ANALYZE"))


async def _by_chunks(
    sessions: Sessions,
    statements: Sequence[str],
    parameters: Mapping[str, Any],
    size: int,
    noun: str,
    on_progress: Callable[[str], None],
) -> None:
    """Every chunk is a transaction, and says how far they are."""
    whole = int(parameters["whole"])
    for start in range(1, whole + 1, size):
        end = min(start + size - 1, whole)
        facts_of = {**parameters, "from": start, "to": end}
        async with begin(sessions) as session:
            await _open(session, parameters["seed"])
            for statement in statements:
                query = text(statement)
                await session.execute(query, {name: facts_of[name] for name in query._bindparams})
        on_progress(f"{end:,} of {whole:,} {noun}")


async def _open(session: AsyncSession, seed: int) -> None:
    await facts.begin_bulk(session)
    await session.execute(text("SET LOCAL statement_timeout = 0"))
    await session.execute(text("SET LOCAL work_mem = '256MB'"))
    await session.execute(text(_CHANCE.replace("{seed}", str(int(seed)))))
    await session.execute(text(_ID_AT))


def _weights(first: datetime) -> list[float]:
    days = [first + timedelta(days=number) for number in range(DAYS)]
    return [
        SEASON[day.month - 1] * WEEKDAYS[day.weekday()] * (1 + GROWTH * number / DAYS)
        for number, day in enumerate(days)
    ]


def _ladder(weights: tuple[int, ...] | list[float]) -> list[float]:
    """Rungs from above 0 up to below 1, for `width_bucket`: the heavier, the longer."""
    whole, running, rungs = sum(weights), 0.0, []
    for weight in weights[:-1]:
        running += weight
        rungs.append(running / whole)
    return rungs
