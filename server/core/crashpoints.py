"""Places where a test may kill the process, to show that nothing is lost there; dead without CRASH_POINTS."""

import os
import signal

_ARMED = os.environ.get("CRASH_POINTS")


def point(name: str) -> None:
    """Kills this process, as a power cut would, when the folder CRASH_POINTS holds a file of this name.

    The file is taken away first: it kills one process, once, and a restart gets past.
    """
    if _ARMED is None:
        return
    try:
        os.unlink(os.path.join(_ARMED, name))
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)
