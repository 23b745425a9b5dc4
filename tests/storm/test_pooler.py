"""A shop behind a pooler that hands out connections by transaction: it sells, and leaves nothing in a session."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest

from server.platform.core.connection_budget import name_of
from server.platform.processes.postgres import DATABASE, ROLE, Postgres
from tests.folders import temporary_folder
from tests.storm.pgbouncer import SERVER_CONNECTIONS, PgBouncer, needs_pgbouncer, pgbouncer
from tests.storm.shop import StormShop, any_seed, empty_machine
from tests.storm.storm import Outcome, Plan, Storm

pytestmark = [needs_pgbouncer, pytest.mark.io_bound]

PAYMENTS = 5
TIMEOUTS = {"statement_timeout": "30s", "lock_timeout": "8s"}
OF_THE_POOLER = {"application_name", "client_encoding", "DateStyle", "standard_conforming_strings", "TimeZone"}
"""What PgBouncer sets anew for each client."""
LISTENERS = 3
"""Of web, worker and reports."""
OTHERS = "SELECT application_name FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()"
LEFT = "SELECT name FROM pg_settings WHERE source = 'session'"
HELD = """
SELECT (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())
     + (SELECT count(*) FROM pg_prepared_statements) + (SELECT count(*) FROM pg_listening_channels())
     + (SELECT count(*) FROM pg_class WHERE relnamespace = pg_my_temp_schema())
"""


@dataclass
class PooledShop(StormShop):
    """On a database of its own, which it reaches through PgBouncer."""

    database: Postgres | None = None

    @property
    def _postgres(self) -> Postgres:
        assert self.database is not None
        return self.database


@dataclass(frozen=True)
class Sold:
    shop: PooledShop
    pooler: PgBouncer
    outcome: Outcome


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
async def sold(folder: Path) -> AsyncIterator[Sold]:
    """People have bought, and everything has come to rest; the shop is still open."""
    with Postgres(folder / "postgres", durable=False) as postgres, empty_machine() as machine:
        connection = await asyncpg.connect(postgres.url)
        for name, value in TIMEOUTS.items():
            await connection.execute(f"ALTER ROLE {ROLE} SET {name} = '{value}'")
        await connection.close()
        with pgbouncer(postgres, folder / "pgbouncer") as pooler:
            settings = {
                "DATABASE_URL": pooler.url,
                "DATABASE_DIRECT_URL": postgres.url,
                "DATABASE_TRANSACTION_POOLER": "true",
            }
            shop = PooledShop(machine.data, settings, ports=machine.ports, database=postgres)
            await asyncio.to_thread(shop.start)
            try:
                storm = Storm(shop, Plan(), any_seed(), buyers=4)
                async with storm.shoppers():
                    await storm.until_paid(PAYMENTS)
                yield Sold(shop, pooler, storm.outcome)
            finally:
                await asyncio.to_thread(shop.stop)


def test_through_a_transaction_pooler_people_buy_and_the_books_agree(sold: Sold) -> None:
    assert sold.outcome.problems == []
    assert sold.outcome.crowd.surprises == []
    assert sold.outcome.complaints == []
    assert sold.outcome.payments >= PAYMENTS


async def test_no_process_leaves_anything_in_a_session_of_the_pooler(sold: Sold) -> None:
    async with AsyncExitStack() as stack:
        sessions = [await asyncpg.connect(sold.pooler.url, statement_cache_size=0) for _ in range(SERVER_CONNECTIONS)]
        for session in sessions:
            stack.push_async_callback(session.close)
            # An open transaction keeps the server's connection, so that each looks at another one.
            await stack.enter_async_context(session.transaction())
        pids = {await session.fetchval("SELECT pg_backend_pid()") for session in sessions}
        left = {row["name"] for session in sessions for row in await session.fetch(LEFT)}
        held = [await session.fetchval(HELD) for session in sessions]

    assert len(pids) == SERVER_CONNECTIONS
    assert left <= OF_THE_POOLER
    assert held == [0] * SERVER_CONNECTIONS


async def test_only_listening_goes_around_the_pooler(sold: Sold) -> None:
    connection = await asyncpg.connect(sold.shop.database_url)
    around: list[str] = []
    async with asyncio.timeout(60):
        # The process of the reports starts last, perhaps after the last payment.
        while len(around) < LISTENERS:
            names = [row["application_name"] for row in await connection.fetch(OTHERS, DATABASE)]
            around = [name for name in names if name.startswith(name_of(1))]
            await asyncio.sleep(0.1)
    await connection.close()

    assert len(around) == LISTENERS
    assert len(names) <= LISTENERS + SERVER_CONNECTIONS
