"""Engine, sessions and the declarative base."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import orjson
from sqlalchemy import BigInteger, DateTime, MetaData, Text, Uuid, exc, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, mapped_column

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


def create_engine(url: str, *, pool_size: int = 15, max_overflow: int = 5, echo: bool = False) -> AsyncEngine:
    """An engine for a `postgresql+asyncpg://` URL (plain `postgresql://` is accepted and means the same).

    Connections speak UTC; a statement that runs over 30 s is ended by the database.
    """
    return create_async_engine(
        asyncpg_url(url),
        pool_size=pool_size,
        max_overflow=max_overflow,
        pool_timeout=20,
        pool_pre_ping=True,
        echo=echo,
        json_serializer=lambda value: orjson.dumps(value).decode(),
        json_deserializer=orjson.loads,
        connect_args={
            "timeout": 5,
            "server_settings": {"timezone": "UTC", "application_name": "minimal", "statement_timeout": "30000"},
        },
    )


def asyncpg_url(url: str) -> str:
    """The same URL with the driver named, since SQLAlchemy reads a bare `postgresql://` as psycopg."""
    for prefix in ("postgresql://", "postgres://"):
        if url.startswith(prefix):
            return "postgresql+asyncpg://" + url.removeprefix(prefix)
    return url


def sessionmaker(engine: AsyncEngine) -> Sessions:
    return async_sessionmaker(engine, expire_on_commit=False)


@asynccontextmanager
async def begin(sessions: Sessions) -> AsyncIterator[AsyncSession]:
    """One transaction: committed when the block ends, rolled back when it raises."""
    async with sessions() as session, session.begin():
        yield session


def is_unavailable(error: BaseException | None) -> bool:
    """Whether an error says that the database cannot be reached, or has no connection to spare."""
    seen = 0
    while error is not None and seen < 10:
        if isinstance(error, OSError | exc.TimeoutError | exc.InterfaceError):
            return True
        if isinstance(error, exc.DBAPIError) and (error.connection_invalidated or _is_connection_trouble(error.orig)):
            return True
        error, seen = error.__cause__ or error.__context__, seen + 1
    return False


def _is_connection_trouble(error: BaseException | None) -> bool:
    code = str(getattr(error, "sqlstate", "") or "")
    return code.startswith(("08", "57P", "53"))
