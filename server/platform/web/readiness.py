"""/readyz: whether this process can serve. Queries the database at most once a second, and only after loading."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from server.platform.core.errors import Unavailable
from server.platform.web.rest import refusal

ANSWER_SECONDS = 1.0
"""How long a result is reused."""


class Readiness:
    """Runs one check at a time and reuses its result briefly, since probes are exempt from every limit.

    Until `is_loaded` nothing is checked, so that no reused result delays the moment at which the process is ready.
    """

    def __init__(
        self,
        check: Callable[[], Awaitable[bool]],
        is_loaded: Callable[[], bool] = lambda: True,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._check = check
        self._is_loaded = is_loaded
        self._clock = clock
        self._running: asyncio.Task[bool] | None = None
        self._asked_at = 0.0

    async def endpoint(self, _request: Request) -> Response:
        """200; or 503 while the process cannot serve, without its database or before it has loaded the catalogue."""
        return PlainTextResponse("ready") if await self.is_ready() else refusal(Unavailable())

    async def is_ready(self) -> bool:
        """The check's result. Raises what the check raised."""
        if not self._is_loaded():
            return False
        if self._running is None or (self._running.done() and self._clock() - self._asked_at >= ANSWER_SECONDS):
            self._running = asyncio.create_task(self._timed_check())
        # A probe that disconnects must not cancel the check that others wait for.
        return await asyncio.shield(self._running)

    async def _timed_check(self) -> bool:
        try:
            return await self._check()
        finally:
            self._asked_at = self._clock()
