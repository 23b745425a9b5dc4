"""Ports for what tests open: below the range that the system hands out by itself, and each test process its own."""

import os
import random
import socket
from itertools import cycle, islice

MOST = 4
"""How many are ever asked for at once."""
ABOVE = 1_000
"""How far above their own port the stand-ins take mail, unless they are told another."""
_PORTS, _WORKERS = range(20_000, 30_000), 4
"""Tests that need ports known beforehand take them from above."""
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", os.environ.get("PORTS_OF", "gw0"))[2:]) % _WORKERS
_share = _PORTS[_worker * len(_PORTS) // _WORKERS :][: len(_PORTS) // _WORKERS]
_firsts = list(_share[: -ABOVE - MOST : MOST])
random.shuffle(_firsts)
_turns = cycle(_firsts)


def free_ports(count: int) -> list[int]:
    """Neighbouring ports on which nobody listens, nor on those `ABOVE` them; others each time.

    Workers of pytest-xdist choose among different ones, so that none takes what another is about to use; PORTS_OF
    says whose a run without workers has.
    """
    assert count <= MOST
    for first in islice(_turns, len(_firsts)):
        ports = list(range(first, first + count))
        if all(is_free(port) and is_free(port + ABOVE) for port in ports):
            return ports
    raise RuntimeError(f"No {count} free ports in {_share}.")


def free_port() -> int:
    [port] = free_ports(1)
    return port


def is_free(port: int) -> bool:
    """Whether nobody listens there."""
    with socket.socket() as probe:
        # As servers do, so that a connection that has just ended does not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
