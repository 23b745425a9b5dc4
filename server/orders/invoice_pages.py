"""Pages of an invoice: what was sold to whom, for how much, and what was refunded."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from io import BytesIO
from itertools import groupby
from pathlib import Path
from zoneinfo import ZoneInfo

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from server.orders import totals
from server.orders.queries import PlacedOrder, SoldLine
from server.platform.core import days, money, postal_addresses

FONTS = Path(__file__).parent / "fonts"
TEXT, STRONG, HEADING, WORDMARK = (f"instrument-sans-{cut}" for cut in ("text", "strong", "heading", "wordmark"))
REST = "dejavu-sans-condensed-rest"
TRACKING = {HEADING: -0.028, WORDMARK: -0.055}
"""Letter spacing as a fraction of the font size: larger text is set tighter."""

INK, SOFT, HAIR = HexColor("#1a1916"), HexColor("#5f5a52"), HexColor("#dedad2")
WIDTH, HEIGHT = A4
LEFT, RIGHT, TOP, BOTTOM = 56.0, WIDTH - 56.0, HEIGHT - 56.0, 84.0
QUANTITY, PRICE = RIGHT - 176.0, RIGHT - 88.0
"""Right edges of these columns; that of the total is the page's."""
MIDDLE = LEFT + 218.0
BODY, SMALL, LEADING = 10.0, 8.5, 14.0


def draw(order: PlacedOrder, seller: Sequence[str], zone: ZoneInfo, shop_url: str) -> bytes:
    """The invoice as a PDF, with days of this zone. `seller` is name and address, line by line."""
    sheet = _PdfPages(order, zone, shop_url)
    sheet.letterhead(seller)
    sheet.facts()
    sheet.table()
    sheet.totals()
    return sheet.finished()


class _PdfPages:
    """Writes downwards and begins a new page where one is full. Lengths are in points."""

    def __init__(self, order: PlacedOrder, zone: ZoneInfo, shop_url: str) -> None:
        _register()
        self._order = order
        self._zone = zone
        self._shop_url = shop_url
        self._buffer = BytesIO()
        self._canvas = Canvas(self._buffer, pagesize=A4, lang="en-US")
        self._canvas.setTitle(f"Invoice {order.number}")
        self._canvas.setAuthor("Minimal")
        self._canvas.setCreator("Minimal")
        self._y = TOP
        self._page = 1

    def letterhead(self, seller: Sequence[str]) -> None:
        self._write(LEFT, TOP - 12, "Minimal", WORDMARK, 17)
        self._block(MIDDLE, TOP - 9, seller, SMALL, 12, SOFT)
        self._y = TOP - 118
        self._write(LEFT - 2.5, self._y, "Invoice", HEADING, 46)
        self._write_right(RIGHT, self._y, self._order.number, HEADING, 46)
        self._y -= 24
        self._rule(INK, 0.9)

    def facts(self) -> None:
        order, top = self._order, self._y - 22
        rows = [("Ordered", self._date(order.created_at))]
        if order.paid_at:
            rows.append(("Paid", f"{self._date(order.paid_at)}, by card"))
        if order.canceled_at:
            rows.append(("Canceled", self._date(order.canceled_at)))
        y = top
        for label, words in rows:
            self._write(LEFT, y, label, TEXT, SMALL, SOFT)
            self._write(LEFT + 62, y, words, TEXT, BODY)
            y -= LEADING + 3
        self._write(MIDDLE, top, "Sold and sent to", TEXT, SMALL, SOFT)
        end = self._block(MIDDLE, top - LEADING - 2, [*_address(order), order.email], BODY, LEADING, INK)
        self._y = min(y, end) - 34

    def _date(self, moment: datetime) -> str:
        day = days.day_of(moment, self._zone)
        return f"{day:%B} {day.day}, {day.year}"

    def table(self) -> None:
        self._head()
        for line in self._order.lines:
            self._row(line)

    def totals(self) -> None:
        order = self._order
        above = totals.rows(order)
        self._need(96 + 20 * len(above))
        self._y -= 26
        for row in above:
            self._amount_row(row.label, row.amount, TEXT, BODY)
        self._sum("Total", order.total_cents, STRONG, 14)
        if tax := totals.included_tax(order):
            self._write(MIDDLE, self._y + 2, tax, TEXT, SMALL, SOFT)
            self._y -= 16
        if order.refunded_cents:
            self._sum("Paid back", -order.refunded_cents, TEXT, BODY)
            self._sum("After refunds", order.total_cents - order.refunded_cents, STRONG, BODY)
        self._write(MIDDLE, self._y - 4, "All amounts in US dollars.", TEXT, SMALL, SOFT)

    def finished(self) -> bytes:
        self._foot()
        self._canvas.save()
        return self._buffer.getvalue()

    def _head(self) -> None:
        self._write(LEFT, self._y, "Item", TEXT, SMALL, SOFT)
        for edge, words in ((QUANTITY, "Quantity"), (PRICE, "Price"), (RIGHT, "Total")):
            self._write_right(edge, self._y, words, TEXT, SMALL, SOFT)
        self._y -= 9
        self._rule(HAIR, 0.7)

    def _row(self, line: SoldLine) -> None:
        room = QUANTITY - 62 - LEFT
        names = _wrapped(line.name or "Product Name Unavailable", STRONG, BODY, room)
        variants = _wrapped(", ".join(part for part in (line.color, line.size) if part), TEXT, SMALL, room)
        height = LEADING * len(names) + 12 * len(variants) + 16
        self._need(height)
        y = self._y - 18
        for edge, words in (
            (QUANTITY, str(line.quantity)),
            (PRICE, money.dollars(line.unit_price_cents)),
            (RIGHT, money.dollars(line.unit_price_cents * line.quantity)),
        ):
            self._write_right(edge, y, words, TEXT, BODY)
        for words in names:
            self._write(LEFT, y, words, STRONG, BODY)
            y -= LEADING
        for words in variants:
            self._write(LEFT, y, words, TEXT, SMALL, SOFT)
            y -= 12
        self._y -= height
        self._rule(HAIR, 0.7)

    def _sum(self, label: str, cents: int, font: str, size: float) -> None:
        self._amount_row(label, money.dollars(cents), font, size)

    def _amount_row(self, label: str, amount: str, font: str, size: float) -> None:
        self._write(MIDDLE, self._y, label, font, size)
        self._write_right(RIGHT, self._y, amount, font, size)
        self._y -= 20

    def _need(self, height: float) -> None:
        """Begins a new page with the table's head unless this much height is left."""
        if self._y - height >= BOTTOM:
            return
        self._foot()
        self._canvas.showPage()
        self._page += 1
        self._write(LEFT, TOP - 12, "Minimal", WORDMARK, 17)
        self._write_right(RIGHT, TOP - 12, f"Invoice {self._order.number}", TEXT, BODY)
        self._y = TOP - 56
        self._head()

    def _foot(self) -> None:
        self._write(LEFT, 42, self._shop_url.partition("://")[2], TEXT, SMALL, SOFT)
        self._write_right(RIGHT, 42, f"{self._order.number}, page {self._page}", TEXT, SMALL, SOFT)

    def _block(self, x: float, y: float, lines: Sequence[str], size: float, leading: float, color: HexColor) -> float:
        """Writes lines, wrapped to the page. Returns the position of the next line."""
        for words in (part for line in lines for part in _wrapped(line, TEXT, size, RIGHT - x)):
            self._write(x, y, words, TEXT, size, color)
            y -= leading
        return y

    def _rule(self, color: HexColor, width: float) -> None:
        self._canvas.setStrokeColor(color)
        self._canvas.setLineWidth(width)
        self._canvas.line(LEFT, self._y, RIGHT, self._y)

    def _write_right(self, x: float, y: float, words: str, font: str, size: float, color: HexColor = INK) -> None:
        self._write(x - _width(words, font, size), y, words, font, size, color)

    def _write(self, x: float, y: float, words: str, font: str, size: float, color: HexColor = INK) -> None:
        pen = self._canvas.beginText(x, y)
        pen.setFillColor(color)
        pen.setCharSpace(TRACKING.get(font, 0) * size)
        for each, run in _runs(words, font):
            pen.setFont(each, size)
            pen.textOut(run)
        self._canvas.drawText(pen)


