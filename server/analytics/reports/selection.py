"""Which measures and comparisons a query selects beneath a report."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from strawberry.types.nodes import FragmentSpread, InlineFragment, SelectedField

from server.analytics.reports import request
from server.analytics.reports.language import (
    Measure,
)
from server.analytics.reports.ranges import Period
from server.platform.gql.types import Info


@dataclass(frozen=True)
class SelectedValues:
    """What a query selects; `every_row` when it needs more than the page, as for an export."""

    measures: tuple[Measure, ...]
    comparisons: tuple[request.Comparison, ...]
    every_row: bool


def selected_in(info: Info) -> SelectedValues:
    """The measures and comparisons that the query selects, and whether only for the rows of the page."""
    measures: dict[Measure, None] = {}
    comparisons: dict[request.Comparison, None] = {}
    every_row = False
    for field in _fields(info.selected_fields):
        if field.name == "orders":
            measures[Measure.ORDERS] = None
        # A value's own measure is called `measure` too, but has no arguments.
        if field.name == "measure" and "is" in field.arguments:
            measures[_member(Measure, field.arguments["is"])] = None
        every_row = every_row or field.name == "export"
        if field.name == "versus":
            # A variable that was left out stands here as None, and takes the argument's default.
            to_date = field.arguments.get("toDate") is not False
            comparisons[_member(Period, field.arguments.get("period")), to_date] = None
    return SelectedValues(tuple(measures), tuple(comparisons), every_row)


def _fields(nodes: Iterable[Any]) -> Iterable[SelectedField]:
    for node in nodes:
        if not _is_included(node):
            continue
        if isinstance(node, SelectedField):
            yield node
        if isinstance(node, SelectedField | FragmentSpread | InlineFragment):
            yield from _fields(node.selections)


def _is_included(node: Any) -> bool:
    directives = getattr(node, "directives", {})
    return directives.get("include", {}).get("if", True) and not directives.get("skip", {}).get("if", False)


def _member(kind: Any, value: Any) -> Any:
    return value if isinstance(value, kind) else kind[str(value)]
