"""The shop's server with one of its guards taken off: `python -m tests.siege.planted limits`.

An attack that does not succeed here proves nothing by failing elsewhere.
"""

import sys
from collections.abc import Callable

from server.config import Settings
from server.core import limits
from server.core.db import Sessions
from server.core.limits import Limit


def without_limits() -> None:
    """Nobody counts attempts."""

    async def take(sessions: Sessions, *limits: Limit) -> None:
        return None

    limits.take = take


FAULTS: dict[str, Callable[[], None]] = {"limits": without_limits}

if __name__ == "__main__":
    FAULTS[sys.argv[1]]()
    # Only now, since some rooms take the guards over by name.
    from server.run.serve import serve

    serve(Settings())
