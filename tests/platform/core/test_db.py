import asyncio
from typing import Any

import asyncpg
import pytest
import structlog
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, InterfaceError
from structlog.testing import LogCapture

from server.platform.core import db, jobs
from server.platform.core.db import (
    CircuitBreaker,
    DatabaseUnavailable,
    Sessions,
    cause_of,
    create_engine,
    is_unavailable,
    sessionmaker,
)
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.resources import Resources
from tests.platform.core.broken_connections import behind_a_wire, break_off


class DyingDatabase(CircuitBreaker):
    """A way to one that ends each connection as soon as it is made, as one does that is being stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = 0

    async def connect(self, *address: Any, **options: Any) -> asyncpg.Connection:
        connection = await super().connect(*address, **options)
        other = await asyncpg.connect(*address, **options)
        await other.execute("SELECT pg_terminate_backend($1)", connection.get_server_pid())
        await other.close()
        while not connection.is_closed():  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        self.ended += 1
        return connection


async def test_a_connection_that_dies_before_its_first_statement_counts_as_unavailable(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = LogCapture()
    monkeypatch.setattr(jobs, "log", structlog.wrap_logger(None, processors=[said]))
    monkeypatch.setattr(jobs, "IDLE_SECONDS", 0.01)
    dying = DyingDatabase()
    engine = create_engine(database_url, breaker=dying)

    working = asyncio.create_task(Worker(JobEnvironment(sessionmaker(engine), Resources()), {}).run())
    async with asyncio.timeout(10):
        while len(said.entries) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    await engine.dispose()

    assert {(line["event"], line["error"]) for line in said.entries} == {("jobs.database_away", "InterfaceError")}
    assert dying.ended >= 2


async def test_a_misuse_of_a_connection_does_not_pass_for_a_database_that_is_away(database_url: str) -> None:
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        with pytest.raises(asyncpg.InterfaceError) as misuse:
            await asyncio.gather(*(connection.execute("SELECT pg_sleep(0.05)") for _ in range(2)))
    finally:
        await connection.close()

    assert not is_unavailable(misuse.value)


async def test_a_connection_that_is_made_while_the_circuit_breaker_trips_is_not_used(database_url: str) -> None:
    """Nothing would terminate it when the database falls silent: the breaker has tripped by then."""
    breaker, connections = CircuitBreaker(), []

    async def connect(*address: Any, **options: Any) -> asyncpg.Connection:
        connections.append(await asyncpg_connect(*address, **options))
        asyncio.get_running_loop().call_soon(breaker.trip)
        return connections[0]

    asyncpg_connect = asyncpg.connect
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asyncpg, "connect", connect)
        with pytest.raises(DatabaseUnavailable):
            await breaker.connect(database_url.replace("+asyncpg", ""))

    assert connections[0].is_closed()


async def test_a_socket_that_breaks_under_a_statement_is_a_database_that_is_away(database_url: str) -> None:
    async with behind_a_wire(database_url) as (engine, connections):
        async with sessionmaker(engine)() as session:
            await session.execute(text("SELECT 1"))
            asking = asyncio.create_task(session.execute(text("SELECT pg_sleep(5)")))
            await asyncio.sleep(0.2)
            await break_off(connections[0])
            with pytest.raises(DBAPIError) as broken:
                await asking
        async with sessionmaker(engine)() as session:
            answer = await session.scalar(text("SELECT 7"))

    assert is_unavailable(broken.value)
    assert broken.value.connection_invalidated
    assert isinstance(chain_of(broken.value)[-1], ConnectionResetError)
    assert (answer, len(connections)) == (7, 2)


def chain_of(error: BaseException) -> list[BaseException]:
    """The error and its causes."""
    chain = [error]
    while (cause := cause_of(chain[-1])) is not None:
        chain.append(cause)
    return chain


async def test_a_socket_that_broke_while_nobody_asked_is_replaced_unnoticed(database_url: str) -> None:
    async with behind_a_wire(database_url) as (engine, connections):
        async with sessionmaker(engine)() as session:
            await session.execute(text("SELECT 1"))
        await break_off(connections[0])
        async with sessionmaker(engine)() as session:
            answer = await session.scalar(text("SELECT 7"))

    assert (answer, len(connections)) == (7, 2)


@pytest.mark.parametrize("error", [ConnectionRefusedError(), FileNotFoundError(), TimeoutError(), OSError(113, "")])
async def test_who_cannot_be_reached_is_a_database_that_is_away(
    error: OSError, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_address: Any, **_options: Any) -> asyncpg.Connection:
        raise error

    monkeypatch.setattr(asyncpg, "connect", refused)
    engine = create_engine(database_url)

    with pytest.raises(DatabaseUnavailable) as away:
        async with engine.connect():
            pass
    await engine.dispose()

    assert away.value.__cause__ is error
    assert is_unavailable(away.value)


async def test_a_statement_that_the_driver_refuses_is_a_defect(sessions: Sessions) -> None:
    """asyncpg says InterfaceError to a statement whose values are missing: once that passed for an outage."""
    with pytest.raises(InterfaceError) as wrong:
        async with sessions() as session:
            await (await session.connection()).exec_driver_sql("SELECT $1::int")

    assert not is_unavailable(wrong.value)


@pytest.mark.parametrize("error", [FileNotFoundError(), ConnectionResetError(), TimeoutError(), BrokenPipeError()])
async def test_an_error_of_a_file_or_of_another_server_is_none_of_the_databases(error: OSError) -> None:
    assert not is_unavailable(error)


def test_a_defect_does_not_hide_behind_an_outage_that_was_put_aside() -> None:
    defect = ValueError()
    defect.__context__, defect.__suppress_context__ = DatabaseUnavailable(), True

    assert not is_unavailable(defect)


async def test_a_deadlock_is_answered_as_a_busy_database_and_logged_with_its_statement(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = LogCapture()
    monkeypatch.setattr(db, "log", structlog.wrap_logger(None, processors=[said]))
    lock, both = text("SELECT pg_advisory_xact_lock(:key) AS held"), asyncio.Barrier(2)

    async def hold(first: int, then: int) -> None:
        async with sessions() as session:
            await session.execute(lock, {"key": first})
            await both.wait()
            await session.execute(lock, {"key": then})

    one, other = await asyncio.gather(hold(4_711, 4_712), hold(4_712, 4_711), return_exceptions=True)

    [lost] = [each for each in (one, other) if each is not None]
    assert is_unavailable(lost)
    # The engines of a test run share a dialect, and with it what listens for errors.
    events = {(line["event"], line["statement"]) for line in said.entries}
    assert events == {("database.deadlock", "SELECT pg_advisory_xact_lock($1) AS held")}
