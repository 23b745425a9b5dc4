"""What the commands say to the person who typed them."""

import sys
import time
from contextlib import suppress

_opened = time.monotonic()


class CommandRefused(Exception):
    """The command cannot do what was asked; the text says why and what to do about it."""


def say(text: str = "") -> None:
    """One line at once, also where output is piped; a reader who has gone away, or a full disk, is no error."""
    with suppress(OSError):
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def report(text: str) -> None:
    """A step of a longer command, after the seconds since the command began."""
    say(f"{time.monotonic() - _opened:5.1f} s  {text}")
