"""Filters of a report: validated and turned into conditions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.language import Dimension
from server.analytics.reports.question import Condition
from server.catalog.categories import Categories
from server.platform.core.text import UNSTORABLE, camel_case, is_storable

MOST_VALUES = 100

ALLOWED: Mapping[Dimension, tuple[Any, ...]] = {
    dimension: dimension.facts.values for dimension in Dimension if dimension.facts.values is not None
}
"""All values of the dimensions with a fixed set of them."""


def keys_of(dimension: Dimension, categories: Categories) -> tuple[Any, ...] | None:
    """All keys of a dimension, where they are few."""
    return dimension.facts.keys_in(categories) if dimension.facts.keys_in else ALLOWED.get(dimension)


def condition(
    dimension: Dimension,
    values: Sequence[Any],
    categories: Categories,
    *,
    negated: bool,
    parse: Callable[[Any], Any] = lambda value: value,
) -> Condition:
    """A condition on a dimension. Raises IncompatibleDimensions, which lists the valid values, for an invalid one."""
    field = f"where.{camel_case(dimension.name.lower())}"
    if not 1 <= len(values) <= MOST_VALUES:
        raise IncompatibleDimensions(
            f"A filter by {dimension.name} takes 1 to {MOST_VALUES} values, not {len(values)}.", field
        )
    parsed = tuple(parse(value) for value in values)
    allowed = keys_of(dimension, categories)
    for value in parsed:
        if isinstance(value, str) and not is_storable(value):
            raise IncompatibleDimensions(UNSTORABLE, field)
        if allowed is not None and value not in allowed:
            choices = ", ".join(str(each) for each in allowed)
            raise IncompatibleDimensions(f"{dimension.name} has no {str(value)[:60]!r}. There are {choices}.", field)
    return Condition(dimension, parsed, negated)
