"""Who gets a processor first when there are fewer than there is to do."""

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

NICE = 10
"""A ninth of what somebody else gets who wants the same processor; all of it when nobody does."""


def lower_priority(pid: int, program: str) -> None:
    """Has another process of this machine leave processors to the others, on Linux and where we may say so.

    Linux shares a processor out among sessions first, and being nice counts only within one. Each of PostgreSQL's
    processes is a session of its own, so the session has to be nice as well. A process that is no such `program`, as in
    a container that numbers its own, is left alone.
    """
    with suppress(OSError):
        if Path("/proc", str(pid), "comm").read_text().strip() == program:
            _be_nice(pid)


def lower_own_priority() -> None:
    """The same for this process, which should lead a session of its own."""
    with suppress(OSError):
        _be_nice(os.getpid())


def lower_thread_priority() -> None:
    """Has the calling thread leave processors to the others of its process; on Linux, where threads have priorities."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


def _be_nice(pid: int) -> None:
    os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid) + NICE)
    Path("/proc", str(pid), "autogroup").write_text(str(NICE))
