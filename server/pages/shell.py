"""The client's HTML as built, with the year and the shop's name in it."""

import gzip
from dataclasses import dataclass, field
from datetime import date, datetime
from html import escape
from zoneinfo import ZoneInfo

from server.pages import theme
from server.platform.core import clock, days
from server.shop import service as shop
from server.shop.service import ShopContext

YEAR, NAME = "%YEAR%", "%SHOP_NAME%"
"""Stand for them in the HTML as built, which has the page for browsers without script."""


@dataclass(frozen=True)
class ShopOfNow:
    """What every page says of the shop."""

    name: str
    accent: str
    """The owner's color; empty without one."""
    year: int
    """On the shop's calendar."""
    rest_of_year: float = field(compare=False)
    """Seconds until the next year begins."""

    @classmethod
    async def read(cls, around: ShopContext) -> "ShopOfNow":
        """As its owner has it; while the database is unavailable as it was last read."""
        settings = await shop.current_or_last(around)
        now, zone = clock.now(), ZoneInfo(settings.time_zone)
        year = days.day_of(now, zone).year
        ends: datetime = days.start_of(date(year + 1, 1, 1), zone)
        return cls(settings.name, settings.accent_color, year, (ends - now).total_seconds())


class Shell:
    """The HTML of a screen that is not rendered, with the page for browsers without script."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._undrawn: tuple[ShopOfNow, bytes] | None = None

    def html(self, of: ShopOfNow) -> str:
        """The HTML as sent now."""
        page = self._html.replace(YEAR, str(of.year)).replace(NAME, escape(of.name))
        return page.replace("</head>", theme.link_to(of.accent) + "</head>", 1)

    def undrawn(self, of: ShopOfNow) -> bytes:
        """The gzipped HTML of a screen that names the window itself; compressed when the year or the name changes."""
        if self._undrawn is None or self._undrawn[0] != of:
            page = self.html(of).replace("<!--head-->", f"<title>{escape(of.name)}</title>", 1)
            self._undrawn = (of, gzip.compress(page.encode(), mtime=0))
        return self._undrawn[1]
