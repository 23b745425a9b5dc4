"""What a process has read and need not read again until LISTEN tells of a change."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from server.core.db import Sessions

T = TypeVar("T")


class CachedValue(Generic[T]):
    """One value, believed only while changes cannot be missed; otherwise it is read each time."""

    def __init__(self, read: Callable[[AsyncSession], Awaitable[T]]) -> None:
        self._read = read
        self._listening = False
        self._generation = 0
        self._known: T | None = None

    async def get(self, sessions: Sessions) -> T:
        if self._known is not None and self._listening:
            return self._known
        generation = self._generation
        async with sessions() as session:
            found = await self._read(session)
        if generation == self._generation:
            self._known = found
        return found

    def changed(self, _payload: str = "") -> None:
        """LISTEN says that it changed, or may have while it was not connected."""
        self._listening = True
        self.forget()

    def forget(self) -> None:
        """What was read so far does not count any more, nor what is being read now."""
        self._generation += 1
        self._known = None

    def connection_lost(self) -> None:
        """News can be missed from now on."""
        self._listening = False
