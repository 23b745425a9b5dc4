"""Places where a test may kill the process, to show that nothing is lost there. Without CRASH_AT they do nothing."""

import os
import signal
from pathlib import Path

_AT = os.environ.get("CRASH_AT")


def point(name: str) -> None:
    """Kills this process, as a power cut would, when CRASH_AT names the point and the file CRASH_ONCE is not there yet.

    The file is made first, so that a restart with the same environment gets past.
    """
    if name != _AT:
        return
    try:
        Path(os.environ["CRASH_ONCE"]).touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)
