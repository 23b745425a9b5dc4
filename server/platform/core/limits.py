"""Rate limits, counted in PostgreSQL, so that all processes, and all aliases in one GraphQL document, share a count."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from sqlalchemy import ARRAY, Delete, Integer, Text, Update, bindparam, delete, func, select, text, update

from server.platform.core.db import Sessions, begin, is_unavailable
from server.platform.core.errors import TooManyRequests, Unavailable
from server.platform.core.jobs import JobEnvironment
from server.platform.core.models import RateLimit

_COUNT = text(
    """
    INSERT INTO rate_limits AS counted (bucket, hits, ends_at)
    SELECT bucket, :many, now() + make_interval(secs => seconds)
    FROM unnest(:buckets, :seconds) AS asked (bucket, seconds)
    ORDER BY bucket
    ON CONFLICT (bucket) DO UPDATE SET
        hits = CASE WHEN counted.ends_at <= now() THEN :many ELSE least(counted.hits, :overflow) + :many END,
        ends_at = CASE WHEN counted.ends_at <= now() THEN excluded.ends_at ELSE counted.ends_at END
    RETURNING bucket, hits, greatest(ceil(extract(epoch FROM ends_at - now())), 1)::int AS retry_after
    """
).bindparams(
    bindparam("buckets", type_=ARRAY(Text)),
    bindparam("seconds", type_=ARRAY(Integer)),
    bindparam("many", value=1, type_=Integer),
    bindparam("overflow", value=1_000_000_000, type_=Integer),
)


@dataclass(frozen=True)
class Limit:
    """At most `most` attempts in a window of `seconds`, which opens with the first attempt."""

    bucket: str
    most: int
    seconds: int


@lru_cache(maxsize=4_096)
def network(ip: str) -> str:
    """The network that attempts from an address count for: the address itself, or its /64 in IPv6."""
    try:
        address = ip_address(ip)
    except ValueError:
        return ip
    if not isinstance(address, IPv6Address):
        return ip
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), 64), strict=False))


async def take(sessions: Sessions, *limits: Limit) -> dict[str, int]:
    """Counts one attempt in every bucket, in its own transaction. Returns each bucket's count.

    Raises TooManyRequests when one of them is full; the attempt then counts in none.
    """
    most = {limit.bucket: limit.most for limit in limits}
    parameters = {"buckets": list(most), "seconds": [limit.seconds for limit in limits]}
    async with begin(sessions) as session:
        counted = (await session.execute(_COUNT, parameters)).all()
        full = [row for row in counted if row.hits > most[row.bucket]]
        if full:
            raise _exceeded(max(full, key=lambda row: row.retry_after), limits)
    return {row.bucket: row.hits for row in counted}


async def take_up_to(sessions: Sessions, many: int, *limits: Limit) -> int:
    """Counts `many` attempts in every bucket, in its own transaction. Returns how many of them fit into all.

    Those that do not fit count as well, so a client that goes on over a limit does not get in sooner.
    """
    if many <= 0:
        return 0
    most = {limit.bucket: limit.most for limit in limits}
    parameters = {"buckets": list(most), "seconds": [limit.seconds for limit in limits], "many": many}
    async with begin(sessions) as session:
        counted = (await session.execute(_COUNT, parameters)).all()
    rooms = [most[row.bucket] - (int(row.hits) - many) for row in counted]
    return max(0, min(many, *rooms))


def _exceeded(row: Any, limits: Sequence[Limit]) -> TooManyRequests:
    [limit] = [each for each in limits if each.bucket == row.bucket][:1]
    # A bucket is named "<limit>:<whom it counts>".
    return TooManyRequests(row.retry_after, limit.bucket.partition(":")[0], limit.most, limit.seconds)


async def give_back(sessions: Sessions, *limits: Limit) -> None:
    """Undoes one attempt that `take` counted. Locks the buckets in its order, so that neither waits for the other."""
    own = select(RateLimit.bucket).where(RateLimit.bucket.in_([limit.bucket for limit in limits]))
    held = own.order_by(RateLimit.bucket).with_for_update(key_share=True).cte("held")
    counted = update(RateLimit).where(RateLimit.bucket == held.c.bucket, RateLimit.hits > 0)
    async with begin(sessions) as session:
        await session.execute(counted.values(hits=RateLimit.hits - 1))


@asynccontextmanager
async def attempt(sessions: Sessions, *limits: Limit, always: Sequence[Limit] = ()) -> AsyncIterator[dict[str, int]]:
    """Counts one attempt in every bucket, as `take` does; yields each bucket's count.

    A block that raises Unavailable has changed nothing, and its client should repeat the request, so the attempt
    is given back, except in the buckets `always`: they count work that may have been done by then.
    """
    counted = await take(sessions, *limits, *always)
    try:
        yield counted
    except Unavailable:
        await give_back(sessions, *limits)
        raise


@asynccontextmanager
async def failures(
    sessions: Sessions, failure: type[Exception], *limits: Limit, always: Sequence[Limit] = ()
) -> AsyncIterator[dict[str, int]]:
    """Limits how often the block may raise `failure`; yields each bucket's count.

    An attempt counts from its beginning, since parallel attempts would all pass before the first one failed. It is
    given back when the block succeeds or the shop was too busy to try, except in the buckets `always`.
    """
    async with attempt(sessions, *limits, always=always) as counted:
        yield counted
    await give_back(sessions, *limits)


_TAKE_PLACE = text(
    """
    INSERT INTO rate_limits AS place (bucket, hits, ends_at)
    SELECT :bucket || ':' || number, 1, now() + make_interval(secs => :seconds)
    FROM generate_series(1, :most) AS number
    WHERE NOT EXISTS (SELECT FROM rate_limits WHERE bucket = :bucket || ':' || number AND ends_at > now())
    ORDER BY number LIMIT 1
    ON CONFLICT (bucket) DO UPDATE SET ends_at = excluded.ends_at WHERE place.ends_at <= now()
    RETURNING bucket
    """
).bindparams(bindparam("bucket", type_=Text), bindparam("most", type_=Integer), bindparam("seconds", type_=Integer))
RENEWALS = 3
"""How often a place is renewed within its time."""


@asynccontextmanager
async def concurrency_slot(sessions: Sessions, bucket: str, most: int, seconds: int) -> AsyncIterator[bool]:
    """Holds one of `most` places for the time of the block; False when all of them are held, by whichever process.

    What a killed process held is free after `seconds`.
    """
    place: str | None = None
    # Of several requests for the same free slot at once one gets it, and the others try the next.
    for _ in range(most):
        async with begin(sessions) as session:
            place = await session.scalar(_TAKE_PLACE, {"bucket": bucket, "most": most, "seconds": seconds})
        if place is not None:
            break
    if place is None:
        yield False
        return
    keeping = asyncio.create_task(_keep(sessions, place, seconds))
    try:
        yield True
    finally:
        keeping.cancel()
        await _unless_unavailable(sessions, delete(RateLimit).where(RateLimit.bucket == place))


async def _keep(sessions: Sessions, place: str, seconds: int) -> None:
    later = func.now() + func.make_interval(0, 0, 0, 0, 0, 0, seconds)
    while True:
        await asyncio.sleep(seconds / RENEWALS)
        await _unless_unavailable(sessions, update(RateLimit).where(RateLimit.bucket == place).values(ends_at=later))


async def _unless_unavailable(sessions: Sessions, statement: Update | Delete) -> None:
    """Without a database no connection is accepted, so a slot may expire."""
    try:
        async with begin(sessions) as session:
            await session.execute(statement)
    except Exception as error:
        if not is_unavailable(error):
            raise


async def tidy(env: JobEnvironment) -> None:
    """Deletes windows that have ended, but for those in which something is just being counted."""
    ended = select(RateLimit.bucket).where(RateLimit.ends_at < func.now()).with_for_update(skip_locked=True)
    async with begin(env.sessions) as session:
        await session.execute(delete(RateLimit).where(RateLimit.bucket.in_(ended)))
