"""Slow-client protection: limits on how long a client may delay a connection and how much memory that may take.

uvicorn's HTTP implementation parses and responds; this adds timeouts for the request head, a minimal rate for the body,
and a timeout for a client that does not read. With too many connections, the one that has delayed the server longest is
closed, those without any response so far first.
"""

import asyncio
import resource
import select
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_CONNECTIONS = 1_000
HEAD_SECONDS = 10.0
HEAD_BYTES = 64_000
MOST_HEADERS = 100
MOST_PIPELINED = 8
"""Requests sent before earlier ones were answered; browsers send none."""
BODY_SECONDS = 15.0
BODY_RATE = 2_000
"""Minimal average in bytes a second, after BODY_SECONDS."""
MOST_DISCARDED = 32_000_000
"""How much of a body is still read after the response, so that the client can receive that."""
WRITE_SECONDS = 30.0
"""The client has to read some of the response within this."""
GRACE_SECONDS = 0.02
"""What a new connection sends within this is read before any is closed for it."""
LOOK_SECONDS = 2.0
"""Interval of the checks of a connection."""
OTHER_FILES = 500
"""Other files and connections that the process needs."""

_REASONS = {408: b"Request Timeout", 431: b"Request Header Fields Too Large", 503: b"Service Unavailable"}
_CLOSE = b"content-length: 0\r\nconnection: close\r\n\r\n"


class RequestTooLarge(Exception):
    """Stops the parser; the connection is already closed."""


