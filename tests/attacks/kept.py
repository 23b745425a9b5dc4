"""The database as it was when the fuzz began, brought back after every case that may have changed it.

One function in the database compares each table with a copy and puts back what is missing or different, so that what
one case canceled, deleted or used up is there for the next one.
"""

import asyncio
import time

import asyncpg
from sqlalchemy import make_url

from tests.attacks.world import KNOWN_FAILURE

_TABLES = """
    SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
      AND c.relname NOT IN ('alembic_version', 'heartbeats')
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.relname ORDER BY c.relname
"""
_IDLE = "SELECT NOT EXISTS (SELECT FROM jobs WHERE run_at <= now() AND last_error IS NULL)"
_COUNTED = "SELECT NOT EXISTS (SELECT FROM analytics_outbox) AND NOT EXISTS (SELECT FROM popularity_changes)"
_FAILED = f"""
SELECT kind || ': ' || left(last_error, 300) FROM jobs WHERE last_error IS NOT NULL
UNION ALL SELECT kind || ': ' || error FROM failed_jobs WHERE error <> '{KNOWN_FAILURE}'
"""
SECONDS_FOR_JOBS = 2.0
SECONDS_TO_COUNT = 60.0
NOT_COMPARED = {"rate_limits", "jobs"}
"""Attempts are counted; a wrong password is noted for the audit log."""
CHANNELS = ("catalog", "catalog_products", "documents", "shop_settings", "tariff")
"""Who keeps something of the database in memory has to forget it."""


class Kept:
    """The way to that copy, on a connection of its own."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection
        self.failed_jobs: list[str] = []

    @classmethod
    async def of(cls, database_url: str) -> "Kept":
        """Copies every table as it is once what was sold is counted: the server counts it some seconds later."""
        url = make_url(database_url).set(drivername="postgresql")
        connection = await asyncpg.connect(url.render_as_string(hide_password=False))
        async with asyncio.timeout(SECONDS_TO_COUNT):
            while not await connection.fetchval(_COUNTED):  # noqa: ASYNC110, nobody sets an event for it
                await asyncio.sleep(0.05)
        await connection.execute("CREATE SCHEMA kept")
        steps, comparisons = "", ""
        for name, columns in await connection.fetch(_TABLES):
            await connection.execute(f'CREATE TABLE kept."{name}" AS SELECT {columns} FROM public."{name}"')
            steps += _restoring(name, columns)
            comparisons += _comparing(name, columns) if name not in NOT_COMPARED else ""
        await connection.execute(_FUNCTION.format(steps=steps))
        await connection.execute(_COMPARING.format(comparisons=comparisons))
        return cls(connection)

    async def restore(self) -> None:
        """Waits until the jobs of the case are done, remembers those that failed, and brings everything back."""
        await self._wait_for_jobs()
        self.failed_jobs += [row[0] for row in await self._connection.fetch(_FAILED)]
        while True:
            try:
                await self._connection.execute("SELECT kept.restore()")
                return
            except (asyncpg.DeadlockDetectedError, asyncpg.UniqueViolationError):  # A sweep came in between.
                await asyncio.sleep(0.05)

    async def _wait_for_jobs(self) -> None:
        deadline = time.monotonic() + SECONDS_FOR_JOBS
        while time.monotonic() < deadline and not await self._is_idle():  # noqa: ASYNC110, nobody sets an event for it
            await asyncio.sleep(0.005)

    async def _is_idle(self) -> bool:
        return bool(await self._connection.fetchval(_IDLE))

    async def differing(self) -> list[str]:
        """Tables that are not as they were, once the jobs are done."""
        await self._wait_for_jobs()
        return list(await self._connection.fetchval("SELECT kept.differing()"))

    async def forget_limits(self) -> None:
        await self._connection.execute("TRUNCATE rate_limits")

    async def notify(self, channel: str, payload: str) -> None:
        await self._connection.execute("SELECT pg_notify($1, $2)", channel, payload)

    async def close(self) -> None:
        await self._connection.close()


def _restoring(table: str, columns: str) -> str:
    rows = f"ROW({columns})::text"
    return f"""
        DELETE FROM public."{table}" WHERE {rows} NOT IN (SELECT {rows} FROM kept."{table}");
        GET DIAGNOSTICS touched = ROW_COUNT; changed := changed + touched;
        INSERT INTO public."{table}" ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM kept."{table}"
        WHERE {rows} NOT IN (SELECT {rows} FROM public."{table}");
        GET DIAGNOSTICS touched = ROW_COUNT; changed := changed + touched;
    """


def _comparing(table: str, columns: str) -> str:
    rows = f"ROW({columns})::text"
    return f"""
        IF (SELECT count(*) FROM public."{table}") <> (SELECT count(*) FROM kept."{table}") OR EXISTS (
            SELECT FROM public."{table}" WHERE {rows} NOT IN (SELECT {rows} FROM kept."{table}")
        ) THEN found := found || '{table}'::text; END IF;
    """


_COMPARING = """
    CREATE FUNCTION kept.differing() RETURNS text[] LANGUAGE plpgsql AS $$
    DECLARE found text[] := '{{}}';
    BEGIN
        {comparisons}
        RETURN found;
    END $$
"""
_FUNCTION = (
    """
    CREATE FUNCTION kept.restore() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $$
    DECLARE touched bigint; changed bigint := 0;
    BEGIN
        {steps}
        IF changed > 0 THEN
"""
    + "".join(f"            PERFORM pg_notify('{channel}', '');\n" for channel in CHANNELS)
    + """
        END IF;
    END $$
"""
)
"""Triggers and foreign keys rest meanwhile: the whole comes back, not one change after the other."""
