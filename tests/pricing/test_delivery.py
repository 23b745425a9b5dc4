"""Delivery zones and shipping rates."""

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.platform.core import countries
from server.pricing.errors import NoDelivery
from server.pricing.shipping_rates import CountryTax, ShippingRate, ShippingRates, ShippingZone
from server.pricing.totals import TaxRule


def zone(
    name: str, *listed: str, rates: tuple[ShippingRate, ...] = (ShippingRate(0, 500),), **facts: object
) -> ShippingZone:
    columns = {"is_rest": False, "basis": "total", "free_from_cents": None, "min_days": 2, "max_days": 4} | facts
    return ShippingZone(id=uuid4(), name=name, countries=listed, rates=rates, **columns)  # type: ignore[arg-type]


HOME = zone("United States", "US", rates=(ShippingRate(0, 600), ShippingRate(10_000, 300)), free_from_cents=20_000)
EUROPE = zone("Europe", "DE", "FR", "PT", basis="weight", rates=(ShippingRate(0, 1_200), ShippingRate(1_000, 1_800)))
REST = zone("Rest of the world", is_rest=True, rates=(ShippingRate(0, 3_000),))
VAT = CountryTax("DE", "VAT", 1_900, on_delivery=True)
TARIFF = ShippingRates((HOME, EUROPE, REST), {"DE": VAT})


@pytest.mark.parametrize(
    ("country", "goods", "grams", "price"),
    [
        ("US", 9_999, 400, 600),
        ("US", 10_000, 400, 300),
        ("US", 20_000, 400, 0),
        ("DE", 9_999, 999, 1_200),
        ("DE", 9_999, 1_000, 1_800),
        ("JP", 1, 1, 3_000),
    ],
)
def test_a_parcel_costs_what_the_rate_of_its_zone_says(country: str, goods: int, grams: int, price: int) -> None:
    terms = TARIFF.terms(country, prices_include_tax=False)

    assert terms.delivery(goods, grams).price_cents == price


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_delivery_by_weight_does_not_go_by_the_price_and_the_other_way_round(goods: int, grams: int) -> None:
    assert EUROPE.price(goods, grams) == EUROPE.price(0, grams)
    assert HOME.price(goods, grams) == HOME.price(goods, 0)


def test_a_country_that_no_zone_takes_is_refused_by_name() -> None:
    with pytest.raises(NoDelivery) as refusal:
        ShippingRates((HOME,), {}).terms("DE", prices_include_tax=False)

    assert str(refusal.value) == "We do not deliver to Germany yet. Please choose another address."


@pytest.mark.parametrize("rates", [TARIFF, ShippingRates((), {})])
def test_an_address_without_a_known_country_is_refused(rates: ShippingRates) -> None:
    with pytest.raises(NoDelivery) as refusal:
        rates.terms(countries.UNKNOWN, prices_include_tax=False)

    assert str(refusal.value) == "We cannot tell which country this address is in. Please choose it in the address."


def test_a_parcel_lighter_than_the_first_rate_is_refused() -> None:
    heavy_only = ShippingRates((zone("Freight", "US", basis="weight", rates=(ShippingRate(5_000, 9_900),)),), {})

    with pytest.raises(NoDelivery):
        heavy_only.terms("US", prices_include_tax=False).delivery(10_000, 4_999)


def test_a_shop_that_has_decided_nothing_delivers_everywhere_for_nothing() -> None:
    terms = ShippingRates((), {}).terms("JP", prices_include_tax=True)

    assert (terms.delivery(100, 100).price_cents, terms.tax) == (0, None)


def test_the_tax_is_the_countrys_and_in_the_prices_where_the_shop_says_so() -> None:
    assert TARIFF.terms("DE", prices_include_tax=True).tax == TaxRule("VAT", 1_900, on_delivery=True, included=True)
    assert TARIFF.terms("FR", prices_include_tax=True).tax is None