class CoalescingTransport(asyncio.Transport):
    """Sends the response head and the first body chunk in one write.

    Two small packets would wake the client twice, and on the same machine it would take the CPU before the body is
    written.
    """

    def __init__(self, connection: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._connection = connection
        self._loop = loop
        self._head: bytes | None = None
        self._has_begun = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Holds the head back until the body or the next iteration of the event loop."""
        if self._has_begun:
            self._connection.write(data)
        elif self._head is None:
            self._head = bytes(data)
            self._loop.call_soon(self._begin)
        else:
            self._begin(data)

    def _begin(self, data: bytes | bytearray | memoryview = b"") -> None:
        """Without data when the body does not follow at once."""
        if not self._has_begun:
            self._has_begun = True
            self._connection.writelines([self._head or b"", data])

    def is_closing(self) -> bool:
        """As of the connection."""
        return self._connection.is_closing()

    def close(self) -> None:
        """Writes what is held back, then closes the connection."""
        self._begin()
        self._connection.close()


class GuardedConnection(HttpToolsProtocol):
    """One connection of a client that may be slow, endless or dead. All times are the event loop's."""

    _asked_at = 0.0
    """When the server last began to wait for a request."""
    _head_until: float | None = None
    """Deadline of the request head; None when it is complete."""
    _head_bytes = 0
    _body_began: float | None = None
    """When the body began; None when it is complete."""
    _body_bytes = 0
    _discarded = 0
    _unwritten = 0
    _written_at = 0.0
    """When the client was last seen to read some of the response."""
    _was_answered = False

    @property
    def waits_since(self) -> float | None:
        """Since when the server waits for the client; None while the client waits for the server."""
        if self._head_until is not None or self._body_began is not None:
            return self._asked_at
        return self._written_at if self.flow.write_paused else None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the timers; too many connections make room."""
        super().connection_made(transport)
        self._wait_for_head(HEAD_SECONDS)
        self._written_at = self._asked_at
        self._look = self.loop.call_later(LOOK_SECONDS, self._recheck)
        if len(self.connections) > MOST_CONNECTIONS:
            # After a burst the first timer may be due at once; received data is read before the second one.
            self.loop.call_later(GRACE_SECONDS, self.loop.call_later, GRACE_SECONDS, self._make_room)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the timers."""
        self._look.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Refuses a request head over HEAD_BYTES with 431."""
        super().data_received(data)
        if self._head_until is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._refuse(431)

    def send_400_response(self, msg: str) -> None:
        """As in uvicorn, unless the connection is closed."""
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def on_message_begin(self) -> None:
        """Starts the timeout of a request head."""
        super().on_message_begin()
        self._head_until, self._head_bytes = self.loop.time() + HEAD_SECONDS, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """Refuses more than MOST_HEADERS headers with 431."""
        if len(self.headers) >= MOST_HEADERS:
            self._refuse(431)
            raise RequestTooLarge
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begins to count the body; closes connections with too many pipelined requests."""
        if len(self.pipeline) >= MOST_PIPELINED:
            self.transport.abort()
            raise RequestTooLarge
        self._head_until = None
        self._body_began, self._body_bytes, self._discarded = self.loop.time(), 0, 0
        self._prefer_host_of_target()
        super().on_headers_complete()
        if self.cycle is not None and self.scope["method"] != "HEAD":
            self.cycle.transport = CoalescingTransport(self.transport, self.loop)

    def _prefer_host_of_target(self) -> None:
        """A target such as `http://shop.example/path` replaces the Host header (RFC 9112, 3.2.2)."""
        if self.url.startswith((b"/", b"*")):
            return
        target = httptools.parse_url(self.url)
        name = target.host or b""
        host = b"[%b]" % name if b":" in name else name
        host += b":%d" % target.port if target.port else b""
        self.headers[:] = [header for header in self.headers if header[0] != b"host"] + [(b"host", host)]
        self.url = (target.path or b"/") + (b"?" + target.query if target.query else b"")

    def on_body(self, body: bytes) -> None:
        """Counts the body; closes the connection when too much follows after the response."""
        self._body_bytes += len(body)
        if self.cycle is not None and self.cycle.response_complete:
            self._discarded += len(body)
            if self._discarded > MOST_DISCARDED:
                self.transport.close()
                raise RequestTooLarge
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Waits for the next request when the response was sent before the body's end."""
        self._body_began = None
        super().on_message_complete()
        if self.cycle is not None and self.cycle.response_complete:
            self._wait_for_head(self.timeout_keep_alive + HEAD_SECONDS)

    def on_response_complete(self) -> None:
        """Waits for the next request when this was the last."""
        is_last = not self.pipeline
        self._was_answered = True
        super().on_response_complete()
        if is_last and self._body_began is None:
            self._wait_for_head(self.timeout_keep_alive + HEAD_SECONDS)

    def _wait_for_head(self, seconds: float) -> None:
        self._asked_at = self.loop.time()
        self._head_until = self._asked_at + seconds
        self._head_bytes = 0

    def _recheck(self) -> None:
        """Closes the connection when the client exceeds a limit; otherwise schedules the next check."""
        if self.transport.get_protocol() is not self:
            return  # It is a WebSocket now, which has its own timeouts.
        now = self.loop.time()
        if self._is_stuck(now):
            self.transport.abort()
        elif self._is_overdue(now):
            self._refuse(408)
        self._look = self.loop.call_later(LOOK_SECONDS, self._recheck)

    def _is_overdue(self, now: float) -> bool:
        if self.transport.is_closing():
            return False
        patience = LOOK_SECONDS if self.flow.read_paused else 0  # Then it is the server that does not read.
        if self._head_until is not None:
            self._head_until += patience
            return now > self._head_until
        if self._body_began is not None:
            self._body_began += patience
            return now - self._body_began > BODY_SECONDS + self._body_bytes / BODY_RATE
        return False

    def _is_stuck(self, now: float) -> bool:
        """Whether the client has read nothing of the pending response for too long."""
        unwritten = self.transport.get_write_buffer_size()
        if unwritten == 0 or unwritten < self._unwritten:
            self._written_at = now
        self._unwritten = unwritten
        return now - self._written_at > WRITE_SECONDS

    def _make_room(self) -> None:
        if len(self.connections) <= MOST_CONNECTIONS or self.transport.is_closing():
            return
        longest = self._longest_waiting()
        if longest is not None:
            self.connections.discard(longest)
            longest.transport.abort()
        elif self._head_until is not None and not self._has_sent():
            self._refuse(503)

    def _longest_waiting(self) -> "GuardedConnection | None":
        """The other connection whose client has delayed the server longest; those without any response come first."""
        others = [each for each in self.connections if isinstance(each, GuardedConnection) and each is not self]
        waiting = [(each._was_answered, each.waits_since, each) for each in others if each._may_be_closed()]
        for *_, connection in sorted(waiting, key=lambda each: each[:2]):
            if not connection._has_sent():
                return connection
        return None

    def _may_be_closed(self) -> bool:
        """Whether the server waits for this client, which had time to send its first request."""
        is_past_grace = self._was_answered or self.loop.time() - self._asked_at >= 2 * GRACE_SECONDS
        return is_past_grace and self.waits_since is not None

    def _has_sent(self) -> bool:
        """Whether the client has sent something that a busy event loop has not read yet: then it is not silent."""
        socket = self.transport.get_extra_info("socket")
        sent = select.poll()
        sent.register(socket.fileno(), select.POLLIN)
        return bool(sent.poll(0))

    def _refuse(self, status: int) -> None:
        """Responds with the status unless a response has begun, and closes the connection."""
        if self.cycle is None or (self.cycle.response_complete and self._head_until is not None):
            retry = b"retry-after: 2\r\n" if status == 503 else b""
            self.transport.write(b"HTTP/1.1 %d %s\r\n%b" % (status, _REASONS[status], retry) + _CLOSE)
        self.transport.close()


def allow_files(number: int = MOST_CONNECTIONS + OTHER_FILES) -> None:
    """Raises this process's limit of open files to this number, or to what the system allows."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = number if most == resource.RLIM_INFINITY else min(number, most)
    if now != resource.RLIM_INFINITY and now < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))


def serving_options() -> dict[str, Any]:
    """uvicorn's options for these limits."""
    return {"http": GuardedConnection, "limit_concurrency": None}
