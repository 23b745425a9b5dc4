"""What systemd gives to a service: open sockets (sd_listen_fds), and somebody to tell that it is ready (sd_notify)."""

import os
import socket
from contextlib import suppress

_FIRST = 3


def inherited_sockets() -> list[socket.socket]:
    """The listening sockets that this process was started with; none for one that has to open its own.

    Asked once: afterwards they belong to who asked, and no child process takes them for its own.
    """
    is_mine = os.environ.pop("LISTEN_PID", "") == str(os.getpid())
    count = int(os.environ.pop("LISTEN_FDS", "0"))
    descriptors = range(_FIRST, _FIRST + count) if is_mine else ()
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    return [socket.socket(fileno=descriptor) for descriptor in descriptors]


def tell(state: str) -> None:
    """`READY=1` or `STOPPING=1`, for whoever started this service; that nobody hears it does no harm."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there:
            there.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            there.sendall(state.encode())
