"""What processors work for a shop, as Linux tells it."""

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
        return sum(int(_read(Path(f"/proc/{pid}/schedstat")).split()[0]) for pid in pids) / 1_000_000


def _children(pid: int) -> list[int]:
    return [int(child) for child in _read(Path(f"/proc/{pid}/task/{pid}/children")).split()]


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return "0"
