"""systemd's protocols: inherited sockets (sd_listen_fds), readiness and watchdog (sd_notify)."""

import asyncio
import os
import socket
from contextlib import suppress

_FIRST = 3


def inherited_sockets() -> list[socket.socket]:
    """The listening sockets that this process has inherited; empty when it has to open its own.

    Call it once: it takes them over and hides them from child processes.
    """
    is_mine = os.environ.pop("LISTEN_PID", "") == str(os.getpid())
    count = int(os.environ.pop("LISTEN_FDS", "0"))
    descriptors = range(_FIRST, _FIRST + count) if is_mine else ()
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    return [socket.socket(fileno=descriptor) for descriptor in descriptors]


def tell(state: str) -> None:
    """Sends `READY=1` or `STOPPING=1` to systemd, if it started this process."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there:
            there.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            there.sendall(state.encode())


async def feed_watchdog() -> None:
    """Notifies systemd twice in each interval that the event loop runs, if the unit has a WatchdogSec."""
    interval = int(os.environ.get("WATCHDOG_USEC", "0")) / 1_000_000
    while interval:
        tell("WATCHDOG=1")
        await asyncio.sleep(interval / 2)
