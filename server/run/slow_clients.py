"""How long a client may keep a connection waiting, and how much it may make the server hold meanwhile.

The HTTP implementation parses and answers; this adds what it leaves open: a head has to come whole within seconds, a
body at a minimal rate, an answer has to be taken. When there are too many connections, the one that has kept the
server waiting longest makes room, and those that were never answered before those that were.
"""

import asyncio
import resource
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_CONNECTIONS = 1_000
HEAD_SECONDS = 10.0
HEAD_BYTES = 64_000
MOST_HEADERS = 100
MOST_PIPELINED = 8
"""Requests sent before the earlier ones were answered; browsers send none."""
BODY_SECONDS = 15.0
BODY_RATE = 2_000
"""Bytes a second that have to come on average, after the first seconds."""
MOST_DISCARDED = 32_000_000
"""So much of a body is still read after the request was answered, so that the client gets to see the answer."""
WRITE_SECONDS = 30.0
"""Some of an answer has to be taken within so many."""
HEARING_SECONDS = 0.02
"""What a new connection has said by then is read before any has to make room for it."""
LOOK_SECONDS = 2.0
"""How often a connection is looked at."""
OTHER_FILES = 500
"""Files and connections that the process needs besides."""

_SAID = {408: b"Request Timeout", 431: b"Request Header Fields Too Large", 503: b"Service Unavailable"}
_BYE = b"content-length: 0\r\nconnection: close\r\n\r\n"


class RequestTooLarge(Exception):
    """Ends the parser's work on what has come; the connection is closed already."""


class CoalescingTransport(asyncio.Transport):
    """The way out of one answer, whose head goes together with the beginning of its body: in one packet, not in two.

    Whoever waits would be woken by the head and, on the same machine, take the processor before the body is written.
    """

    def __init__(self, connection: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._connection = connection
        self._loop = loop
        self._head: bytes | None = None
        self._has_begun = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
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
        return self._connection.is_closing()

    def close(self) -> None:
        self._begin()
        self._connection.close()


class GuardedConnection(HttpToolsProtocol):
    """One connection of a client that may be slow, endless or dead."""

    _asked_at = 0.0
    """When a request was last waited for, by the loop's clock, like all that follows."""
    _head_until: float | None = None
    """When its head has to be whole; None when it is."""
    _head_bytes = 0
    _body_began: float | None = None
    """When its body began to come; None when it is whole."""
    _body_bytes = 0
    _discarded = 0
    _unwritten = 0
    _written_at = 0.0
    """When some of the answers was last seen taken."""
    _was_answered = False

    @property
    def waits_since(self) -> float | None:
        """Since when the client owes something; None while the server does."""
        if self._head_until is not None or self._body_began is not None:
            return self._asked_at
        return self._written_at if self.flow.write_paused else None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head(HEAD_SECONDS)
        self._written_at = self._asked_at
        self._look = self.loop.call_later(LOOK_SECONDS, self._look_after)
        if len(self.connections) > MOST_CONNECTIONS:
            # After a burst the first timer may be due at once; between it and a second one, what has come is read.
            self.loop.call_later(HEARING_SECONDS, self.loop.call_later, HEARING_SECONDS, self._make_room)

    def connection_lost(self, exc: Exception | None) -> None:
        self._look.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_until is not None:
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self._refuse(431)

    def send_400_response(self, msg: str) -> None:
        if not self.transport.is_closing():
            super().send_400_response(msg)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_until, self._head_bytes = self.loop.time() + HEAD_SECONDS, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= MOST_HEADERS:
            self._refuse(431)
            raise RequestTooLarge
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
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
        self._body_bytes += len(body)
        if self.cycle is not None and self.cycle.response_complete:
            self._discarded += len(body)
            if self._discarded > MOST_DISCARDED:
                self.transport.close()
                raise RequestTooLarge
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._body_began = None
        super().on_message_complete()
        if self.cycle is not None and self.cycle.response_complete:
            self._wait_for_head(self.timeout_keep_alive + HEAD_SECONDS)

    def on_response_complete(self) -> None:
        is_last = not self.pipeline
        self._was_answered = True
        super().on_response_complete()
        if is_last and self._body_began is None:
            self._wait_for_head(self.timeout_keep_alive + HEAD_SECONDS)

    def _wait_for_head(self, seconds: float) -> None:
        self._asked_at = self.loop.time()
        self._head_until = self._asked_at + seconds
        self._head_bytes = 0

    def _look_after(self) -> None:
        """Closes the connection when the client is overdue, and looks again later when it is not."""
        if self.transport.get_protocol() is not self:
            return  # A WebSocket by now, which has rules of its own.
        now = self.loop.time()
        if self._is_stuck(now):
            self.transport.abort()
        elif self._is_overdue(now):
            self._refuse(408)
        self._look = self.loop.call_later(LOOK_SECONDS, self._look_after)

    def _is_overdue(self, now: float) -> bool:
        if self.transport.is_closing():
            return False
        patience = LOOK_SECONDS if self.flow.read_paused else 0  # It is the server that does not read then.
        if self._head_until is not None:
            self._head_until += patience
            return now > self._head_until
        if self._body_began is not None:
            self._body_began += patience
            return now - self._body_began > BODY_SECONDS + self._body_bytes / BODY_RATE
        return False

    def _is_stuck(self, now: float) -> bool:
        """Whether nothing of what is to be written has been taken for long."""
        unwritten = self.transport.get_write_buffer_size()
        if unwritten == 0 or unwritten < self._unwritten:
            self._written_at = now
        self._unwritten = unwritten
        return now - self._written_at > WRITE_SECONDS

    def _make_room(self) -> None:
        if len(self.connections) <= MOST_CONNECTIONS or self.transport.is_closing():
            return
        others = [each for each in self.connections if isinstance(each, GuardedConnection) and each is not self]
        waiting = [(each._was_answered, each.waits_since, each) for each in others if each.waits_since is not None]
        if waiting:
            *_, longest = min(waiting, key=lambda each: each[:2])
            self.connections.discard(longest)
            longest.transport.abort()
        elif self._head_until is not None:
            self._refuse(503)

    def _refuse(self, status: int) -> None:
        """Says so where nothing has been said yet, and closes."""
        if self.cycle is None or (self.cycle.response_complete and self._head_until is not None):
            retry = b"retry-after: 2\r\n" if status == 503 else b""
            self.transport.write(b"HTTP/1.1 %d %s\r\n%b" % (status, _SAID[status], retry) + _BYE)
        self.transport.close()


def allow_files(number: int = MOST_CONNECTIONS + OTHER_FILES) -> None:
    """Lets this process have so many files open, or as many as the system lets it."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if most == resource.RLIM_INFINITY else min(number, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def serving_options() -> dict[str, Any]:
    """What uvicorn has to be told for all that."""
    return {"http": GuardedConnection, "limit_concurrency": None}
