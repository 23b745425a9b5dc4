"""Graceful shutdown: running requests finish, and keep-alive connections are closed with their next response.

uvicorn itself closes idle connections at once, which loses a request that is already on its way.
"""

import asyncio
import signal
import socket
from collections.abc import Sequence
from typing import Never

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server.platform.processes import systemd

ACCEPTED_AT_ONCE = 8
"""Connections that a turn of the event loop accepts. libuv accepts one for each descriptor that it listens on, so that
the socket has several: a busy loop turns seldom, and who connects would wait for seconds."""
IDLE_SECONDS = 5.0
"""A keep-alive connection that stays silent this long is closed."""


class GracefulServer(uvicorn.Server):
    """After SIGTERM accepts no connections, and sends `Connection: close` with each remaining response."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As in uvicorn; notifies systemd that the server is ready."""
        await super().startup(sockets)
        systemd.tell("READY=1")
        self._feeding = asyncio.create_task(systemd.feed_watchdog())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Waits until the connections are done, then shuts down as uvicorn does."""
        systemd.tell("STOPPING=1")
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        self.server_state.default_headers = [*self.server_state.default_headers, (b"connection", b"close")]
        for connection in list(self.server_state.connections):
            if not isinstance(connection, HttpToolsProtocol):
                connection.shutdown()
            elif connection.cycle is not None and not connection.cycle.response_started:
                connection.cycle.keep_alive = False
        await self._empty()
        await super().shutdown(sockets)

    async def _empty(self) -> None:
        """Waits until all connections are closed or idle for too long."""
        loop = asyncio.get_running_loop()
        until = loop.time() + IDLE_SECONDS
        # uvicorn counts a new connection a moment after it was accepted.
        await asyncio.sleep(0.1)
        # uvicorn has no callback for the end of a connection.
        while self.server_state.connections and not self.force_exit and loop.time() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def run(config: uvicorn.Config, sockets: Sequence[socket.socket]) -> None:
    """Serves until SIGTERM or SIGINT, without sockets on its own. Raises SystemExit then, and when it cannot start.

    uvicorn ends by the signal that it was sent, which by default kills the process before its `atexit` functions have
    run: those that send the last traces, for one.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    server = GracefulServer(config)
    opened = list(sockets) or [config.bind_socket()]
    for each in opened:
        # Processes share whether a socket blocks, and `dup` sets it anew, to what Python knows of it: until this one
        # listens, another's event loop would block in an `accept` without a client.
        each.setblocking(False)
    server.run([*opened, *(each.dup() for each in opened for _ in range(1, ACCEPTED_AT_ONCE))])
    if not server.started:
        raise SystemExit(3)


def _leave(*_: object) -> Never:
    raise SystemExit(0)
