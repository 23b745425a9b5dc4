"""Filters of a report: validated and turned into conditions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.language import PRICE_BANDS, Dimension
from server.analytics.reports.question import Condition
from server.catalog.categories import NAMES, SUBCATEGORIES
from server.catalog.models import SIZES
from server.core.text import UNSTORABLE, is_storable
from server.orders.states import HAVE_BEEN_PAID

MOST_VALUES = 100

ALLOWED: Mapping[Dimension, tuple[Any, ...]] = {
    Dimension.CATEGORY: NAMES,
    Dimension.GENDER: tuple(SUBCATEGORIES),
    Dimension.SUBCATEGORY: tuple(dict.fromkeys(kind for kinds in SUBCATEGORIES.values() for kind in kinds)),
    Dimension.SIZE: SIZES,
    Dimension.PRICE_BAND: tuple(key for key, _, _ in PRICE_BANDS),
    Dimension.DISCOUNTED: (True, False),
    Dimension.CUSTOMER_KIND: ("new", "returning"),
    Dimension.PAYMENT_STATUS: tuple(sorted(status.value for status in HAVE_BEEN_PAID)),
    Dimension.WEEKDAY: tuple(range(1, 8)),
    Dimension.HOUR_OF_DAY: tuple(range(24)),
}
"""All values of the dimensions with a fixed set of them."""


def condition(
    dimension: Dimension, values: Sequence[Any], *, negated: bool, parse: Callable[[Any], Any] = lambda value: value
) -> Condition:
    """A condition on a dimension. Raises IncompatibleDimensions, which lists the valid values, for an invalid one."""
    field = f"where.{_camel(dimension)}"
    if not 1 <= len(values) <= MOST_VALUES:
        raise IncompatibleDimensions(
            f"A filter by {dimension.name} takes 1 to {MOST_VALUES} values, not {len(values)}.", field
        )
    parsed = tuple(parse(value) for value in values)
    allowed = ALLOWED.get(dimension)
    for value in parsed:
        if isinstance(value, str) and not is_storable(value):
            raise IncompatibleDimensions(UNSTORABLE, field)
        if allowed is not None and value not in allowed:
            known = ", ".join(str(each) for each in allowed)
            raise IncompatibleDimensions(f"{dimension.name} has no {str(value)[:60]!r}. There are {known}.", field)
    return Condition(dimension, parsed, negated)


def _camel(dimension: Dimension) -> str:
    """As the schema names the member of a filter."""
    first, *rest = dimension.name.lower().split("_")
    return first + "".join(word.title() for word in rest)
