"""Who is let in when more come than can be answered in time.

One process answers so many requests at once; others wait in line for a moment and are then asked to come back. So those
who are let in are answered within a second however many come, and the line never holds what nobody waits for any more.
"""

import asyncio
from collections import deque
from contextlib import suppress
from contextvars import ContextVar
from random import randint

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.core.errors import Unavailable
from server.core.rest import OF_A_STRANGER, refusal

log = structlog.get_logger()

MOST_AT_ONCE = 12
"""More at once are not answered sooner: the process has one core and twenty connections to the database."""
MOST_WAITING = 500
PATIENCE = 0.3
"""Seconds in line."""
PLACE_SECONDS = 10.0
"""Whoever takes longer is stuck, and holds nobody up any more."""
NEVER_REFUSED = frozenset({"/livez", "/readyz", "/api/payment/webhook"})
"""Whoever watches over the process, and the payment provider, would draw wrong conclusions."""


_held: ContextVar["_Place | None"] = ContextVar("place", default=None)


def step_aside() -> None:
    """Gives this request's place to the next in line: from here on it waits for somebody else, not for this process."""
    if place := _held.get():
        place.leave()


class Admission:
    """Answers 503 with Retry-After to those who cannot be let in soon enough; nothing was begun for them."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        most_at_once: int = MOST_AT_ONCE,
        most_waiting: int = MOST_WAITING,
        patience: float = PATIENCE,
        place_seconds: float = PLACE_SECONDS,
    ) -> None:
        self._app = app
        self._free = most_at_once
        self._most_waiting = most_waiting
        self._patience = patience
        self._place_seconds = place_seconds
        self._line: deque[asyncio.Future[None]] = deque()
        self._refused = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in NEVER_REFUSED:
            await self._app(scope, receive, send)
            return
        if _has_body(scope):
            early = await _read_ahead(receive)
            if early[-1]["type"] == "http.disconnect":
                return
            receive = _replayed(early, receive)
        if not await self._is_let_in():
            self._note_refusal()
            await refusal(Unavailable(retry_after=randint(1, 3)))(scope, receive, send)  # noqa: S311
            return
        place = _Place(self, self._place_seconds)
        _held.set(place)
        try:
            await self._app(scope, receive, send)
        finally:
            place.leave()

    async def _is_let_in(self) -> bool:
        if self._free > 0:
            self._free -= 1
            return True
        if len(self._line) >= self._most_waiting:
            return False
        turn = asyncio.get_running_loop().create_future()
        self._line.append(turn)
        try:
            await asyncio.wait_for(turn, self._patience)
        except TimeoutError:
            with suppress(ValueError):
                self._line.remove(turn)
            return False
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.let_next_in()
            raise
        return True

    def let_next_in(self) -> None:
        """A place has become free."""
        while self._line:
            turn = self._line.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _note_refusal(self) -> None:
        """One line of the log a second, however many are refused."""
        if not self._refused:
            asyncio.get_running_loop().call_later(1, self._tell)
        self._refused += 1

    def _tell(self) -> None:
        log.warning("overload", refused=self._refused)
        self._refused = 0


class _Place:
    """Given back once: when the request has been answered, steps aside, or takes too long."""

    def __init__(self, admission: Admission, seconds: float) -> None:
        self._admission = admission
        self._end = asyncio.get_running_loop().call_later(seconds, self.leave)
        self._is_held = True

    def leave(self) -> None:
        if self._is_held:
            self._is_held = False
            self._end.cancel()
            self._admission.let_next_in()


def _has_body(scope: Scope) -> bool:
    """Whether something is to come that is small enough to wait for; what is larger is for the route to refuse."""
    headers = Headers(scope=scope)
    length = headers.get("content-length", "0")
    return "transfer-encoding" in headers or (length.isdigit() and 0 < int(length) <= OF_A_STRANGER)


async def _read_ahead(receive: Receive) -> list[Message]:
    """A body, or its beginning: a client that sends slowly must hold no place meanwhile."""
    early, size = [], 0
    while True:
        message = await receive()
        early.append(message)
        size += len(message.get("body", b""))
        if not message.get("more_body", False) or size > OF_A_STRANGER:
            return early


def _replayed(early: list[Message], receive: Receive) -> Receive:
    waiting = deque(early)

    async def receive_again() -> Message:
        return waiting.popleft() if waiting else await receive()

    return receive_again
