"""A naive count of a code's uses, kept to show the race that it has."""

import asyncio
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.pricing.codes import find
from server.pricing.errors import CodeRefused


async def take(session: AsyncSession, code: str, user_id: UUID, *, released: str | None = None) -> None:
    """Counts without a lock, thinks, and goes on: two shoppers count the same uses."""
    refusal = (await find(session, code, user_id)).refusal(datetime.now(UTC))
    await asyncio.sleep(0.005)
    if refusal:
        raise CodeRefused(code, refusal)
