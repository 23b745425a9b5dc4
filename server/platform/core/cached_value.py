"""One value from the database, cached in memory until a notification of its change."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core.db import Sessions, autocommit

T = TypeVar("T")


class CachedValue(Generic[T]):
    """Caches a value while the LISTEN connection is up; without it, every `get` reads the database."""

    def __init__(self, read: Callable[[AsyncSession], Awaitable[T]]) -> None:
        self._read = read
        self._listening = False
        self._generation = 0
        self._known: T | None = None
        self._last: T | None = None

    @property
    def known(self) -> T | None:
        """The cached value; None when it has to be read."""
        return self._known if self._listening else None

    @property
    def last(self) -> T | None:
        """The value that was read last, which may be outdated; None before the first."""
        return self._last

    async def get(self, sessions: Sessions) -> T:
        """The cached value, or one read in a short session of its own."""
        if (cached := self.known) is not None:
            return cached
        generation = self._generation
        async with autocommit(sessions) as session:
            value = await self._read(session)
        self._last = value
        if generation == self._generation:
            self._known = value
        return value

    def changed(self, _payload: str = "") -> None:
        """Drops the value: a notification arrived, or one may have been missed while disconnected."""
        self._listening = True
        self.forget()

    def forget(self) -> None:
        """Drops the cached value, and keeps a read that is still running from being cached."""
        self._generation += 1
        self._known = None

    def connection_lost(self) -> None:
        """Stops caching until the LISTEN connection is back, since notifications can be missed."""
        self._listening = False
