"""The database's clock, shared by all hosts of a shop, as this process estimates it.

What is compared with moments of the database, or written beside them, must not depend on whose host it is done on.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from server.platform.core.db import autocommit
from server.platform.core.jobs import JobEnvironment

SECONDS = 5.0
"""How often a process compares its host's clock with the database's."""
_ahead = timedelta(0)


def now() -> datetime:
    """The time now, in UTC: the host's with what the database's clock was ahead of it when they were last compared."""
    return datetime.now(UTC) + _ahead


async def compare(env: JobEnvironment) -> None:
    """Finds out by how much the database's clock is ahead. A difference that the trip explains is none."""
    global _ahead
    async with autocommit(env.sessions) as session:
        sent = datetime.now(UTC)
        database_time: datetime = (await session.execute(select(func.clock_timestamp()))).scalar_one()
        half = (datetime.now(UTC) - sent) / 2
    ahead = database_time - sent - half
    _ahead = timedelta(0) if abs(ahead) <= half else ahead
