"""Whose turn it is to be drawn: one renderer draws one page at a time."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

FEW_IN_A_ROW = 3
"""Turns of the shop's own screens after which an endless address has one."""


class DrawingTurns:
    """Screens of which there are only so many go first; endless addresses, such as searches, have every fourth turn."""

    def __init__(self) -> None:
        self._waiting: dict[bool, deque[asyncio.Future[None]]] = {False: deque(), True: deque()}
        self._is_taken = False
        self._in_a_row = 0

    @asynccontextmanager
    async def turn(self, *, is_endless: bool) -> AsyncIterator[None]:
        """Waits for a turn, which lasts as long as the block."""
        await self._wait(is_endless)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, is_endless: bool) -> None:
        if not self._is_taken:
            self._is_taken = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[is_endless].append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while any(self._waiting.values()):
            few, endless = self._waiting[False], self._waiting[True]
            is_endless = not few or (bool(endless) and self._in_a_row >= FEW_IN_A_ROW)
            self._in_a_row = 0 if is_endless else self._in_a_row + 1
            turn = self._waiting[is_endless].popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._is_taken = False
