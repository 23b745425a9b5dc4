"""The client's HTML as built, and the year in it."""

import gzip
from datetime import date, datetime
from zoneinfo import ZoneInfo

from server.config import Settings
from server.platform.core import clock, days
from server.shop import service as shop
from server.shop.service import ShopContext

YEAR = "%YEAR%"
"""Stands for the year in the page for browsers without script, which is rendered by the build."""


class Shell:
    """The HTML of a screen that is not rendered, with the page for browsers without script."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._undrawn: tuple[int, bytes] | None = None

    def html(self, year: int) -> str:
        """The HTML as sent in a year."""
        return self._html.replace(YEAR, str(year))

    def undrawn(self, year: int) -> bytes:
        """The gzipped HTML of a screen that names the window itself; compressed once a year."""
        if self._undrawn is None or self._undrawn[0] != year:
            page = self.html(year).replace("<!--head-->", "<title>Minimal</title>", 1)
            self._undrawn = (year, gzip.compress(page.encode(), mtime=0))
        return self._undrawn[1]


def year_of(around: ShopContext) -> int:
    """The year now, on the shop's calendar."""
    return days.day_of(clock.now(), _zone(around)).year


def rest_of_year(around: ShopContext) -> float:
    """Seconds until the next year begins on the shop's calendar."""
    now, zone = clock.now(), _zone(around)
    ends: datetime = days.start_of(date(days.day_of(now, zone).year + 1, 1, 1), zone)
    return (ends - now).total_seconds()


def _zone(around: ShopContext) -> ZoneInfo:
    decided = shop.known(around)
    return ZoneInfo(decided.time_zone if decided else around.resources.get(Settings).time_zone)
