"""Waits until the facts, which are updated asynchronously, contain everything that was committed."""

import asyncio

from sqlalchemy import select

from server.analytics import follower, popularity
from server.analytics.models import AnalyticsOutbox
from server.platform.core.db import Sessions
from server.platform.core.jobs import JobEnvironment
from server.platform.core.resources import Resources

SECONDS = 30.0


async def facts_caught_up(sessions: Sessions) -> None:
    """Returns when facts and products' popularity show everything that was committed before.

    Takes part in the work, as any process may, so that no server need run.
    """
    async with asyncio.timeout(SECONDS):
        while not await _is_caught_up(sessions):
            if not await follower.follow(sessions):
                await asyncio.sleep(0.01)
    await popularity.apply(JobEnvironment(sessions, Resources()))


async def _is_caught_up(sessions: Sessions) -> bool:
    async with sessions() as session:
        return await session.scalar(select(AnalyticsOutbox.id).limit(1)) is None
