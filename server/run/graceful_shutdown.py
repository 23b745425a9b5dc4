"""How the web server leaves: nobody who is on the way to it, or in the middle of an answer, is let down."""

import asyncio
import socket
from collections.abc import Sequence

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from server.run import systemd

IDLE_SECONDS = 5.0
"""So long a connection that is kept open for more may stay silent before it is closed."""


class GracefulServer(uvicorn.Server):
    """Takes no more connections after SIGTERM and asks those it has, with their next answer, to go elsewhere.

    uvicorn by itself closes idle connections at once, which loses the request that is on its way over one of them.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        systemd.tell("READY=1")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
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
        """Waits until everybody has left, or only those are here who say nothing."""
        loop = asyncio.get_running_loop()
        until = loop.time() + IDLE_SECONDS
        # A connection that was just accepted is counted a moment later.
        await asyncio.sleep(0.1)
        # uvicorn tells nobody when a connection ends.
        while self.server_state.connections and not self.force_exit and loop.time() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def run(config: uvicorn.Config, sockets: Sequence[socket.socket]) -> None:
    """Serves until SIGTERM or SIGINT. Without sockets it opens its own. Raises SystemExit when it cannot."""
    server = GracefulServer(config)
    server.run(list(sockets) or None)
    if not server.started:
        raise SystemExit(3)
