"""The reports process, so that reports take no CPU time from requests of shoppers.

The web process starts it when an admin first asks for analytics, and answers by itself until it is ready. They talk
through a socket in a folder that only the shop's user can open: a pickled request, end of stream, a pickled response.
"""

import asyncio
import os
import pickle
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import structlog
import uvloop
from structlog.contextvars import bind_contextvars, get_contextvars

from server.app import ShopProcess
from server.catalog.cache import CachedResponse
from server.config import Settings
from server.core import gc_tuning, logs
from server.core.context import Context
from server.core.process_priority import lower_own_priority
from server.core.viewer import Viewer
from server.graphql_endpoint import UNAVAILABLE, GraphQLRequest
from server.run.process import end_with_parent
from server.web.load_shedding import release_slot

log = structlog.get_logger()

ROOT = Path(__file__).parents[2]
SECONDS_TO_ANSWER = 60.0
"""Reports run one at a time; the database ends each of their statements long before this."""
PAUSE = 10.0
"""Seconds between two starts, however often it dies."""
SECONDS_TO_END = 5.0


class ReportsRequest(NamedTuple):
    """A GraphQL request with its viewer."""

    asked: GraphQLRequest
    viewer: Viewer | None
    logged: dict[str, Any]
    """Fields of the web request's log lines."""


class ReportProcess:
    """The web process's client of the reports process."""

    def __init__(self) -> None:
        self._socket: Path | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._due = 0.0

    async def answer(self, asked: GraphQLRequest, context: Context) -> CachedResponse | None:
        """None until the process is ready; UNAVAILABLE when it dies or hangs before answering.

        Such a request is not executed here, because it may be what has ended the reports process.
        """
        if not await self._is_there():
            return None
        try:
            reader, writer = await asyncio.open_unix_connection(str(self._socket))
        except OSError:
            return None
        release_slot()
        try:
            writer.write(pickle.dumps(ReportsRequest(asked, context.viewer, get_contextvars())))
            writer.write_eof()
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                told = await reader.read()
        except OSError as error:
            log.warning("reports.lost", error=type(error).__name__)
            return UNAVAILABLE
        finally:
            writer.close()
        if not told:
            log.warning("reports.lost")
            return UNAVAILABLE
        answer: CachedResponse = pickle.loads(told)  # noqa: S301 - by the process that this one has started
        return answer

    async def _is_there(self) -> bool:
        """Starts the process if it does not run. Returns whether it is ready."""
        if self._process and self._process.returncode is None:
            return self._socket is not None and self._socket.exists()
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + PAUSE
            self._tidy()
            self._socket = Path(tempfile.mkdtemp(prefix="minimal-reports-"), "socket")
            command = (sys.executable, "-m", "server.run.reports", str(self._socket), str(os.getpid()))
            self._process = await asyncio.create_subprocess_exec(
                *command, cwd=ROOT, stdin=asyncio.subprocess.DEVNULL, start_new_session=True
            )
        return False

    async def close(self) -> None:
        """Ends the process; kills it after SECONDS_TO_END."""
        if self._process and self._process.returncode is None:
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), SECONDS_TO_END)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        self._tidy()

    def _tidy(self) -> None:
        """Removes the socket of a process that could not do so itself."""
        if self._socket:
            shutil.rmtree(self._socket.parent, ignore_errors=True)


async def serve(settings: Settings, socket: Path) -> None:
    """Answers requests until SIGTERM, which also comes when the web process ends.

    One request at a time; otherwise the database and the assembly of a response would use two CPUs.
    """
    shop, over, one_at_a_time = ShopProcess(settings), asyncio.Event(), asyncio.Lock()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            question: ReportsRequest = pickle.loads(await reader.read())  # noqa: S301 - nobody else can open the socket
            bind_contextvars(**question.logged)
            context = Context(settings, shop.sessions, shop.resources, question.viewer)
            async with one_at_a_time:
                found = await shop.graphql.answer_packed(question.asked, context)
            writer.write(pickle.dumps(found))
            await writer.drain()
        except ConnectionError:
            pass  # The web process has disconnected.
        finally:
            writer.close()

    async with shop.answering():
        server = await asyncio.start_unix_server(answer, socket)
        gc_tuning.freeze_startup_objects()
        await over.wait()
        server.close()


def main(socket: Path, parent: int) -> None:
    """Runs beside its parent; leaves nothing behind however that ends."""
    end_with_parent()
    lower_own_priority()
    logs.configure()
    try:
        if os.getppid() == parent:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(serve(Settings(), socket))
    finally:
        shutil.rmtree(socket.parent, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
