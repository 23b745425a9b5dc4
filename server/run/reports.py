"""The reports process, so that reports take no CPU time from requests of shoppers.

The web process starts it when an admin first asks for analytics, and answers by itself until it is ready. They talk
through a socket in a folder that only the shop's user can open. A request is one JSON document and the end of the
stream; a response is a line of JSON, which says how long what follows is, then the body, plain and compressed.
"""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import orjson
import structlog
import uvloop
from pydantic import TypeAdapter, ValidationError
from structlog.contextvars import bind_contextvars, get_contextvars

from server.app import ShopProcess
from server.catalog.cache import CachedResponse
from server.config import Settings
from server.core import gc_tuning, logs
from server.core.context import Context
from server.core.package_data import ROOT
from server.core.process_priority import lower_own_priority
from server.core.viewer import Viewer
from server.gql.execution import MAX_ADMIN_ANSWER_BYTES
from server.graphql_endpoint import UNAVAILABLE, GraphQLRequest
from server.run.process import end_with_parent
from server.web.load_shedding import release_slot
from server.web.rest import MAX_ADMIN_BODY

log = structlog.get_logger()

SECONDS_TO_ANSWER = 60.0
"""Reports run one at a time; the database ends each of their statements long before this."""
PAUSE = 10.0
"""Seconds between two starts, however often it dies."""
SECONDS_TO_END = 5.0
MAX_REQUEST = 2 * MAX_ADMIN_BODY
"""Bytes. The body that an admin may send, as JSON in JSON, with the viewer."""
MAX_RESPONSE = 2 * MAX_ADMIN_ANSWER_BYTES
"""Bytes: a response and its compressed form."""


@dataclass(frozen=True)
class ReportsRequest:
    """A GraphQL request with its viewer."""

    asked: GraphQLRequest
    viewer: Viewer | None
    logged: dict[str, Any]
    """Fields of the web request's log lines."""

    def written(self) -> bytes:
        """As JSON."""
        return _REQUEST.dump_json(self)

    @classmethod
    def read(cls, written: bytes) -> "ReportsRequest":
        """Raises ValueError for what `written` has not made."""
        return _REQUEST.validate_json(written)


_REQUEST = TypeAdapter(ReportsRequest)


@dataclass(frozen=True)
class _Head:
    """The first line of a response: a CachedResponse without its bodies, and their bytes."""

    body: int
    gzipped: int | None
    unavailable: bool
    complete: bool
    status: int
    seconds: float | None
    stale: float | None


_HEAD = TypeAdapter(_Head)


def write_response(answer: CachedResponse) -> bytes:
    """The response as it goes through the socket."""
    head = _Head(
        len(answer.body),
        None if answer.gzipped is None else len(answer.gzipped),
        answer.unavailable,
        answer.complete,
        answer.status,
        None if answer.seconds == inf else answer.seconds,
        answer.stale,
    )
    return b"".join((orjson.dumps(head), b"\n", answer.body, answer.gzipped or b""))


def read_response(written: bytes) -> CachedResponse:
    """What `write_response` wrote. Raises ValueError when it is not whole."""
    line, _, bodies = written.partition(b"\n")
    head = _HEAD.validate_json(line)
    if len(bodies) != head.body + (head.gzipped or 0):
        raise ValueError("A response of the reports process was cut off.")
    return CachedResponse(
        bodies[: head.body],
        head.unavailable,
        head.complete,
        head.status,
        None if head.gzipped is None else bodies[head.body :],
        inf if head.seconds is None else head.seconds,
        head.stale,
    )


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
            writer.write(ReportsRequest(asked, context.viewer, get_contextvars()).written())
            writer.write_eof()
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                return read_response(await _read(reader, MAX_RESPONSE))
        except (OSError, ValueError) as error:
            log.warning("reports.lost", error=type(error).__name__)
            return UNAVAILABLE
        finally:
            writer.close()

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
            question = ReportsRequest.read(await _read(reader, MAX_REQUEST))
            bind_contextvars(**question.logged)
            context = Context(settings, shop.sessions, shop.resources, question.viewer)
            async with one_at_a_time:
                found = await shop.graphql.answer_packed(question.asked, context)
            writer.write(write_response(found))
            await writer.drain()
        except ConnectionError:
            pass  # The web process has disconnected.
        except (TooLong, ValidationError) as error:
            log.error("reports.unreadable", error=type(error).__name__)
        finally:
            writer.close()

    async with shop.answering():
        server = await asyncio.start_unix_server(answer, socket)
        gc_tuning.freeze_startup_objects()
        await over.wait()
        server.close()


async def _read(reader: asyncio.StreamReader, most: int) -> bytes:
    """Everything until the end of the stream. Raises TooLong after `most` bytes."""
    parts, left = [], most
    while part := await reader.read(256 * 1024):
        left -= len(part)
        if left < 0:
            raise TooLong(f"More than {most} bytes came through the socket of the reports process.")
        parts.append(part)
    return b"".join(parts)


class TooLong(ValueError):
    """More came than the one side sends or the other can mean."""


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
