"""How often something may be tried. Counted in PostgreSQL, so that processes and aliases of one query share a count."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from sqlalchemy import ARRAY, Integer, Text, bindparam, delete, func, text, update

from server.core.db import Sessions, begin
from server.core.errors import TooManyRequests, Unavailable
from server.core.jobs import Env
from server.core.models import RateLimit

_COUNT = text(
    """
    INSERT INTO rate_limits AS counted (bucket, hits, ends_at)
    SELECT bucket, 1, now() + make_interval(secs => seconds)
    FROM unnest(:buckets, :seconds) AS asked (bucket, seconds)
    ORDER BY bucket
    ON CONFLICT (bucket) DO UPDATE SET
        hits = CASE WHEN counted.ends_at <= now() THEN 1 ELSE counted.hits + 1 END,
        ends_at = CASE WHEN counted.ends_at <= now() THEN excluded.ends_at ELSE counted.ends_at END
    RETURNING bucket, hits, greatest(ceil(extract(epoch FROM ends_at - now())), 1)::int AS retry_after
    """
).bindparams(bindparam("buckets", type_=ARRAY(Text)), bindparam("seconds", type_=ARRAY(Integer)))


@dataclass(frozen=True)
class Limit:
    """At most `most` in a window of `seconds` that opens with the first."""

    bucket: str
    most: int
    seconds: int


def network(ip: str) -> str:
    """Whom attempts from an address count for: who has one address of IPv6 has the whole /64 around it."""
    try:
        address = ip_address(ip)
    except ValueError:
        return ip
    if not isinstance(address, IPv6Address):
        return ip
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), 64), strict=False))


async def take(sessions: Sessions, *limits: Limit) -> None:
    """Counts one attempt in every bucket, in a transaction of its own.

    Raises TooManyRequests when one of them is full; then it has counted in none.
    """
    most = {limit.bucket: limit.most for limit in limits}
    asked = {"buckets": list(most), "seconds": [limit.seconds for limit in limits]}
    async with begin(sessions) as session:
        counted = (await session.execute(_COUNT, asked)).all()
        waits = [row.retry_after for row in counted if row.hits > most[row.bucket]]
        if waits:
            raise TooManyRequests(retry_after=max(waits))


async def give_back(sessions: Sessions, *limits: Limit) -> None:
    """Takes an attempt back that `take` counted."""
    buckets = [limit.bucket for limit in limits]
    counted = update(RateLimit).where(RateLimit.bucket.in_(buckets), RateLimit.hits > 0)
    async with begin(sessions) as session:
        await session.execute(counted.values(hits=RateLimit.hits - 1))


@asynccontextmanager
async def failures(sessions: Sessions, failure: type[Exception], *limits: Limit) -> AsyncIterator[None]:
    """Limits how often the block may raise `failure`.

    An attempt counts from its beginning, or many at once would all pass before the first had failed; it is given
    back when the block succeeds, and when the shop was too busy to try.
    """
    await take(sessions, *limits)
    try:
        yield
    except failure:
        raise
    except Unavailable:
        await give_back(sessions, *limits)
        raise
    await give_back(sessions, *limits)


async def tidy(env: Env) -> None:
    """Forgets windows that have ended."""
    async with begin(env.sessions) as session:
        await session.execute(delete(RateLimit).where(RateLimit.ends_at < func.now()))
