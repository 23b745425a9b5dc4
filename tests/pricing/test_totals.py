"""The arithmetic of totals, by property-based tests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.pricing.totals import TaxRule, add_up, percent_of, shared, tax_of
from tests.pricing.rules import amount_off

Lines = st.lists(st.integers(1, 500_000), min_size=1, max_size=90)
Rates = st.none() | st.builds(
    TaxRule, name=st.just("VAT"), basis_points=st.integers(0, 10_000), on_delivery=st.booleans(), included=st.booleans()
)


def vat(basis_points: int, *, on_delivery: bool = True, included: bool = False) -> TaxRule:
    return TaxRule("VAT", basis_points, on_delivery, included)


@given(Lines, st.integers(0, 1_000_000), st.integers(0, 50_000), Rates)
def test_the_parts_add_up_to_the_total_and_the_shares_to_the_parts(
    lines: list[int], discount: int, shipping: int, tax: TaxRule | None
) -> None:
    sums = add_up(lines, allocations=amount_off(discount, lines), shipping_cents=shipping, tax=tax)

    added = 0 if sums.tax_included else sums.tax_cents
    assert sums.subtotal_cents == sum(lines)
    assert sums.total_cents == sum(lines) - sums.discount_cents + shipping + added
    assert sums.discount_cents == min(discount, sum(lines)) == sum(sums.line_discounts)
    assert 0 <= sum(sums.line_taxes) <= sums.tax_cents
    assert all(0 <= less <= line for less, line in zip(sums.line_discounts, lines, strict=True))


@given(st.integers(0, 1_000_000), st.lists(st.integers(0, 500_000), max_size=90))
def test_shares_are_whole_cents_within_one_of_the_exact_proportion(amount: int, weights: list[int]) -> None:
    shares = shared(amount, weights)

    whole = sum(weights)
    assert sum(shares) == (amount if whole else 0)
    if whole:
        assert all(abs(share * whole - amount * weight) < whole for share, weight in zip(shares, weights, strict=True))


def test_left_over_cents_go_to_the_largest_remainders_then_to_earlier_lines() -> None:
    assert shared(100, [1, 1, 1]) == (34, 33, 33)
    assert shared(10, [999, 1, 999]) == (5, 0, 5)
    assert shared(5, [10, 10, 20]) == (1, 1, 3)
    assert shared(7, [0, 0]) == (0, 0)


@pytest.mark.parametrize(("percent", "cents", "off"), [(10, 4995, 500), (10, 4994, 499), (15, 9900, 1485), (100, 1, 1)])
def test_a_percentage_is_rounded_half_up(percent: int, cents: int, off: int) -> None:
    assert percent_of(percent, cents) == off


@pytest.mark.parametrize(
    ("cents", "tax", "expected"),
    [
        (10_000, vat(1_900), 1_900),
        (50, vat(1_900), 10),
        (11_900, vat(1_900, included=True), 1_900),
        (100, vat(1_900, included=True), 16),
        (10_000, None, 0),
    ],
)
def test_a_tax_is_added_to_prices_or_found_in_them(cents: int, tax: TaxRule | None, expected: int) -> None:
    assert tax_of(cents, tax) == expected


def test_the_discount_precedes_the_tax_and_delivery_is_taxed_by_country() -> None:
    sums = add_up([6_000, 4_000], allocations=amount_off(1_000, [6_000, 4_000]), shipping_cents=500, tax=vat(2_000))

    assert (sums.tax_cents, sums.line_discounts, sums.line_taxes) == (1_900, (600, 400), (1_080, 720))
    assert sums.total_cents == 10_000 - 1_000 + 500 + 1_900


def test_delivery_that_is_not_taxed_has_no_share() -> None:
    sums = add_up([10_000], shipping_cents=500, tax=vat(2_000, on_delivery=False))

    assert (sums.tax_cents, sums.line_taxes, sums.total_cents) == (2_000, (2_000,), 12_500)


def test_a_tax_in_the_prices_changes_no_total() -> None:
    sums = add_up([11_900], shipping_cents=595, tax=vat(1_900, included=True))

    assert (sums.tax_cents, sums.total_cents) == (1_995, 12_495)
