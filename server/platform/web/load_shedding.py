"""Load shedding: a process serves a limited number of requests at once, queues some briefly, and refuses the others.

So admitted requests are answered within a second under any load, and no queue holds requests whose clients have given
up. The sender decides which queue a request joins (`visitors`). Buyers go first, and the other
priorities keep a share of the slots, so neither browsing nor signing-in crowds keep buyers from paying, and signing-in
crowds keep no visitor from browsing. A request that waits for a scarcer worker, such as the one that hashes passwords,
holds no slot meanwhile (`core/slots`).
"""

import asyncio
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from math import ceil
from random import randint

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.platform.core import errors, metrics, slots
from server.platform.core.fair_queue import FairQueue
from server.platform.web.headers import header
from server.platform.web.known_requests import BODY, RESPONSE, FindResponse, KnownRequests
from server.platform.web.queues import Priority, Visitor
from server.platform.web.refusals import refuse
from server.platform.web.rest import MAX_BODY
from server.platform.web.visitors import Visitors

log = structlog.get_logger()

MAX_CONCURRENT = 12
"""More at once would not finish sooner: the process has one core and twenty database connections."""
MAX_QUEUED = 1_000
"""In each queue."""
READ_QUEUE_TIMEOUT = 0.3
WRITE_QUEUE_TIMEOUT = 10.0
"""Seconds that a request waits for a slot."""
IMAGE_QUEUE_TIMEOUT = 5.0
"""Longer, since a page loads dozens of images at once, and a late image is better than none."""
SHARES = {
    Priority.BUYER: 1.0,
    Priority.SIGNED_IN: 3 / 4,
    Priority.ANONYMOUS: 1 / 2,
    Priority.ANONYMOUS_WRITE: 1 / 4,
}
"""Fraction of the slots for requests of this priority and lower ones together; the rest stays free for higher ones."""
SHARES_BESIDE_BUYERS = {
    Priority.BUYER: 1.0,
    Priority.SIGNED_IN: 1 / 2,
    Priority.ANONYMOUS: 1 / 4,
    Priority.ANONYMOUS_WRITE: 1 / 12,
}
"""The same while a buyer is served: requests with a slot share one core, so they delay each other."""
_ROUND = (
    *(Priority.BUYER, Priority.BUYER, Priority.SIGNED_IN),
    *(Priority.BUYER, Priority.BUYER, Priority.ANONYMOUS),
)
TURNS = (*_ROUND, *_ROUND, Priority.ANONYMOUS_WRITE)
"""Whose turn it is when a slot becomes free while all queues wait; no queue starves."""
MUTATION = re.compile(rb'"query"\s*:\s*"(?:\s|\\[nrt])*mutation\b')
SLOT_SECONDS = 10.0
"""A request that exceeds this is treated as stuck and releases its slot."""
WEBHOOK_BYTES = 256_000
MAX_FROM_MEMORY = 24
"""Known responses that go out without a slot in one iteration of the event loop: some milliseconds of work."""
MAX_BESIDE_QUEUES = 8
"""The same while a request waits for a slot: a millisecond of work."""
EXEMPT_PATHS = frozenset({"/livez", "/readyz", "/early.js", "/sw.js", "/favicon.svg", "/robots.txt"})
"""Always served. A refused probe would restart the process when it is needed most."""
EXEMPT_FILES = "/assets/"
"""Files of the client, from memory: a refusal costs as much as the file, and a missing script breaks the page."""


