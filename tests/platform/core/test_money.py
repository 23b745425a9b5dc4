from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.platform.core import money


@given(st.integers(-money.MAX_CENTS, money.MAX_CENTS))
def test_an_amount_survives_the_way_out_and_back(amount: int) -> None:
    assert money.cents(money.decimal_text(amount)) == amount


@pytest.mark.parametrize("bad", ["", "x", "1.005", "NaN", "Infinity", "1e9", "--1", "1,50"])
def test_what_is_no_amount_in_cents_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        money.cents(bad)


def test_decimals_are_exact() -> None:
    assert money.cents(Decimal("19.90")) == 1990
    assert money.json_number(1990) == 19.9
    assert money.dollars(-199_000) == "-$1,990.00"


@pytest.mark.spec("validation.discount", "constants.price.charged")
@pytest.mark.parametrize(
    ("price", "discounted", "charged", "counts"),
    [
        (10_000, None, 10_000, False),
        (10_000, 8_000, 8_000, True),
        (10_000, 10_000, 10_000, False),
        (100, 900, 100, False),
    ],
)
def test_a_discount_counts_only_below_the_price(price: int, discounted: int | None, charged: int, counts: bool) -> None:
    assert money.charged(price, discounted) == charged
    assert money.is_discounted(price, discounted) is counts


@pytest.mark.spec("entities.product.percentage")
@pytest.mark.parametrize(
    ("price", "discounted", "percent"), [(12_000, 9_600, 20), (200, 199, 1), (200, 175, 13), (3, 2, 33)]
)
def test_percent_off_is_rounded_half_up(price: int, discounted: int, percent: int) -> None:
    assert money.percent_off(price, discounted) == percent
