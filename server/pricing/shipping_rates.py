"""What it costs to send a parcel somewhere, and the tax there.

A shop without a single zone delivers everywhere for nothing. With zones, a country goes by the zone that lists it, or
else by the one that takes the rest of the world, or else not at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.core.cached_value import CachedValue
from server.pricing import countries
from server.pricing.errors import NoDelivery
from server.pricing.models import DeliveryCountry, DeliveryRate, DeliveryZone, TaxRate
from server.pricing.totals import TaxRule


@dataclass(frozen=True)
class ShippingRate:
    """A price from `minimum` grams or cents on."""

    minimum: int
    price_cents: int


@dataclass(frozen=True)
class ShippingZone:
    """Where a parcel costs the same, its rates by rising minimum."""

    id: UUID
    name: str
    is_rest: bool
    countries: tuple[str, ...]
    basis: str
    rates: tuple[ShippingRate, ...]
    free_from_cents: int | None
    min_days: int | None
    max_days: int | None

    def price(self, goods_cents: int, grams: int) -> int | None:
        """For goods at so much after any discount; None when no rate begins that low."""
        if self.free_from_cents is not None and goods_cents >= self.free_from_cents:
            return 0
        measure = grams if self.basis == "weight" else goods_cents
        return next((rate.price_cents for rate in reversed(self.rates) if rate.minimum <= measure), None)


@dataclass(frozen=True)
class CountryTax:
    """The tax of one country, in hundredths of a percent."""

    country: str
    name: str
    basis_points: int
    on_delivery: bool


@dataclass(frozen=True)
class ShippingOption:
    """A parcel's way: what it is called, what it costs, how many working days it takes where that is known."""

    name: str
    price_cents: int
    min_days: int | None
    max_days: int | None


@dataclass(frozen=True)
class CountryTerms:
    """Everything about a country that a total needs, read once. `zone` is None in a shop without zones."""

    country: str
    zone: ShippingZone | None
    tax: TaxRule | None

    def delivery(self, goods_cents: int, grams: int) -> ShippingOption:
        """Raises NoDelivery when the zone has no rate for such a parcel."""
        if self.zone is None:
            return ShippingOption("", 0, None, None)
        price = self.zone.price(goods_cents, grams)
        if price is None:
            raise NoDelivery(self.country, known=True)
        return ShippingOption(self.zone.name, price, self.zone.min_days, self.zone.max_days)


@dataclass(frozen=True)
class ShippingRates:
    """All zones, in the shop's order with the rest of the world last, and the taxes by country code."""

    zones: tuple[ShippingZone, ...]
    taxes: dict[str, CountryTax]

    def terms(self, country: str, *, prices_include_tax: bool) -> CountryTerms:
        """For a country as an address has it, or by its code. Raises NoDelivery when parcels do not go there.

        A shop that has neither zones nor taxes takes any words for a country.
        """
        code = countries.code_of(country)
        if code is None:
            if self.zones or self.taxes:
                raise NoDelivery(country, known=False)
            return CountryTerms(country, None, None)
        zone = zone_of(self.zones, code)
        if self.zones and zone is None:
            raise NoDelivery(countries.names()[code], known=True)
        found = self.taxes.get(code)
        tax = TaxRule(found.name, found.basis_points, found.on_delivery, prices_include_tax) if found else None
        return CountryTerms(countries.names()[code], zone, tax)


class ShippingRatesCache(CachedValue[ShippingRates]):
    """The shipping rates as this process last read them."""

    def __init__(self) -> None:
        super().__init__(read_shipping_rates)


async def read_shipping_rates(session: AsyncSession) -> ShippingRates:
    """As it is in this transaction; two statements."""
    return ShippingRates(tuple(await zones(session)), {tax.country: tax for tax in await taxes(session)})


def zone_of(all_zones: Sequence[ShippingZone], code: str) -> ShippingZone | None:
    """The zone that lists the country, else the one for the rest of the world."""
    listed = next((zone for zone in all_zones if code in zone.countries), None)
    return listed or next((zone for zone in all_zones if zone.is_rest), None)


async def zones(session: AsyncSession) -> list[ShippingZone]:
    """In the order that the shop gave them, the rest of the world last; one statement."""
    of_zone = DeliveryRate.zone_id == DeliveryZone.id
    rows = await session.execute(
        select(
            DeliveryZone,
            _array(
                select(DeliveryCountry.country).where(DeliveryCountry.zone_id == DeliveryZone.id).order_by("country")
            ),
            _array(select(DeliveryRate.minimum).where(of_zone).order_by(DeliveryRate.minimum)),
            _array(select(DeliveryRate.price_cents).where(of_zone).order_by(DeliveryRate.minimum)),
        ).order_by(DeliveryZone.is_rest, DeliveryZone.position, DeliveryZone.id)
    )
    return [
        ShippingZone(
            id=zone.id,
            name=zone.name,
            is_rest=zone.is_rest,
            countries=tuple(listed),
            basis=zone.basis,
            rates=tuple(map(ShippingRate, minimums, prices)),
            free_from_cents=zone.free_from_cents,
            min_days=zone.min_days,
            max_days=zone.max_days,
        )
        for zone, listed, minimums, prices in rows
    ]


def _array(found: Select[Any]) -> ColumnElement[Any]:
    return func.array(found.correlate(DeliveryZone).scalar_subquery())


async def taxes(session: AsyncSession) -> list[CountryTax]:
    """By the names of the countries."""
    rows = await session.scalars(select(TaxRate))
    found = [CountryTax(row.country, row.name, row.basis_points, row.on_delivery) for row in rows]
    return sorted(found, key=lambda tax: countries.names().get(tax.country, tax.country))
