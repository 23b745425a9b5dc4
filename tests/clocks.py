"""A host whose clock is wrong."""

from datetime import datetime, timedelta
from typing import Any


def clock_moved_by(difference: timedelta) -> type[datetime]:
    """`datetime` as it is on a host whose clock is ahead by this."""

    class Moved(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz) + difference

    return Moved
