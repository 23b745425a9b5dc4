"""Server-side rendering of the client's screens, by a V8 engine in this process."""

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
    """The result of one render attempt with the data given to it."""

    html: str
    asked: list[dict[str, Any]]
    """GraphQL operations, with variables and text, that the screen asked for and did not have."""
    waits: bool
    """True when a lazy part was not loaded yet; the next attempt has it."""
    title: str
    picture: dict[str, str] | None
    """`srcset` and `sizes` of the image to preload."""
    sources: list[str | None]
    """The screen's source file below client/src without its ending, then those of lazy parts."""


class Renderer:
    """One V8 isolate on a thread of its own, created when needed and again after a page has broken it.

    Methods never raise: what cannot be rendered in time is None, logged, and counted in `failures`.
    """

    def __init__(self, script: str | None) -> None:
        self._script = script
        self._isolate: MiniRacer | None = None
        self._thread = ThreadPoolExecutor(1, "renderer")
        self._calls = 0
        self.failures = 0

    @property
    def idle(self) -> bool:
        """Whether no render is running or queued."""
        return self._calls == 0

    async def draw(
        self, url: str, answers: Sequence[dict[str, Any]], owner: dict[str, Any] | None = None
    ) -> RenderResult | None:
        """Renders a page. `owner` is the signed-in account, as the browser stores it, for an account's own page."""
        drawn = await self._call("render", url, orjson.dumps(answers).decode(), orjson.dumps(owner).decode())
        return None if drawn is None else RenderResult(**drawn)

    async def head(
        self, url: str, title: str, status: int, answers: Sequence[dict[str, Any]], origin: str
    ) -> dict[str, Any] | None:
        """`status`, and `tags` for the page's head."""
        return await self._call("head", url, title, status, orjson.dumps(answers).decode(), origin)

    def failed(self, url: str, error: str) -> None:
        """Counts and logs a page that is sent without server-side rendering."""
        self.failures += 1
        log.warning("page.not_drawn", path=url.partition("?")[0], error=error, total=self.failures)

    def close(self) -> None:
        """Disposes of the isolate; a later call creates a new one."""
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
        """Raises TimeoutError; work still queued then is cancelled."""
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
        """Closes an isolate that ran out of time or memory, which would delay the end of the process."""
        if self._isolate is not None:
            self._isolate.close()
            self._isolate = None


def _kind(error: Exception) -> str:
    return type(error).__name__
