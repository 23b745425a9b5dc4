"""Each entry of the table of dimensions has what grouping, filters, the catalogue and costs read of it."""

import pytest

from server.analytics.models import Sale, VisitEvent
from server.analytics.reports.columns import numbers_in
from server.analytics.reports.dimensions import KNOWN, TIME, Dimension, Scope, Source
from server.analytics.reports.filters import ALLOWED
from server.analytics.reports.inputs import ReportFilter

COUNTED_IN_THE_SHOP = (Dimension.PRODUCT, Dimension.VARIANT)


@pytest.mark.parametrize("dimension", Dimension)
def test_an_entry_of_a_dimension_is_complete(dimension: Dimension) -> None:
    facts = dimension.facts

    assert facts.words.endswith(".")
    assert (facts.size is None) is (dimension in (*TIME, *COUNTED_IN_THE_SHOP))
    assert (facts.filter_words is None) is (facts.scope is Scope.TIME)
    assert hasattr(ReportFilter, dimension.name.lower()) is (facts.filter_words is not None)
    assert ALLOWED.get(dimension) is facts.values
    assert facts.column is not None or facts.key is not None
    if facts.column is not None:
        assert numbers_in(Sale)[dimension].name == facts.column
        assert (dimension in numbers_in(VisitEvent.c)) is facts.of_events
    if facts.values is not None and facts.size is not None:
        assert len(facts.values) <= facts.size


def test_only_visits_and_stock_have_fewer_dimensions_than_sales() -> None:
    assert KNOWN[Source.SALES] == set(Dimension)
    assert {dimension.name for dimension in KNOWN[Source.STOCK]} == {
        *("CATEGORY", "GENDER", "SUBCATEGORY", "PRODUCT", "VARIANT", "COLOR", "SIZE")
    }
    assert {dimension.name for dimension in KNOWN[Source.EVENTS] - set(TIME)} == {
        *("WEEKDAY", "HOUR_OF_DAY", "CATEGORY", "GENDER", "SUBCATEGORY", "PRODUCT")
    }