class ConcurrencyLimiter:
    """Responds 503 with Retry-After when no slot becomes free in time; such a request has had no effect.

    WebSocket handshakes hold a slot too, until they are answered.
    """

    def __init__(
        self,
        app: ASGIApp,
        visitors: Visitors,
        known: KnownRequests | None = None,
        *,
        max_concurrent: int = MAX_CONCURRENT,
        max_queued: int = MAX_QUEUED,
        read_queue_timeout: float = READ_QUEUE_TIMEOUT,
        write_queue_timeout: float = WRITE_QUEUE_TIMEOUT,
        slot_seconds: float = SLOT_SECONDS,
    ) -> None:
        self._app = app
        self._visitors = visitors
        self._known = known
        self._from_memory = 0
        self._free = max_concurrent
        self._held = [0] * len(Priority)
        self._limits = _limits(SHARES, max_concurrent)
        self._limits_beside_buyers = _limits(SHARES_BESIDE_BUYERS, max_concurrent)
        self._queues = {priority: FairQueue(max_queued) for priority in Priority}
        self._read_timeout, self._write_timeout = read_queue_timeout, write_queue_timeout
        self._slot_seconds = slot_seconds
        self._turns = 0
        self._is_waking = False
        self._refused = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or WebSocket handshake once it has a slot."""
        if scope["type"] not in ("http", "websocket") or _is_exempt(scope["path"]):
            await self._app(scope, receive, send)
            return
        early: list[Message] = []
        if _has_body(scope, self._max_body(scope)):
            early = await _read_ahead(receive, self._max_body(scope))
            if early[-1]["type"] == "http.disconnect":
                return
            receive = _replayed(early, receive)
        if scope["type"] == "http" and _is_whole(scope, early):
            scope[BODY] = _body(early)
        make_response = self._known_request(scope)
        if make_response and self._may_skip_slot() and (response := make_response()):
            scope[RESPONSE] = response
            await self._app(scope, receive, send)
            return
        try:
            visitor = await self._visitor(scope, early)
        except errors.StoreError as error:
            # The request log behind this never sees it, and a wrong webhook secret would go unnoticed.
            log.info("request", method=scope.get("method", "GET"), path=scope["path"], status=error.status)
            await refuse(error, scope, receive, send)
            return
        if not await self.admit(visitor, self._timeout(scope, early)):
            await refuse(errors.Unavailable(retry_after=randint(1, 3)), scope, receive, send)  # noqa: S311
            return
        if make_response:
            # What was current when it came may not be so after its wait.
            scope[RESPONSE] = make_response()
        await self._serve(visitor, scope, receive, send)

    async def admit(self, visitor: Visitor, seconds: float, *, is_begun: bool = False) -> bool:
        """Waits at most `seconds` for a slot, which the caller releases. Counts a refusal.

        A request that `is_begun` goes before others of its client.
        """
        if self._may_enter(visitor.priority):
            self._take(visitor.priority)
            if visitor.priority is not Priority.BUYER:
                self._wake()
            return True
        queue = self._queues[visitor.priority]
        is_admitted = await queue.wait(
            visitor.client, seconds, lambda: self.release(visitor.priority), is_begun=is_begun
        )
        if not is_admitted:
            self._note_refusal(visitor.priority)
        return is_admitted

    def release(self, priority: Priority) -> None:
        """Returns a slot and wakes the next waiting request."""
        self._free += 1
        self._held[priority] -= 1
        self._wake()

    async def _serve(self, visitor: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        slot = RequestSlot(self, visitor, self._slot_seconds, self._write_timeout)
        slots.CURRENT.set(slot)

        async def send_handshake(message: Message) -> None:
            slot.end()
            await send(message)

        try:
            await self._app(scope, receive, send if scope["type"] == "http" else send_handshake)
        finally:
            slot.end()

    def _known_request(self, scope: Scope) -> FindResponse | None:
        return self._known.find(scope, scope[BODY]) if self._known and BODY in scope else None

    def _may_skip_slot(self) -> bool:
        """Whether a response from memory, which costs no more than a refusal, may go out at once.

        Only so many in one iteration of the event loop, and none while a request other than a buyer's waits; otherwise
        the request queues like any other. If all had to while any request waits, a queue of a few persistent clients
        would never end.
        """
        is_queue = self._has_queue()
        if is_queue and (self._held[Priority.BUYER] or self._queues[Priority.BUYER]):
            return False
        if self._from_memory == 0:
            asyncio.get_running_loop().call_soon(self._end_iteration)
        self._from_memory += 1
        return self._from_memory <= (MAX_BESIDE_QUEUES if is_queue else MAX_FROM_MEMORY)

    def _end_iteration(self) -> None:
        self._from_memory = 0

    def _has_queue(self) -> bool:
        """Whether requests wait that have no less priority than a visitor's reads."""
        return any(queue for priority, queue in self._queues.items() if priority <= Priority.ANONYMOUS)

    async def _visitor(self, scope: Scope, early: list[Message]) -> Visitor:
        """The request's sender. Raises a StoreError for a webhook that the provider has not signed."""
        if self._visitors.is_webhook(scope) and BODY not in scope:
            raise errors.TooLarge
        is_busy = self._has_queue() or not self._has_room(Priority.ANONYMOUS)
        visitor = await self._visitors.of(scope, scope.get(BODY, b""), is_busy=is_busy)
        if visitor.priority is Priority.ANONYMOUS and _is_write(scope, early):
            return replace(visitor, priority=Priority.ANONYMOUS_WRITE)
        return visitor

    def _may_enter(self, priority: Priority) -> bool:
        """Whether the request gets a slot at once: there is room, and no other waits for it."""
        is_next = priority is Priority.BUYER or not self._is_waking
        return is_next and not self._queues[priority] and self._has_room(priority)

    def _has_room(self, priority: Priority) -> bool:
        and_below = sum(self._held[priority:])
        limits = self._limits_beside_buyers if self._held[Priority.BUYER] else self._limits
        return self._free > 0 and and_below < limits[priority]

    def _take(self, priority: Priority) -> None:
        self._free -= 1
        self._held[priority] += 1

    def _wake(self) -> None:
        """Schedules slots for the event loop's next iteration: one in each for requests below buyers.

        Requests that only compute never wait. If a hundred of them got slots in one iteration, all would run before a
        buyer's request, which waits for the database again and again, made its next step.
        """
        if not self._is_waking:
            self._is_waking = True
            asyncio.get_running_loop().call_soon(self._give_slots)

    def _give_slots(self) -> None:
        self._is_waking = False
        served: Priority | None = Priority.BUYER
        while served is Priority.BUYER:
            served = self._serve_next()
        if served is not None:
            self._wake()

    def _serve_next(self) -> Priority | None:
        """Gives a slot to the next waiting request. Returns its priority, None when none may enter."""
        scheduled = TURNS[self._turns % len(TURNS)]
        for priority in (scheduled, *(each for each in Priority if each is not scheduled)):
            if self._has_room(priority) and self._queues[priority].call():
                self._take(priority)
                self._turns += 1
                return priority
        return None

    def _timeout(self, scope: Scope, early: list[Message]) -> float:
        if scope["path"].startswith("/images/"):
            return max(self._read_timeout, IMAGE_QUEUE_TIMEOUT)
        return self._write_timeout if _is_write(scope, early) else self._read_timeout

    def _max_body(self, scope: Scope) -> int:
        return WEBHOOK_BYTES if self._visitors.is_webhook(scope) else MAX_BODY

    def _note_refusal(self, priority: Priority) -> None:
        """Counts a refusal; at most one line a second is logged."""
        metrics.REFUSED.labels(priority.name.lower()).inc()
        if not self._refused:
            asyncio.get_running_loop().call_later(1, self._log_refusals)
        self._refused += 1

    def _log_refusals(self) -> None:
        log.warning("overload", refused=self._refused)
        self._refused = 0


