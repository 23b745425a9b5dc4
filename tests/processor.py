"""What processors work for a shop, as Linux tells it."""

from os import sysconf
from pathlib import Path


class Processor:
    """What processors have worked for the server and its database; nothing where the system does not tell.

    A crowded machine stretches the time that an answer takes, but not so much the work that is in it.
    """

    def __init__(self, server: int, postgres: int) -> None:
        self.server = server
        self.postgres = postgres

    def milliseconds(self) -> float:
        if not Path("/proc/self/task").exists():
            return 0.0
        pids = [self.server, *_children(self.server), *_children(self.postgres)]
        running = sum(int(_read(Path(f"/proc/{pid}/schedstat")).split()[0]) for pid in pids) / 1_000_000
        return running + _of_ended_children(self.server) + _of_ended_children(self.postgres)


def _children(pid: int) -> list[int]:
    return [int(child) for child in _read(Path(f"/proc/{pid}/task/{pid}/children")).split()]


def _of_ended_children(pid: int) -> float:
    """Milliseconds. Without them a connection that closes would take what it has worked out of the sum."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[13:15])) * 1000 / sysconf("SC_CLK_TCK")


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return "0"
