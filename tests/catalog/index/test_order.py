"""Rows in an order, through any history of coming and going, as a sorted list has them."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from server.catalog.index import order
from server.catalog.index.order import SortOrder

ROWS = 40
IDS = [bytes([row * 7 % ROWS]) for row in range(ROWS)]
"""In another order than the rows."""
rows = st.integers(0, ROWS - 1)
values = st.integers(0, 6)
histories = st.lists(st.tuples(rows, st.none() | values), min_size=40, max_size=120)
"""A row goes where it has no value."""


@pytest.fixture(autouse=True)
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, size in (("BLOCK", 2), ("GROUP", 2), ("DENSE", 2), ("FEW", 2)):
            patch.setattr(order, name, size)
        yield


@settings(max_examples=60, deadline=None)
@given(histories, st.sets(rows), values, values)
def test_an_order_is_what_sorting_gives_after_each_change(
    history: list[tuple[int, int | None]], chosen: set[int], lowest: int, highest: int
) -> None:
    rows, value_by_row = SortOrder(IDS), dict[int, int]()
    for step, (row, value) in enumerate(history):
        if row in value_by_row:
            rows.discard(row)
            del value_by_row[row]
        if value is not None:
            rows.put(row, value)
            value_by_row[row] = value
        if step % 3:  # Several rows may come before anybody reads.
            continue
        expected = sorted(value_by_row, key=lambda each: (value_by_row[each], IDS[each]))
        some = [each for each in expected if each in chosen]
        assert list(rows.ascending(BitMap(chosen))) == some
        assert list(rows.descending(BitMap(chosen))) == some[::-1]
        for least in (lowest, None):
            for most in (highest, None):
                within = {
                    row
                    for row, value in value_by_row.items()
                    if (least is None or value >= least) and (most is None or value <= most)
                }
                assert set(rows.between(least, most)) == within
        if some:
            middle = some[len(some) // 2]
            at = some.index(middle)
            assert list(rows.ascending(BitMap(chosen), rows.place(middle))) == some[at + 1 :]
            assert list(rows.descending(BitMap(chosen), rows.place(middle))) == some[:at][::-1]
