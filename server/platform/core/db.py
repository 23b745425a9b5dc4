"""Engine, sessions and the declarative base."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID
from weakref import WeakSet

import asyncpg
import orjson
import structlog
from sqlalchemy import ARRAY, BigInteger, ColumnElement, DateTime, MetaData, Text, Uuid, any_, event, exc, literal, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, mapped_column

log = structlog.get_logger()

NOW = text("now()")

Id = Annotated[UUID, mapped_column(Uuid, primary_key=True, server_default=text("uuidv7()"))]
Cents = Annotated[int, mapped_column(BigInteger)]
Created = Annotated[datetime, mapped_column(server_default=NOW)]


class Base(DeclarativeBase):
    """Tables of every domain; constraint names follow one convention, so that migrations can name them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {
        datetime: DateTime(timezone=True),
        str: Text(),
        dict[str, Any]: JSONB(),
        list[Any]: JSONB(),
    }


Sessions = async_sessionmaker[AsyncSession]


class DatabaseUnavailable(ConnectionError):
    """The database cannot be reached, or the circuit breaker is tripped. Its cause is the operating system's error."""


class CircuitBreaker:
    """Fails every database connection of this process at once while the database cannot be reached.

    Closed, connections are made as usual; tripped, open ones are terminated and new ones refused until `reset`. Without
    it, requests to a host that has fallen silent would wait until their clients give up.
    """

    def __init__(self) -> None:
        self.is_closed = True
        self._connections: WeakSet[asyncpg.Connection] = WeakSet()
        self._connecting: set[asyncio.Task[asyncpg.Connection]] = set()

    async def connect(self, *address: Any, **options: Any) -> asyncpg.Connection:
        """A connection as asyncpg makes it. Raises DatabaseUnavailable while tripped, and when it trips."""
        if not self.is_closed:
            raise DatabaseUnavailable
        connecting = asyncio.create_task(asyncpg.connect(*address, **options))
        self._connecting.add(connecting)
        try:
            connection = await connecting
        except asyncio.CancelledError:
            if self.is_closed or _is_cancelled():
                raise
            raise DatabaseUnavailable from None
        except OSError as error:
            raise DatabaseUnavailable from error
        finally:
            self._connecting.discard(connecting)
        if not self.is_closed:
            connection.terminate()
            raise DatabaseUnavailable
        self._connections.add(connection)
        return connection

    def trip(self) -> None:
        """Terminates every connection: running statements fail, whatever became of them."""
        self.is_closed = False
        for connecting in self._connecting:
            connecting.cancel()
        for connection in list(self._connections):
            connection.terminate()

    def reset(self) -> None:
        """Allows new connections again."""
        self.is_closed = True


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def create_engine(
    url: str,
    *,
    pool_size: int = 15,
    max_overflow: int = 5,
    echo: bool = False,
    breaker: CircuitBreaker | None = None,
    lock_seconds: float = 0.0,
    transaction_pooler: bool = False,
    prepared_statements: bool = True,
) -> AsyncEngine:
    """An engine for a `postgresql+asyncpg://` URL (plain `postgresql://` is accepted and means the same).

    Connections use UTC and are made through the `breaker`; the database ends a statement that runs over 30 s, and one
    that waits over `lock_seconds` for what another transaction holds (0: none is ended for that). A
    `transaction_pooler` accepts neither timeout from a client, so the role has to have them.
    """
    timeouts = {"statement_timeout": "30000", "lock_timeout": f"{lock_seconds * 1000:.0f}"}
    engine = create_async_engine(
        asyncpg_url(url),
        pool_size=pool_size,
        max_overflow=max_overflow,
        pool_timeout=20,
        echo=echo,
        json_serializer=lambda value: orjson.dumps(value).decode(),
        json_deserializer=orjson.loads,
        connect_args={
            "async_creator_fn": (breaker or CircuitBreaker()).connect,
            "timeout": 5,
            "server_settings": {
                "timezone": "UTC",
                "application_name": "minimal",
                **({} if transaction_pooler else timeouts),
            },
            **({} if prepared_statements else _UNNAMED),
            **({"connection_class": _PooledConnection} if transaction_pooler else {}),
        },
    )
    event.listen(engine.sync_engine, "checkout", _replace_closed)
    event.listen(engine.sync_engine, "handle_error", _discard_demoted)
    event.listen(engine.sync_engine, "handle_error", _log_deadlock)
    return engine


class _PooledConnection(asyncpg.Connection):  # type: ignore[misc]
    """Does not switch JIT off for the session while the driver looks up types, and on again in another one."""

    _server_caps: Any

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._server_caps = self._server_caps._replace(jit=False)


_UNNAMED = {
    "statement_cache_size": 0,
    "prepared_statement_cache_size": 0,
    "prepared_statement_name_func": str,
}
"""Has each statement parsed in the trip that executes it, wherever the pooler sends that."""
READ_ONLY = "25006"
"""SQLSTATE read_only_sql_transaction: of a write that was sent to a standby."""
DEADLOCK = "40P01"
"""SQLSTATE deadlock_detected: the transaction was rolled back so that others could go on."""
LOGGED_STATEMENT = 300
"""Characters of a statement, which stands there without its values."""


