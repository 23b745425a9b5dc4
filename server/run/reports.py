"""`python -m server reports`: a process that answers admins' questions about analytics.

So they take no CPU time from requests of shoppers, and an error in one ends no other request.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator

import structlog
from pydantic import ValidationError
from structlog.contextvars import bind_contextvars

from server import wiring
from server.config import Settings
from server.graphql_endpoint import GraphQLEndpoint
from server.platform.core import logs
from server.platform.core.context import Context
from server.platform.core.process_priority import lower_own_priority
from server.platform.processes.console import CommandRefused
from server.platform.processes.systemd import inherited_sockets
from server.run.database import connected, look
from server.run.metrics import trace, with_metrics
from server.run.reports_socket import MAX_REQUEST, ReportsRequest, TooLong, read_all, write_response
from server.run.roles import run_until_terminated
from server.run.startup_checks import check_contents, check_settings
from server.shop_process import DRAIN_SECONDS, ShopProcess

log = structlog.get_logger()


class ReportsProcess(ShopProcess):
    """Executes one GraphQL document at a time; otherwise the database and the response would take two CPUs."""

    role = "reports"

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._follower = wiring.keep_catalog(self.listener, self.resources)
        self._graphql = GraphQLEndpoint(settings)
        self._one_at_a_time = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answers until the end of the block, on inherited sockets or the one of the settings."""
        follow = self._follower.run(self.sessions, at_once=False)
        async with self.doing(follow):
            sockets = inherited_sockets()
            if sockets:
                servers = [await asyncio.start_unix_server(self._answer, sock=each) for each in sockets]
            else:
                before = os.umask(0o077)
                try:
                    servers = [await asyncio.start_unix_server(self._answer, self.settings.reports_socket)]
                finally:
                    os.umask(before)
            try:
                yield
            finally:
                for server in servers:
                    server.close()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._one_at_a_time.acquire(), DRAIN_SECONDS)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = ReportsRequest.read(await read_all(reader, MAX_REQUEST))
            bind_contextvars(**request.logged)
            context = Context(self.settings, self.sessions, self.resources, request.viewer)
            async with self._one_at_a_time:
                writer.write(write_response(await self._graphql.answer_packed(request.asked, context)))
                await writer.drain()
        except ConnectionError:
            pass  # The web process has disconnected.
        except (TooLong, ValidationError) as error:
            log.error("reports.unreadable", error=type(error).__name__)
        finally:
            writer.close()


def answer_reports(settings: Settings) -> None:
    """Answers until SIGTERM or SIGINT. Raises CommandRefused without a socket, and when the shop may not open."""
    logs.configure()
    check_settings(settings)
    trace(settings, "reports")
    if not settings.reports_socket and "LISTEN_FDS" not in os.environ:
        raise CommandRefused("REPORTS_SOCKET has to name the socket on which the web processes ask for reports.")
    lower_own_priority()
    with connected(settings) as here:
        check_contents(here, look(here.direct_url))
        run_until_terminated(lambda: with_metrics(ReportsProcess(here)))
