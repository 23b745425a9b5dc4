"""Who is let in when more come than can be answered in time.

One process answers so many requests at once; others wait in line for a moment and are then asked to come back. So those
who are let in are answered within a second however many come, and the line never holds what nobody waits for any more.
Whoever does something, such as paying, stands in a line of their own that is far more patient: a crowd that looks
around keeps nobody from buying, and five hundred who buy at the same moment all get their turn.
"""

import asyncio
import re
from collections import deque
from collections.abc import Callable
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
MOST_WAITING = 1_000
"""In each line."""
PATIENCE = 0.3
"""Seconds in line for who looks."""
PATIENCE_OF_ACTS = 10.0
LOOKS_EVERY = 4
"""Of so many places that become free while both lines wait, one is for who looks."""
MUTATION = re.compile(rb'"query"\s*:\s*"(?:\s|\\[nrt])*mutation\b')
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
        patience_of_acts: float = PATIENCE_OF_ACTS,
        place_seconds: float = PLACE_SECONDS,
    ) -> None:
        self._app = app
        self._free = most_at_once
        self._looks, self._acts = _Line(most_waiting, patience), _Line(most_waiting, patience_of_acts)
        self._turns = 0
        self._place_seconds = place_seconds
        self._refused = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in NEVER_REFUSED:
            await self._app(scope, receive, send)
            return
        early: list[Message] = []
        if _has_body(scope):
            early = await _read_ahead(receive)
            if early[-1]["type"] == "http.disconnect":
                return
            receive = _replayed(early, receive)
        if not await self._is_let_in(self._acts if _is_act(scope, early) else self._looks):
            self._note_refusal()
            await refusal(Unavailable(retry_after=randint(1, 3)))(scope, receive, send)  # noqa: S311
            return
        place = _Place(self, self._place_seconds)
        _held.set(place)
        try:
            await self._app(scope, receive, send)
        finally:
            place.leave()

    async def _is_let_in(self, line: "_Line") -> bool:
        if self._free > 0:
            self._free -= 1
            return True
        return await line.wait(self.let_next_in)

    def let_next_in(self) -> None:
        """A place has become free."""
        self._turns += 1
        lines = (self._looks, self._acts) if self._turns % LOOKS_EVERY == 0 else (self._acts, self._looks)
        if not any(line.call() for line in lines):
            self._free += 1

    def _note_refusal(self) -> None:
        """One line of the log a second, however many are refused."""
        if not self._refused:
            asyncio.get_running_loop().call_later(1, self._tell)
        self._refused += 1

    def _tell(self) -> None:
        log.warning("overload", refused=self._refused)
        self._refused = 0


class _Line:
    """First come, first served, as long as they have patience."""

    def __init__(self, most: int, patience: float) -> None:
        self._most = most
        self._patience = patience
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def wait(self, pass_on: Callable[[], None]) -> bool:
        """Whether this one's turn came in time. `pass_on` gives it to another when this one has left by then."""
        if len(self._waiting) >= self._most:
            return False
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await asyncio.wait_for(turn, self._patience)
        except TimeoutError:
            self._forget(turn)
            return False
        except asyncio.CancelledError:
            self._forget(turn)
            if turn.done() and not turn.cancelled():
                pass_on()
            raise
        return True

    def call(self) -> bool:
        """Tells the next that it is their turn; False when nobody waits."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return True
        return False

    def _forget(self, turn: asyncio.Future[None]) -> None:
        with suppress(ValueError):
            self._waiting.remove(turn)


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


def _is_act(scope: Scope, early: list[Message]) -> bool:
    """Whether something is to be done, not only shown."""
    if scope["path"] == "/graphql":
        return bool(early) and MUTATION.search(early[0].get("body", b"")) is not None
    return scope["method"] not in ("GET", "HEAD")


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
