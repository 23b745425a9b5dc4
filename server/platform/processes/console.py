"""Output of the commands to the terminal."""

import sys
import time
from contextlib import suppress

_opened = time.monotonic()


class CommandRefused(Exception):
    """The command cannot be executed; the text explains why and what to do."""


def say(text: str = "") -> None:
    """Prints one line and flushes it; a closed pipe or full disk is ignored."""
    with suppress(OSError):
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def report(text: str) -> None:
    """Prints a step of a longer command, after the seconds since the command began."""
    say(f"{time.monotonic() - _opened:5.1f} s  {text}")
