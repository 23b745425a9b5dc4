"""The shop's time zone, which is a setting of a higher domain."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from server.platform.core.context import Context


@dataclass(frozen=True)
class TimeZonePort:
    """Reads the IANA name of the zone whose days the log is filtered by; registered by app.py."""

    read: Callable[[Context], Awaitable[str]]
