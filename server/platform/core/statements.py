"""The most frequent statements, sent by the driver itself: SQLAlchemy's own way takes three times as long.

What a shop relies on is SQLAlchemy's nevertheless: its pool, its listeners, and what it does about an error.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any, NoReturn, cast

import asyncpg
from sqlalchemy import Connection, Select, TextClause
from sqlalchemy.dialects.postgresql.asyncpg import dialect
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession
from sqlalchemy.pool import QueuePool

from server.platform.core.db import Sessions

_DIALECT = dialect()  # type: ignore[no-untyped-call]


class DriverRow(asyncpg.Record):  # type: ignore[misc]
    """A row whose columns are attributes as well."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class DriverConnection:
    """A connection of the pool on which each statement is a transaction of its own, as `db.autocommit` has it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._pooled: Any = connection.connection

    async def fetch(self, statement: str, values: Sequence[Any]) -> list[DriverRow]:
        """The rows of a statement with $1, $2 for its values. Raises what SQLAlchemy raises for the same."""
        listeners = self._connection.engine.dispatch
        execution = _Execution() if listeners.before_cursor_execute else None
        arguments = (self._connection, None, statement, values, execution, False)
        for listener in listeners.before_cursor_execute:
            listener(*arguments)
        try:
            rows: list[DriverRow] = await self._pooled.driver_connection.fetch(
                statement, *values, record_class=DriverRow
            )
        except BaseException as error:  # noqa: BLE001 - it is raised again
            self._fail(error, statement, values, execution)
        for listener in listeners.after_cursor_execute:
            listener(*arguments)
        return rows

    def _fail(
        self, error: BaseException, statement: str, values: Sequence[Any], execution: "_Execution | None"
    ) -> NoReturn:
        """Has SQLAlchemy translate the error, call its listeners, and drop a connection that is lost or in use."""
        try:
            if isinstance(error, Exception):
                self._pooled.dbapi_connection._handle_exception(error)
            raise error
        except BaseException as translated:  # noqa: BLE001
            self._connection._handle_dbapi_exception(translated, statement, tuple(values), None, execution)  # type: ignore[arg-type]


class _Execution:
    """Where listeners note something about one execution of a statement, as on SQLAlchemy's context."""

    executemany = False

    def handle_dbapi_exception(self, error: BaseException) -> None:
        """Called for each error; there is no cursor to be closed."""


Statements = AsyncSession | DriverConnection
"""What executes statements of columns; objects take a session."""


class PreparedStatement:
    """A statement of columns, a constant of its module, whose text is written once.

    Values reach the driver as they are: UUIDs, numbers, text, bytes, and whatever else it takes without SQLAlchemy.
    """

    def __init__(self, statement: Select[*tuple[Any, ...]] | TextClause) -> None:
        self._statement = statement

    async def rows(self, within: Statements, **values: Any) -> Sequence[Any]:
        """All rows; their columns are attributes."""
        if not isinstance(within, DriverConnection):
            return (await within.execute(self._statement, values)).all()
        by_name = {**self._constants, **values}
        return await within.fetch(self._text, [by_name[name] for name in self._names])

    @cached_property
    def _compiled(self) -> Any:
        return self._statement.compile(dialect=_DIALECT)

    @cached_property
    def _text(self) -> str:
        return str(self._compiled)

    @cached_property
    def _names(self) -> list[str]:
        """Of the parameters, in the order of their numbers."""
        return list(self._compiled.positiontup)

    @cached_property
    def _constants(self) -> dict[str, Any]:
        return dict(self._compiled.params)


@asynccontextmanager
async def connection(sessions: Sessions) -> AsyncIterator[DriverConnection]:
    """A connection for the most frequent statements, which select columns."""
    engine: AsyncEngine = sessions.kw["bind"]
    pool = cast(QueuePool, engine.sync_engine.pool)
    connected = await engine.connect().start()
    own = connected.sync_connection
    assert own is not None  # noqa: S101 - it has been started
    try:
        yield DriverConnection(own)
    finally:
        if pool.overflow() > 0:
            # A connection beyond the pool's size is closed, which waits for the server even when the task is cancelled.
            await asyncio.shield(connected.close())
        else:
            # Nothing is waited for.
            await connected.close()