class RequestSlot:
    """A request's slot. It is released when the request is answered, waits for something scarcer, or is stuck."""

    def __init__(self, limiter: ConcurrencyLimiter, visitor: Visitor, seconds: float, timeout: float) -> None:
        """`seconds` until it counts as stuck; `timeout` of the wait for another one."""
        self._limiter = limiter
        self._visitor = visitor
        self._seconds = seconds
        self._timeout = timeout
        self._is_over = False
        self._is_held = True
        self._stuck = self._until_stuck()

    def release(self) -> None:
        """Returns the slot; has no effect the second time."""
        if self._is_held:
            self._is_held = False
            self._stuck.cancel()
            self._limiter.release(self._visitor.priority)

    async def take_again(self) -> None:
        """Waits for a slot before new requests of this visitor, unless there is one or the request has ended.

        Raises Unavailable.
        """
        if self._is_held or self._is_over:
            return
        if not await self._limiter.admit(self._visitor, self._timeout, is_begun=True):
            raise errors.Unavailable
        if self._is_held or self._is_over:
            self._limiter.release(self._visitor.priority)
        else:
            self._is_held, self._stuck = True, self._until_stuck()

    def end(self) -> None:
        """Returns the slot of a request that is answered."""
        self._is_over = True
        self.release()

    def _until_stuck(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._seconds, self.release)


def _limits(shares: Mapping[Priority, float], max_concurrent: int) -> dict[Priority, int]:
    return {priority: ceil(max_concurrent * share) for priority, share in shares.items()}


def _is_exempt(path: str) -> bool:
    return path in EXEMPT_PATHS or path.startswith(EXEMPT_FILES)


def _is_write(scope: Scope, early: list[Message]) -> bool:
    """Whether the request changes something. Decides how long it may wait, and a visitor's priority."""
    if scope["type"] == "websocket":
        return False
    if scope["path"] == "/graphql":
        body = early[0].get("body", b"") if early else b""
        # Looking for a word is much cheaper than for a pattern, and most requests do not have it.
        return b"mutation" in body and MUTATION.search(body) is not None
    return scope["method"] not in ("GET", "HEAD")


def _has_body(scope: Scope, most: int | None = None) -> bool:
    """Whether a body follows that is small enough to wait for; larger ones are left to the route to refuse."""
    if scope["type"] == "websocket":
        return False
    length = header(scope, b"content-length") or b"0"
    is_some = length.isdigit() and int(length) > 0
    is_chunked = header(scope, b"transfer-encoding") is not None
    return is_chunked or (is_some and (most is None or int(length) <= most))


def _is_whole(scope: Scope, early: list[Message]) -> bool:
    """Whether all of the request's body was read ahead."""
    return not early[-1].get("more_body", False) if early else not _has_body(scope)


def _body(early: list[Message]) -> bytes:
    return b"".join(message.get("body", b"") for message in early)


async def _read_ahead(receive: Receive, most: int) -> list[Message]:
    """The body, or its beginning: a client that sends slowly must not hold a slot meanwhile."""
    early, size = [], 0
    while True:
        message = await receive()
        early.append(message)
        size += len(message.get("body", b""))
        if not message.get("more_body", False) or size > most:
            return early


def _replayed(early: list[Message], receive: Receive) -> Receive:
    waiting = deque(early)

    async def receive_again() -> Message:
        return waiting.popleft() if waiting else await receive()

    return receive_again