@cache
def _register() -> None:
    """Reads the font files, once in a process."""
    for name in (TEXT, STRONG, HEADING, WORDMARK, REST):
        pdfmetrics.registerFont(TTFont(name, FONTS / f"{name}.ttf"))


def _runs(words: str, font: str) -> list[tuple[str, str]]:
    """The text split into runs, each with a font that has its glyphs."""
    glyphs, rest = (pdfmetrics.getFont(name).face.charToGlyph for name in (font, REST))
    chosen = [(REST if ord(char) in rest and ord(char) not in glyphs else font, char) for char in words]
    return [(name, "".join(char for _, char in run)) for name, run in groupby(chosen, key=lambda each: each[0])]


def _width(words: str, font: str, size: float) -> float:
    """The width of the visible text, without letter spacing after the last glyph."""
    plain = sum(pdfmetrics.stringWidth(run, name, size) for name, run in _runs(words, font))
    return float(plain) + TRACKING.get(font, 0) * size * max(len(words) - 1, 0)


def _wrapped(words: str, font: str, size: float, room: float) -> list[str]:
    """The text in lines no wider than `room`; a word that is too long is broken."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if _width(longer, font, size) <= room:
            lines[-1] = longer
            continue
        lines += [word] if lines[-1] else []
        lines[-1] = word
        while _width(lines[-1], font, size) > room and len(lines[-1]) > 1:
            shorter = range(len(lines[-1]) - 1, 0, -1)
            cut = next((at for at in shorter if _width(lines[-1][:at], font, size) <= room), 1)
            lines[-1:] = [lines[-1][:cut], lines[-1][cut:]]
    return [line for line in lines if line]


def _address(order: PlacedOrder) -> list[str]:
    return list(postal_addresses.lines_of(order.shipping_address))
