"""Export of a report as CSV for spreadsheets."""

import csv
import io
from decimal import Decimal
from typing import Any

from server.analytics.reports.language import MEASURES, percent
from server.analytics.reports.result import Report, ResultRow
from server.platform.core.batches import slices

AT_ONCE = 50
"""Rows written in one batch."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")


async def as_csv(report: Report) -> str:
    """The rows and totals: labels of members, exact amounts, and for each comparison its amount and change.

    UTF-8 with a byte-order mark for spreadsheets; labels that a spreadsheet would run as a formula are quoted.
    """
    out = io.StringIO()
    out.write("\N{BYTE ORDER MARK}")
    writer = csv.writer(out)
    writer.writerow([*(dimension.value.capitalize() for dimension in report.ask.by), *_heads(report)])
    async for some in slices(report.shown, AT_ONCE):
        for row in some:
            names = [
                _safe(report.labels.of(dimension, part)) for dimension, part in zip(report.ask.by, row.key, strict=True)
            ]
            writer.writerow([*names, *_amounts(report, row)])
    if report.ask.by:
        writer.writerow(["Total", *[""] * (len(report.ask.by) - 1), *_amounts(report, report.total)])
    return out.getvalue()


def _heads(report: Report) -> list[str]:
    heads = []
    for measure in report.ask.measures:
        label = MEASURES[measure].label
        heads.append(label)
        for comparison in report.ask.comparisons:
            other = f"{comparison[0].value} ({report.compared[comparison].span.words})"
            heads += [f"{label}, {other}", f"{label}, change in %"]
    return heads


def _amounts(report: Report, row: ResultRow) -> list[Any]:
    cells: list[Any] = []
    for measure in report.ask.measures:
        amount = report.value(measure, row)
        cells.append(_plain(amount))
        for comparison in report.ask.comparisons:
            before = report.compared_value(comparison, measure, row)
            cells += [_plain(before), _plain(change(amount, before))]
    return cells


def change(now: Decimal | None, before: Decimal | None) -> Decimal | None:
    """The change in percent; None from zero or without a value."""
    if now is None or before is None or before == 0:
        return None
    return percent(now - before, abs(before))


def _plain(amount: Decimal | None) -> str:
    return "" if amount is None else f"{amount:f}"


def _safe(name: str) -> str:
    return f"'{name}" if name.startswith(FORMULA) else name
