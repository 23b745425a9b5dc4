"""The shop's server with some of its guards taken off: `python -m tests.siege.planted limits,patience`.

An attack that does not succeed here proves nothing by failing elsewhere.
"""

import sys
from collections.abc import Callable
from datetime import timedelta

from argon2 import PasswordHasher
from starlette.requests import Request
from starlette.types import ASGIApp

from server.config import Settings
from server.core import admission, limits, rest
from server.core.db import Sessions
from server.core.errors import StoreError
from server.core.limits import Limit
from server.identity import passwords, recovery
from server.identity.passwords import Passwords, Verdict
from server.media import apart
from server.run import connections

CHEAP = PasswordHasher(time_cost=1, memory_cost=8_192, parallelism=1)


def without_limits() -> None:
    """Nobody counts attempts."""

    async def take(sessions: Sessions, *limits: Limit) -> None:
        return None

    limits.take = take


def without_patience() -> None:
    """The HTTP implementation as it comes, with its own cap on connections; a body is read to its end."""
    connections.serving_options = lambda: {"http": "httptools", "limit_concurrency": connections.MOST_CONNECTIONS}

    async def read_body(request: Request, limit: int, refused: StoreError | None = None) -> bytes:
        return await request.body()

    rest.read_body = read_body


def without_leisure() -> None:
    """No guard: the shop's own, sooner."""
    connections.HEAD_SECONDS = 3.0


def without_apart() -> None:
    """Every picture is decoded where shoppers are answered."""
    apart.FROM_PIXELS = sys.maxsize


def without_admission() -> None:
    """Everybody is let in at once."""

    def open_door(app: ASGIApp) -> ASGIApp:
        return app

    setattr(admission, "Admission", open_door)  # noqa: B010 - a class otherwise


def without_costly_hashes() -> None:
    """Passwords are hashed at a test's cost, for everybody alike."""
    passwords._HASHER = CHEAP


def without_dummy_hash() -> None:
    """Where there is no hash, nothing is compared."""
    compared = Passwords.verify

    async def verify(self: Passwords, hashed: str | None, password: str) -> Verdict:
        return await compared(self, hashed, password) if hashed else Verdict(is_right=False)

    setattr(Passwords, "verify", verify)  # noqa: B010 - a method otherwise


def without_delay() -> None:
    """The mail of a reset is work of the very next moment."""
    recovery.MAILED_WITHIN = timedelta()


def without_discretion() -> None:
    """Whoever reads a body writes it down."""
    careful = rest.read_body

    async def read_body(request: Request, limit: int, refused: StoreError | None = None) -> bytes:
        body = await careful(request, limit, refused)
        sys.stderr.write(body.decode(errors="replace") + "\n")
        return body

    rest.read_body = read_body


FAULTS: dict[str, Callable[[], None]] = {
    "discretion": without_discretion,
    "limits": without_limits,
    "patience": without_patience,
    "leisure": without_leisure,
    "apart": without_apart,
    "admission": without_admission,
    "costly hashes": without_costly_hashes,
    "dummy hash": without_dummy_hash,
    "delay": without_delay,
}

if __name__ == "__main__":
    for name in sys.argv[1].split(","):
        FAULTS[name]()
    # Only now, since some rooms take the guards over by name.
    from server.run.serve import serve

    serve(Settings())
