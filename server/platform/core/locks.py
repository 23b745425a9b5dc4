"""PostgreSQL advisory locks of the shop: one list of numbers, so that no two purposes share one."""

from enum import IntEnum, unique

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession


@unique
class Lock(IntEnum):
    """What a lock serializes. Numbers never change, because processes of two versions run side by side."""

    MIGRATIONS = 7_263_001
    DEMO_SEED = 7_263_002
    IMPORT = 7_263_003
    DELIVERY_ZONES = 7_263_004
    CATEGORIES = 7_263_005
    VISIT_NUMBERS = 7_263_012
    STOCK_ALERTS = 7_263_013
    FACTS = 7_263_014
    FACTS_FOLLOWER = 7_263_015
    SCHEDULE = 7_263_016
    VISIT_SUMS = 7_263_017
    CODE_USES = 7_263_018


TRY_TO_LEAD = "SELECT pg_try_advisory_lock($1)"
"""Takes a lock until the connection ends, if it is free. For asyncpg."""


async def acquire(session: AsyncSession, lock: Lock) -> None:
    """Waits for the lock and holds it until the transaction ends."""
    await session.execute(select(func.pg_advisory_xact_lock(lock.value)))


async def try_acquire(session: AsyncSession, lock: Lock) -> bool:
    """Takes the lock until the transaction ends, if it is free. Returns whether it was."""
    return bool(await session.scalar(select(func.pg_try_advisory_xact_lock(lock.value))))
