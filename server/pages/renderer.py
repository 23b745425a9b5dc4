"""The client's own screens, drawn by a V8 inside this process."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import orjson
import structlog
from py_mini_racer import JSEvalException, MiniRacer

log = structlog.get_logger()

BOOT_SECONDS = 20.0
LONGEST_SECONDS = 5.0
MEGABYTES = 256


@dataclass(frozen=True)
class RenderResult:
    """One attempt at a page, as far as the answers reached."""

    html: str
    asked: list[dict[str, Any]]
    """Operations with their variables and text, which the screen asked for and was not told."""
    waits: bool
    """A part of it was not loaded yet; the next attempt has it."""
    title: str
    picture: dict[str, str] | None
    """`srcset` and `sizes` of the picture to fetch first."""
    sources: list[str | None]
    """The source file of the screen, below client/src, without its ending, then those of parts loaded after it."""


class Renderer:
    """One isolate on a thread of its own, made when it is first needed and made anew when a page has broken it.

    Nothing here raises: what cannot be drawn in time is None, logged and counted in `failures`.
    """

    def __init__(self, script: str | None) -> None:
        self._script = script
        self._isolate: MiniRacer | None = None
        self._thread = ThreadPoolExecutor(1, "renderer")
        self._calls = 0
        self.failures = 0

    @property
    def idle(self) -> bool:
        """Nobody waits for a page."""
        return self._calls == 0

    async def draw(
        self, url: str, answers: Sequence[dict[str, Any]], owner: dict[str, Any] | None = None
    ) -> RenderResult | None:
        """`owner` is who is signed in on a page of their own, as the browser remembers them."""
        drawn = await self._call("render", url, orjson.dumps(answers).decode(), orjson.dumps(owner).decode())
        return None if drawn is None else RenderResult(**drawn)

    async def head(
        self, url: str, title: str, status: int, answers: Sequence[dict[str, Any]], origin: str
    ) -> dict[str, Any] | None:
        """`status`, and `tags` for the page's head."""
        return await self._call("head", url, title, status, orjson.dumps(answers).decode(), origin)

    def failed(self, url: str, error: str) -> None:
        """Counts a page that goes out undrawn, and says which."""
        self.failures += 1
        log.warning("page.not_drawn", path=url.partition("?")[0], error=error, total=self.failures)

    def close(self) -> None:
        """Lets go of the isolate; a later call would make a new one."""
        self._thread.submit(self._drop).result()

    async def _call(self, function: str, *arguments: str | int) -> dict[str, Any] | None:
        if self._script is None:
            return None
        self._calls += 1
        try:
            if self._isolate is None:
                await self._on_thread(self._boot, BOOT_SECONDS)
            answer = await self._on_thread(lambda: self._run(function, arguments), LONGEST_SECONDS)
        except (JSEvalException, TimeoutError) as error:
            self.failed(str(arguments[0]), _kind(error))
            return None
        finally:
            self._calls -= 1
        drawn: dict[str, Any] = orjson.loads(answer)
        return drawn

    async def _on_thread(self, work: Callable[[], Any], seconds: float) -> Any:
        """Raises TimeoutError; work that is still queued then is not begun any more."""
        return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(self._thread, work), seconds)

    def _boot(self) -> None:
        if self._isolate is None and self._script is not None:
            isolate = MiniRacer()
            isolate.set_hard_memory_limit(MEGABYTES * 1_000_000)
            isolate.eval(self._script, timeout_sec=BOOT_SECONDS)
            self._isolate = isolate

    def _run(self, function: str, arguments: Sequence[str | int]) -> str:
        self._boot()
        assert self._isolate is not None  # noqa: S101
        call = f"firstView.{function}({','.join(orjson.dumps(argument).decode() for argument in arguments)})"
        try:
            return str(self._isolate.eval(call, timeout_sec=LONGEST_SECONDS))
        except JSEvalException as error:
            if _kind(error) != "JSEvalException":
                self._drop()
            raise

    def _drop(self) -> None:
        """An isolate that ran out of time or memory holds up the process's end unless it is closed."""
        if self._isolate is not None:
            self._isolate.close()
            self._isolate = None


def _kind(error: Exception) -> str:
    return type(error).__name__
