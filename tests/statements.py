"""Counting what is asked of the database, and seeing who waits there."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from asyncpg.connection import LoggedQuery
from sqlalchemy import event, text
from sqlalchemy.engine import Engine
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.pool import Pool
from structlog.contextvars import get_contextvars

from server.platform.core.db import Sessions

_counting: ContextVar[bool] = ContextVar("counting", default=False)

_BLOCKED = text(
    "SELECT count(DISTINCT pid) FROM pg_locks AS blocked JOIN pg_locks AS held USING (pid) JOIN pg_database ON"
    " pg_database.oid = held.database WHERE NOT blocked.granted AND held.granted AND datname = current_database()"
)
"""Other tests' databases may be in the same cluster. `pg_stat_activity` would say the same for a whole transaction."""


async def ended_or_blocked(task: asyncio.Task[Any], sessions: Sessions, number: int = 1) -> None:
    """Waits until the task has ended, or so many transactions of this database wait for another's lock."""
    async with asyncio.timeout(30), sessions() as session:
        while not task.done() and (await session.scalar(_BLOCKED) or 0) < number:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


class StatementRecorder:
    """The statements that a session sends within the block, each with its parameters, to be explained afterwards."""

    def __init__(self, session: AsyncSession, about: str) -> None:
        self._session, self._about = session, about
        self._sent: list[tuple[str, Any]] = []

    async def __aenter__(self) -> "StatementRecorder":
        self._engine = (await self._session.connection()).sync_engine
        event.listen(self._engine, "before_cursor_execute", self._note)
        return self

    async def __aexit__(self, *_: object) -> None:
        event.remove(self._engine, "before_cursor_execute", self._note)

    async def plans(self) -> list[str]:
        """What EXPLAIN says of each, as it was sent; in the same transaction, so that its settings count."""
        connection = await self._session.connection()
        results = [await connection.exec_driver_sql(f"EXPLAIN {sent}", values) for sent, values in self._sent]
        return ["\n".join(rows.scalars()) for rows in results]

    @property
    def sent(self) -> list[tuple[str, Any]]:
        """Each statement with its parameters."""
        return self._sent

    def _note(self, _connection: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        if self._about in statement:
            self._sent.append((statement, parameters))


@contextmanager
def counted_statements(about: str = "") -> Iterator[list[str]]:
    """The SQL that names `about` and is sent by the block itself, or by a request to a shop in this process.

    What such a shop does in the background, now and then, is in another context and does not count.
    """
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if about in statement and (_counting.get() or "request_id" in get_contextvars()):
            statements.append(statement.strip())

    token = _counting.set(True)
    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)
        _counting.reset(token)


@contextmanager
def statements_by_request() -> Iterator[dict[str, list[str]]]:
    """The SQL that each request to a shop in this process sends, by X-Request-Id; webhooks may come meanwhile."""
    sent: dict[str, list[str]] = defaultdict(list)

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent[get_contextvars().get("request_id", "")].append(statement.strip())

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@contextmanager
def round_trips() -> Iterator[dict[str, list[str]]]:
    """What requests to a shop in this process wait for at the database: statements, BEGIN, COMMIT; by X-Request-Id.

    The first use of a statement on a connection is more than one (it is prepared); so ask once before.
    """
    sent: dict[str, list[str]] = defaultdict(list)
    statements: set[str] = set()

    def note(words: str) -> None:
        sent[get_contextvars().get("request_id", "")].append(" ".join(words.split()))

    def execute(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.add(statement)
        note(statement)

    def watch(connection: Any, *_: object) -> None:
        connection.driver_connection.add_query_logger(beside)

    def beside(query: LoggedQuery) -> None:
        """What the driver sends beside the statements that are told of before."""
        if query.query not in statements:
            note(query.query)

    def leave(connection: Any, *_: object) -> None:
        connection.driver_connection.remove_query_logger(beside)

    listening = ((Engine, "before_cursor_execute", execute), (Pool, "checkout", watch), (Pool, "checkin", leave))
    for listener in listening:
        event.listen(*listener)
    try:
        yield sent
    finally:
        for listener in listening:
            event.remove(*listener)
