"""Process and thread priorities: which of them gets the CPU first when it is short."""

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

NICE = 10
"""Gives a ninth of the CPU time of a process with normal priority, and all of it while the CPU is otherwise idle."""


def lower_priority(pid: int, program: str) -> None:
    """Lowers the CPU priority of another process of this machine, on Linux and where this is permitted.

    Linux divides the CPU among sessions first, and niceness counts only within one. Each PostgreSQL process leads its
    own session, so the session's priority is lowered too. A process that is not this `program` is left alone:
    containers have process ids of their own.
    """
    with suppress(OSError):
        if Path("/proc", str(pid), "comm").read_text().strip() == program:
            _be_nice(pid)


def lower_own_priority() -> None:
    """Lowers the CPU priority of this process, which should lead a session of its own."""
    with suppress(OSError):
        _be_nice(os.getpid())


def lower_thread_priority() -> None:
    """Lowers the CPU priority of the calling thread, on Linux, where threads have priorities."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


def _be_nice(pid: int) -> None:
    os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid) + NICE)
    Path("/proc", str(pid), "autogroup").write_text(str(NICE))
