"""How a process runs that serves no HTTP: until a signal ends it."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import uvloop

from server.platform.core import gc_tuning
from server.platform.processes import systemd


class RoleProcess(Protocol):
    """A process of the shop, made and ready to run."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Does its work until the end of the block."""


def run_until_terminated(make: Callable[[], RoleProcess]) -> None:
    """Runs what `make` makes in an event loop, until SIGTERM or SIGINT."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_until_terminated(make))


async def _until_terminated(make: Callable[[], RoleProcess]) -> None:
    over = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    async with make().running():
        gc_tuning.freeze_startup_objects()
        systemd.tell("READY=1")
        feeding = asyncio.create_task(systemd.feed_watchdog())
        await over.wait()
        systemd.tell("STOPPING=1")
        feeding.cancel()
