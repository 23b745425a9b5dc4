"""Report requests as GraphQL documents, and their parsed responses."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from server.analytics.reports.language import Dimension, Measure
from server.analytics.reports.question import Condition
from server.analytics.reports.request import Comparison, ReportRequest

DOCUMENT = """
query Report(
  $range: ReportRange!, $by: [ReportDimension!]!, $where: ReportFilter, $having: [MeasureBound!]!,
  $orderBy: [ReportOrder!]!, $first: Int!, $after: String, $fillGaps: Boolean!, $top: TopMembers, $timeZone: String
) {
  admin { analytics { report(
    range: $range, by: $by, where: $where, having: $having, orderBy: $orderBy, first: $first, after: $after,
    fillGaps: $fillGaps, top: $top, timeZone: $timeZone
  ) {
    rowCount
    pageInfo { hasNextPage hasPreviousPage endCursor }
    totals { ...Figures }
    rows { %s ...Figures }
  } } }
}
fragment Figures on ReportRow { %s }
"""


def document(ask: ReportRequest) -> str:
    """Every dimension is called `d` and its place, every measure `m` and its place, every comparison `v` and its."""
    dimensions = (f"d{place}: dim(is: {each.name}) {{ key isOther }}" for place, each in enumerate(ask.by))
    compared = " ".join(f"v{place}: {_versus(each)}" for place, each in enumerate(ask.comparisons))
    figures = (
        f"m{place}: measure(is: {each.name}) {{ amount share cumulative rank {compared} }}"
        for place, each in enumerate(ask.measures)
    )
    return DOCUMENT % (" ".join(dimensions) or "__typename", " ".join(figures))


def _versus(comparison: Comparison) -> str:
    period, to_date = comparison
    return f"versus(period: {period.name}, toDate: {str(to_date).lower()}) {{ amount difference change }}"


def variables(ask: ReportRequest, first: int, after: str | None) -> dict[str, Any]:
    span, top = ask.span, ask.top
    last = (span.end - timedelta(days=1)).date()
    return {
        "range": {"dates": {"from": span.start.date().isoformat(), "to": last.isoformat()}},
        "by": [each.name for each in ask.by],
        "where": _filter(ask.where),
        "having": [
            {"measure": each.measure.name, "atLeast": _text(each.at_least), "atMost": _text(each.at_most)}
            for each in ask.having
        ],
        "orderBy": [
            {
                "measure" if isinstance(each.by, Measure) else "dimension": each.by.name,
                "direction": "DESCENDING" if each.descending else "ASCENDING",
            }
            for each in ask.order
        ],
        "first": first,
        "after": after,
        "fillGaps": ask.fill_gaps,
        "top": {"n": top.count, "of": top.of.name, "by": top.measure.name} if top else None,
        "timeZone": span.zone.key,
    }


def _filter(where: Sequence[Condition]) -> dict[str, Any] | None:
    fields = {_name(each.dimension): _values(each) for each in where if not each.negated}
    left_out = {_name(each.dimension): _values(each) for each in where if each.negated}
    return {**fields, **({"not": left_out} if left_out else {})} or None


def _values(condition: Condition) -> Any:
    if condition.dimension is Dimension.DISCOUNTED:
        return condition.values[0]
    return list(condition.values)


def _name(dimension: Dimension) -> str:
    first, *others = dimension.name.lower().split("_")
    return first + "".join(other.capitalize() for other in others)


def _text(amount: Any) -> str | None:
    return None if amount is None else str(amount)