def _discard_demoted(failure: ExceptionContext) -> None:
    """Counts a write refused as read-only as a lost connection: the server was demoted, and another is the primary.

    All connections of the pool are then replaced. A transaction that was begun as read-only has an error of its own.
    """
    if sqlstate(failure.original_exception) != READ_ONLY or failure.connection is None:
        return
    if not failure.connection.get_execution_options().get("postgresql_readonly"):
        failure.is_disconnect = True


def _log_deadlock(failure: ExceptionContext) -> None:
    """The transaction is repeated without any other trace, so the log has to show where locks cross."""
    if sqlstate(failure.original_exception) == DEADLOCK:
        statement = " ".join((failure.statement or "").split())
        log.warning("database.deadlock", statement=statement[:LOGGED_STATEMENT])


def _replace_closed(connection: Any, *_: object) -> None:
    """Makes the pool replace a connection that the server has closed. Testing it by a query takes three round trips."""
    if connection.driver_connection.is_closed():
        raise exc.InvalidatePoolError


def asyncpg_url(url: str) -> str:
    """The same URL with the driver named, since SQLAlchemy reads a bare `postgresql://` as psycopg."""
    for prefix in ("postgresql://", "postgres://"):
        if url.startswith(prefix):
            return "postgresql+asyncpg://" + url.removeprefix(prefix)
    return url


def sessionmaker(engine: AsyncEngine) -> Sessions:
    """Makes sessions whose objects stay readable after the commit."""
    return async_sessionmaker(engine, expire_on_commit=False)


@asynccontextmanager
async def autocommit(sessions: Sessions) -> AsyncIterator[AsyncSession]:
    """A session in which each statement is a transaction of its own: no BEGIN goes before, no COMMIT after it.

    For reads nothing else changes, as READ COMMITTED shows each statement a state of its own in any case.
    """
    async with sessions() as session:
        await session.connection(execution_options=_AUTOCOMMIT)
        yield session


_AUTOCOMMIT = {"isolation_level": "AUTOCOMMIT"}


@asynccontextmanager
async def begin(sessions: Sessions) -> AsyncIterator[AsyncSession]:
    """One transaction: committed when the block ends, rolled back when it raises."""
    async with sessions() as session, session.begin():
        yield session


def any_of(column: Any, values: Sequence[UUID]) -> ColumnElement[bool]:
    """`column = ANY(values)`: one statement with one parameter, however many there are. IN has one for each."""
    condition: ColumnElement[bool] = column == any_(literal(list(values), ARRAY(Uuid())))
    return condition


def is_unavailable(error: BaseException | None) -> bool:
    """Whether an error means that the database cannot be reached, is too slow, or has no connection to spare.

    Only errors of the driver and the pool do. An OSError counts only where a connection is made, as
    DatabaseUnavailable: any other is of a file or of another server. The driver also raises InterfaceError for its
    misuse.
    """
    seen = 0
    while error is not None and seen < 10:
        if isinstance(error, DatabaseUnavailable | exc.TimeoutError) or _is_closed(error):
            return True
        if isinstance(error, exc.DBAPIError) and (
            error.connection_invalidated or _has_unavailable_sqlstate(error.orig)
        ):
            return True
        if isinstance(error, asyncpg.PostgresError) and _has_unavailable_sqlstate(error):
            return True
        error, seen = cause_of(error), seen + 1
    return False


def cause_of(error: BaseException) -> BaseException | None:
    """What another error was raised from, or while it was handled."""
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def is_away(error: Exception) -> bool:
    """Whether a failed connection attempt proves that there is no database; a timeout does not prove it.

    A standby, which refuses LISTEN as read-only, is none either.
    """
    if isinstance(error, OSError):
        return not isinstance(error, TimeoutError)
    return sqlstate(error).startswith((*_DISCONNECTED_SQLSTATES, READ_ONLY))


_DISCONNECTED_SQLSTATES = ("08", "57P")
_UNAVAILABLE_SQLSTATES = (*_DISCONNECTED_SQLSTATES, "53", "57014", "55P03", DEADLOCK)
"""Lost connections and shutdown; out of resources; a statement or lock that timed out; a deadlock."""


def _has_unavailable_sqlstate(error: BaseException | None) -> bool:
    return sqlstate(error).startswith(_UNAVAILABLE_SQLSTATES)


def _is_closed(error: BaseException) -> bool:
    """Whether asyncpg reports a dead connection, as SQLAlchemy passes it on while it prepares a new one.

    The class alone is no evidence: misuse of a connection raises the same.
    """
    return isinstance(error, asyncpg.InterfaceError) and "connection is closed" in str(error)


def sqlstate(error: BaseException | None) -> str:
    """PostgreSQL's five-character error code, "" for an error that has none."""
    return str(getattr(error, "sqlstate", "") or "")
