"""An oracle for reports: sums up every entry of the random history in plain Python."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from server.analytics.reports.language import Dimension, Measure
from server.analytics.reports.question import Condition
from server.analytics.reports.ranges import Span
from tests.analytics.reports.books import BookLine, BookOrder

Key = tuple[Any, ...]


@dataclass(frozen=True)
class Entry:
    """A line sold, or what one refund gave back of it."""

    at: datetime
    order: BookOrder
    line: BookLine
    is_sale: bool
    is_new: bool
    units: int = 0
    gross: int = 0
    discounts: int = 0
    refunds: int = 0
    tax: int = 0
    shipping: int = 0


def entries(orders: Sequence[BookOrder]) -> list[Entry]:
    first: dict[UUID, BookOrder] = {}
    for order in sorted(orders, key=lambda each: each.at):
        first.setdefault(order.customer, order)
    return [entry for order in orders for entry in _entries_of(order, first[order.customer] is order)]


def _entries_of(order: BookOrder, is_new: bool) -> Iterable[Entry]:
    for place, line in enumerate(order.lines):
        yield Entry(
            at=order.at,
            order=order,
            line=line,
            is_sale=True,
            is_new=is_new,
            units=line.quantity,
            gross=line.quantity * line.full,
            discounts=line.quantity * (line.full - line.unit) + line.discount,
            tax=line.tax + (order.tax - sum(each.tax for each in order.lines) if place == 0 else 0),
            shipping=order.shipping if place == 0 else 0,
        )
    yield from _refunds_of(order, is_new)


def _refunds_of(order: BookOrder, is_new: bool) -> Iterable[Entry]:
    """A refund pays back what it names, as far as that is left; the rest is shared by what is left of each part.

    As large a part of the tax goes back as of the part's charge, and all of it once the whole order is paid back.
    """
    parts = _parts_of(order)
    left = [max(charged, 0) for _, charged, _ in parts]
    tax_left = [tax for _, _, tax in parts]
    for refund in sorted(order.refunds, key=lambda each: (each.at, each.id)):
        back, rest = [], refund.amount
        for (line, _, _), there in zip(parts, left, strict=True):
            back.append(min(refund.named.get(line.id, 0) if line else refund.shipping, there, rest))
            rest -= back[-1]
        free = [there - named for there, named in zip(left, back, strict=True)]
        back = [sum(pair) for pair in zip(back, _in_shares(min(rest, sum(free)), free), strict=True)]
        left = [there - paid for there, paid in zip(left, back, strict=True)]
        for place, (line, charged, tax) in enumerate(parts):
            gone = (charged - left[place]) * tax // charged if charged > 0 else 0
            tax_now = tax - gone if any(left) else 0
            tax_back, tax_left[place] = tax_left[place] - tax_now, tax_now
            if back[place] or tax_back:
                yield _refund_entry(order, is_new, refund.at, line, back[place], tax_back)


def _parts_of(order: BookOrder) -> list[tuple[BookLine | None, int, int]]:
    """Lines and then delivery, without a line: each with what it was charged and the tax in or on it."""
    parts: list[tuple[BookLine | None, int, int]] = []
    for line in order.lines:
        goods = line.quantity * line.unit - line.discount
        parts.append((line, goods + (0 if order.tax_included else line.tax), line.tax))
    charged, tax = sum(part[1] for part in parts), sum(part[2] for part in parts)
    return [*parts, (None, order.total - charged, order.tax - tax)]


def _refund_entry(
    order: BookOrder, is_new: bool, at: datetime, line: BookLine | None, back: int, tax_back: int
) -> Entry:
    net = back if order.tax_included else back - tax_back
    return Entry(
        at=at,
        order=order,
        line=line or order.lines[0],
        is_sale=False,
        is_new=is_new,
        refunds=net if line else 0,
        tax=-tax_back,
        shipping=0 if line else -net,
    )


def _in_shares(amount: int, weights: Sequence[int]) -> list[int]:
    whole, shares, before = sum(weights), [], 0
    running = 0
    for weight in weights:
        running += weight
        upto = amount * running // whole if whole else 0
        shares.append(upto - before)
        before = upto
    return shares


def local(entry: Entry, zone: ZoneInfo) -> datetime:
    return entry.at.astimezone(zone).replace(tzinfo=None)


def key_of(entry: Entry, dimension: Dimension, zone: ZoneInfo) -> Any:
    clock = local(entry, zone)
    day = clock.date()
    line, order = entry.line, entry.order
    price = line.unit
    keys: dict[Dimension, Any] = {
        Dimension.HOUR: clock.replace(minute=0, second=0, microsecond=0),
        Dimension.DAY: _midnight(day),
        Dimension.WEEK: _midnight(day - timedelta(days=day.weekday())),
        Dimension.MONTH: _midnight(day.replace(day=1)),
        Dimension.QUARTER: _midnight(day.replace(month=(1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10, 10)[day.month - 1], day=1)),
        Dimension.YEAR: _midnight(day.replace(month=1, day=1)),
        Dimension.WEEKDAY: day.isoweekday(),
        Dimension.HOUR_OF_DAY: clock.hour,
        Dimension.CATEGORY: line.piece.category,
        Dimension.GENDER: line.piece.category.split("_")[0],
        Dimension.SUBCATEGORY: line.piece.category.split("_")[1],
        Dimension.PRODUCT: line.piece.product,
        Dimension.VARIANT: line.piece.variant,
        Dimension.COLOR: line.piece.color,
        Dimension.SIZE: line.piece.size,
        Dimension.PRICE_BAND: (
            "under-50"
            if price < 5_000
            else "50-to-100"
            if price < 10_000
            else "100-to-150"
            if price < 15_000
            else "150-up"
        ),
        Dimension.DISCOUNTED: line.unit < line.full,
        Dimension.DISCOUNT_CODE: order.code,
        Dimension.COUNTRY: order.country,
        Dimension.CITY: order.city,
        Dimension.CUSTOMER_KIND: "new" if entry.is_new else "returning",
        Dimension.PAYMENT_STATUS: order.status,
    }
    return keys[dimension]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def kept(entries: Iterable[Entry], span: Span, where: Sequence[Condition]) -> list[Entry]:
    return [
        entry
        for entry in entries
        if span.start <= local(entry, span.zone) < span.end
        and all(
            (key_of(entry, condition.dimension, span.zone) in condition.values) is not condition.negated
            for condition in where
        )
    ]


def grouped(entries: Iterable[Entry], by: Sequence[Dimension], zone: ZoneInfo) -> dict[Key, list[Entry]]:
    groups: dict[Key, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(tuple(key_of(entry, dimension, zone) for dimension in by), []).append(entry)
    return groups


def measured(measure: Measure, rows: Sequence[Entry]) -> Decimal | None:
    """The measure of these entries, by its definition."""
    sales = [row for row in rows if row.is_sale]
    orders = len({row.order.id for row in sales})
    customers = len({row.order.customer for row in sales})
    returning = len({row.order.customer for row in sales if not row.is_new})
    units = sum(row.units for row in rows)
    gross, discounts, refunds = (sum(getattr(row, name) for row in rows) for name in ("gross", "discounts", "refunds"))
    match measure:
        case Measure.ORDERS:
            return Decimal(orders)
        case Measure.UNITS:
            return Decimal(units)
        case Measure.GROSS_SALES:
            return _exact(gross)
        case Measure.DISCOUNTS:
            return _exact(discounts)
        case Measure.REFUNDS:
            return _exact(refunds)
        case Measure.NET_SALES:
            return _exact(gross - discounts - refunds)
        case Measure.TAX:
            return _exact(sum(row.tax for row in rows))
        case Measure.SHIPPING:
            return _exact(sum(row.shipping for row in rows))
        case Measure.AVERAGE_ORDER_VALUE:
            return rounded(gross - discounts, orders * 100)
        case Measure.UNITS_PER_ORDER:
            return rounded(units, orders)
        case Measure.CUSTOMERS:
            return Decimal(customers)
        case Measure.NEW_CUSTOMERS:
            return Decimal(len({row.order.customer for row in sales if row.is_new}))
        case Measure.RETURNING_CUSTOMERS:
            return Decimal(returning)
        case Measure.REPEAT_RATE:
            return rounded(returning * 100, customers)
        case Measure.REFUND_RATE:
            return rounded(refunds * 100, gross - discounts)
        case _:
            raise NotImplementedError(measure)


def _exact(cents: int) -> Decimal:
    return Decimal(cents) / 100


def rounded(part: int, whole: int) -> Decimal | None:
    """To two decimals, halves away from zero."""
    if whole == 0:
        return None
    hundredths = Fraction(part, whole) * 100
    size = int(abs(hundredths) + Fraction(1, 2))
    return Decimal(size if hundredths >= 0 else -size) / 100
