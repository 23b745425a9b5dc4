"""What is sent by the driver itself fares as what SQLAlchemy sends: same rows, same errors, same pool afterwards."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from uuid import UUID

import pytest
import structlog
from sqlalchemy import Integer, Uuid, bindparam, column, func, literal, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession
from structlog.testing import LogCapture

from server.platform.core import db
from server.platform.core.db import Sessions, autocommit, create_engine, is_unavailable, sessionmaker, sqlstate
from server.platform.core.statements import PreparedStatement, connection
from tests.platform.core.broken_connections import behind_a_wire, break_off
from tests.statements import counted_statements

Way = Callable[..., Coroutine[Any, Any, Sequence[Any]]]
ONE = UUID(int=1)
WHO = PreparedStatement(text("SELECT pg_backend_pid() AS pid"))
SLEEP = PreparedStatement(text("SELECT pg_sleep(:seconds)"))
LOCK = PreparedStatement(text("SELECT pg_advisory_lock(:key) AS held"))


async def by_session(sessions: Sessions, statement: PreparedStatement, **values: Any) -> Sequence[Any]:
    async with autocommit(sessions) as session:
        return await statement.rows(session, **values)


async def by_driver(sessions: Sessions, statement: PreparedStatement, **values: Any) -> Sequence[Any]:
    async with connection(sessions) as driver:
        return await statement.rows(driver, **values)


either_way = pytest.mark.parametrize("ask", [by_session, by_driver])


@either_way
async def test_rows_have_their_columns_as_attributes_and_each_value_has_its_place(sessions: Sessions, ask: Way) -> None:
    series = func.generate_series(1, bindparam("most", type_=Integer))
    numbers = series.table_valued(column("number", Integer)).render_derived()
    statement = PreparedStatement(
        select(bindparam("id", type_=Uuid).label("id"), (numbers.c.number + literal(10)).label("sum"))
        .where(numbers.c.number > literal(1))
        .limit(2)
    )

    rows = await ask(sessions, statement, most=9, id=ONE)

    assert [(row.id, row.sum) for row in rows] == [(ONE, 12), (ONE, 13)]
    with pytest.raises(AttributeError):
        _ = rows[0].name


@either_way
@pytest.mark.parametrize(
    ("statement", "kind", "code"),
    [
        ("SELECT 1 / (:number - 1)", DBAPIError, "22012"),
        (
            "INSERT INTO carts (user_id) VALUES (gen_random_uuid()) RETURNING CAST(:number AS int)",
            IntegrityError,
            "23503",
        ),
        ("SELECT nothing FROM nowhere WHERE :number = 1", DBAPIError, "42P01"),
    ],
)
async def test_a_refused_statement_is_sqlalchemys_error_and_the_connection_goes_on(
    one_connection: Sessions, ask: Way, statement: str, kind: type[DBAPIError], code: str
) -> None:
    [before] = await ask(one_connection, WHO)

    with pytest.raises(kind) as refused:
        await ask(one_connection, PreparedStatement(text(statement)), number=1)
    [after] = await ask(one_connection, WHO)

    assert sqlstate(refused.value.orig) == code
    assert not refused.value.connection_invalidated
    assert not is_unavailable(refused.value)
    assert after.pid == before.pid


async def test_values_that_are_missing_are_a_defect(sessions: Sessions) -> None:
    async with connection(sessions) as driver:
        with pytest.raises(InterfaceError) as wrong:
            await driver.fetch("SELECT $1::int", [])

    assert not is_unavailable(wrong.value)


@either_way
async def test_a_socket_that_breaks_is_a_database_that_is_away(database_url: str, ask: Way) -> None:
    async with behind_a_wire(database_url) as (engine, connections):
        await ask(sessionmaker(engine), WHO)
        asking = asyncio.create_task(ask(sessionmaker(engine), SLEEP, seconds=5))
        await asyncio.sleep(0.2)
        await break_off(connections[0])
        with pytest.raises(DBAPIError) as broken:
            await asking
        await ask(sessionmaker(engine), WHO)

    assert is_unavailable(broken.value)
    assert broken.value.connection_invalidated
    assert len(connections) == 2


@either_way
async def test_a_write_that_a_standby_refuses_has_every_connection_made_anew(database_url: str, ask: Way) -> None:
    engine = create_engine(database_url, pool_size=2, max_overflow=0)
    sessions = sessionmaker(engine)
    async with connection(sessions) as one, connection(sessions) as other:
        before = {(await WHO.rows(each))[0].pid for each in (one, other)}
        for each in (one, other):
            await PreparedStatement(text("SET default_transaction_read_only = on")).rows(each)

    with pytest.raises(DBAPIError) as refused:
        await ask(sessions, PreparedStatement(text("DELETE FROM carts")))
    async with connection(sessions) as one, connection(sessions) as other:
        after = {(await WHO.rows(each))[0].pid for each in (one, other)}
    await engine.dispose()

    assert refused.value.connection_invalidated
    assert is_unavailable(refused.value)
    assert before.isdisjoint(after)


@either_way
async def test_a_connection_on_which_somebody_was_cancelled_is_not_used_again(
    one_connection: Sessions, ask: Way
) -> None:
    [before] = await ask(one_connection, WHO)

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(ask(one_connection, SLEEP, seconds=5), 0.2)
    [after] = await ask(one_connection, WHO)

    assert after.pid != before.pid


async def test_what_the_pool_has_no_room_for_is_closed(
    database_url: str, session: AsyncSession, caplog: pytest.LogCaptureFixture
) -> None:
    engine = create_engine(database_url, pool_size=1, max_overflow=2)
    sessions, together = sessionmaker(engine), asyncio.Barrier(3)

    async def ask() -> int:
        async with connection(sessions) as driver:
            await together.wait()
            return int((await WHO.rows(driver))[0].pid)

    pids = await asyncio.gather(*(ask() for _ in range(3)))

    async def are_left() -> int:
        query = text("SELECT count(*) FROM pg_stat_activity WHERE pid = ANY(:pids)")
        return int(await session.scalar(query, {"pids": pids}) or 0)

    async with asyncio.timeout(10):
        while await are_left() > 1:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    [last] = await by_driver(sessions, WHO)
    await engine.dispose()
    assert len(set(pids)) == 3
    assert last.pid in pids
    assert caplog.records == []


async def test_a_deadlock_is_logged_with_its_statement(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = LogCapture()
    monkeypatch.setattr(db, "log", structlog.wrap_logger(None, processors=[said]))
    engine, both = create_engine(database_url), asyncio.Barrier(2)

    async def hold(first: int, then: int) -> None:
        async with connection(sessionmaker(engine)) as driver:
            await LOCK.rows(driver, key=first)
            await both.wait()
            try:
                await LOCK.rows(driver, key=then)
            finally:
                await PreparedStatement(text("SELECT pg_advisory_unlock_all()")).rows(driver)

    one, other = await asyncio.gather(hold(5_711, 5_712), hold(5_712, 5_711), return_exceptions=True)
    await engine.dispose()

    [lost] = [each for each in (one, other) if each is not None]
    assert is_unavailable(lost)
    # The engines of a test run share a dialect, and with it what listens for errors.
    events = {(line["event"], line["statement"]) for line in said.entries}
    assert events == {("database.deadlock", "SELECT pg_advisory_lock($1) AS held")}


@either_way
async def test_a_statement_is_told_to_listeners_once(sessions: Sessions, ask: Way) -> None:
    with counted_statements() as sent:
        await ask(sessions, SLEEP, seconds=0)

    assert sent == ["SELECT pg_sleep($1)"]


@pytest.fixture
async def engine_of_one(database_url: str) -> Any:
    engine = create_engine(database_url, pool_size=1, max_overflow=0)
    yield engine
    await engine.dispose()


@pytest.fixture
def one_connection(engine_of_one: AsyncEngine) -> Sessions:
    return sessionmaker(engine_of_one)
