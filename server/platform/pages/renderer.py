"""Server-side rendering of the client's screens, by a V8 engine in a process of its own."""

import asyncio
import os
import socket
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

import orjson
import structlog

from server.platform.core.package_data import ROOT, package_data
from server.platform.pages.drawing_turns import DrawingTurns
from server.platform.pages.isolate import LENGTH_BYTES, framed

log = structlog.get_logger()

SCRIPT = package_data("client/dist/.first-view/first-view.js")
"""The client's screens as one script, as `just build` makes it."""
BOOT_SECONDS = 20.0
LONGEST_SECONDS = 5.0
WARM_UP = 'firstView.render("/","[]","null",0,"")'
"""Evaluated first: V8 compiles what it runs, so a screen without data makes the first real one quicker."""
GRACE_SECONDS = 1.0
"""By which V8's own limit comes before ours, which ends its process."""


class NotDrawn(Exception):
    """The expression failed; the argument is the kind of its error."""


@dataclass(frozen=True)
class RenderResult:
    """The result of one render attempt with the data given to it."""

    html: str
    asked: list[dict[str, Any]]
    """GraphQL operations, with variables and text, that the screen needs and does not have."""
    waits: bool
    """True when a lazy part was not loaded yet; the next attempt has it."""
    title: str
    picture: dict[str, str] | None
    """`srcset` and `sizes` of the image to preload."""
    sources: list[str | None]
    """The screen's source file below client/src without its ending, then those of lazy parts."""


class Renderer:
    """One V8 isolate in a process of its own, started by `start` or when needed, and again after a page has broken it.

    Methods never raise: what cannot be rendered in time is None, logged, and counted in `failures`.
    """

    def __init__(self, script: Path = SCRIPT) -> None:
        """Nothing is rendered where there is no such file.

        It stays open, so that V8 is always given the script of this build, also when a later one has replaced it.
        """
        self._script = script.open("rb") if script.exists() else None
        self._process: Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._streams: tuple[StreamReader, StreamWriter] | None = None
        self._turns = DrawingTurns()
        self._calls = set[asyncio.Task[Any]]()
        self.failures = 0

    @property
    def idle(self) -> bool:
        """Whether no render is running or queued."""
        return not self._calls

    @property
    def pid(self) -> int | None:
        """The process that draws; None while there is none."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Starts the process, which loads V8 and the script, and warms up, while this one does something else."""
        if self._script is None:
            return
        self._socket, theirs = socket.socketpair()
        script = self._script.fileno()
        command = (
            sys.executable,
            "-m",
            "server.platform.pages.isolate",
            str(script),
            str(BOOT_SECONDS),
            str(LONGEST_SECONDS),
        )
        # In V8 nothing of the shop's settings is needed, so a page that broke out of it would find none.
        env = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "LC_ALL", "TZ")}
        with theirs:
            self._socket.sendall(framed(WARM_UP))
            self._process = Popen(  # noqa: S603 - this Python, on a module of ours
                command,
                cwd=ROOT,
                env=env,
                pass_fds=[script],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=DEVNULL,
            )

    async def open(self) -> None:
        """Waits for the process, and starts it if need be, before the first request."""
        if self._script is not None:
            try:
                await self._evaluate("true")
            except NotDrawn as error:
                self.failed("", str(error))

    async def draw(
        self,
        url: str,
        answers: Sequence[dict[str, Any]],
        owner: dict[str, Any] | None = None,
        *,
        year: int,
        name: str,
        is_endless: bool = False,
    ) -> RenderResult | None:
        """Renders a page in a `year`, of the site with this `name`.

        `owner` is the signed-in account, as the browser stores it, for its own page.
        """
        arguments = (url, orjson.dumps(answers).decode(), orjson.dumps(owner).decode(), year, name)
        drawn = await self._call("render", *arguments, is_endless=is_endless)
        return None if drawn is None else RenderResult(**drawn)

    async def head(
        self,
        url: str,
        title: str,
        status: int,
        answers: Sequence[dict[str, Any]],
        origin: str,
        *,
        name: str,
        is_endless: bool = False,
    ) -> dict[str, Any] | None:
        """`status`, and `tags` for the page's head. `origin` and `name` are those of the site."""
        arguments = (url, title, status, orjson.dumps(answers).decode(), origin, name)
        return await self._call("head", *arguments, is_endless=is_endless)

    def failed(self, url: str, error: str) -> None:
        """Counts and logs a page that is sent without server-side rendering."""
        self.failures += 1
        log.warning("page.not_drawn", path=url.partition("?")[0], error=error, total=self.failures)

    async def close(self) -> None:
        """Ends the process; a later call starts another one."""
        await self._end()

    async def _call(self, function: str, *arguments: str | int, is_endless: bool) -> dict[str, Any] | None:
        """The caller may be cancelled meanwhile: the exchange over the pipe is completed all the same."""
        if self._script is None:
            return None
        literals = ",".join(orjson.dumps(argument).decode() for argument in arguments)
        call = asyncio.create_task(self._evaluate(f"firstView.{function}({literals})", is_endless=is_endless))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        try:
            drawn: dict[str, Any] = orjson.loads(await asyncio.shield(call))
        except NotDrawn as error:
            self.failed(str(arguments[0]), str(error))
            return None
        return drawn

    async def _evaluate(self, expression: str, *, is_endless: bool = False) -> Any:
        """The value of an expression. Raises NotDrawn, also where it waits for its turn for too long."""
        try:
            async with asyncio.timeout(LONGEST_SECONDS) as waiting, self._turns.turn(is_endless=is_endless):
                waiting.reschedule(None)
                return await self._send(expression)
        except TimeoutError as error:
            raise NotDrawn("TimeoutError") from error

    async def _send(self, expression: str) -> Any:
        try:
            async with asyncio.timeout(BOOT_SECONDS):
                streams = self._streams or await self._connect()
            async with asyncio.timeout(LONGEST_SECONDS + GRACE_SECONDS):
                answer = await _exchange(*streams, expression)
        except (TimeoutError, OSError, EOFError) as error:
            await self._end()
            raise NotDrawn(type(error).__name__) from error
        if "error" in answer:
            if answer["error"] != "JSEvalException":
                await self._end()
            raise NotDrawn(answer["error"])
        return answer["value"]

    async def _connect(self) -> tuple[StreamReader, StreamWriter]:
        if self._process is None:
            self.start()
        streams = await asyncio.open_unix_connection(sock=self._socket)
        try:
            warmed = await _answer(streams[0])
        except BaseException:
            streams[1].close()
            raise
        if "error" in warmed:
            self.failed("", warmed["error"])
        self._streams = streams
        return streams

    async def _end(self) -> None:
        process, streams = self._process, self._streams
        self._process = self._streams = None
        if streams is not None:
            streams[1].close()
        elif self._socket is not None:
            self._socket.close()
        self._socket = None
        if process is not None:
            process.kill()
            await asyncio.to_thread(process.wait)


async def _exchange(reader: StreamReader, writer: StreamWriter, expression: str) -> dict[str, Any]:
    """Raises EOFError when the process has ended."""
    writer.write(framed(expression))
    await writer.drain()
    return await _answer(reader)


async def _answer(reader: StreamReader) -> dict[str, Any]:
    length = await reader.readexactly(LENGTH_BYTES)
    answer: dict[str, Any] = orjson.loads(await reader.readexactly(int.from_bytes(length, "big")))
    return answer
