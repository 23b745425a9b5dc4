"""Delivery cost and tax by country.

A shop without zones delivers everywhere for free. With zones, a country belongs to the zone that lists it, else to the
one for the rest of the world, else the shop does not deliver there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core import countries
from server.platform.core.cached_value import CachedValue
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
    """Countries with the same delivery cost; rates in ascending order of their minimum."""

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
        """Delivery in cents for goods of this value after any discount; None below the lowest rate."""
        if self.free_from_cents is not None and goods_cents >= self.free_from_cents:
            return 0
        measure = grams if self.basis == "weight" else goods_cents
        return next((rate.price_cents for rate in reversed(self.rates) if rate.minimum <= measure), None)


@dataclass(frozen=True)
class CountryTax:
    """The tax of one country, in basis points."""

    country: str
    name: str
    basis_points: int
    on_delivery: bool


@dataclass(frozen=True)
class ShippingOption:
    """A delivery method: name, price, and working days where they are known."""

    name: str
    price_cents: int
    min_days: int | None
    max_days: int | None


@dataclass(frozen=True)
class CountryTerms:
    """Everything about a country that a total needs. `zone` is None in a shop without zones."""

    country: str
    zone: ShippingZone | None
    tax: TaxRule | None

    def delivery(self, goods_cents: int, grams: int) -> ShippingOption:
        """The delivery method for a shipment. Raises NoDelivery when the zone has no rate for it."""
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
        """The terms for a country, by its ISO 3166 code. Raises NoDelivery where none is offered."""
        name = countries.name_of(country)
        if not name:
            raise NoDelivery(country, known=False)
        zone = zone_of(self.zones, country)
        if self.zones and zone is None:
            raise NoDelivery(name, known=True)
        country_tax = self.taxes.get(country)
        tax = (
            TaxRule(country_tax.name, country_tax.basis_points, country_tax.on_delivery, prices_include_tax)
            if country_tax
            else None
        )
        return CountryTerms(name, zone, tax)


class ShippingRatesCache(CachedValue[ShippingRates]):
    """The shipping rates, cached in this process until they change."""

    def __init__(self) -> None:
        super().__init__(read_shipping_rates)


async def read_shipping_rates(session: AsyncSession) -> ShippingRates:
    """The rates as this transaction sees them; two statements."""
    return ShippingRates(tuple(await zones(session)), {tax.country: tax for tax in await taxes(session)})


def zone_of(all_zones: Sequence[ShippingZone], code: str) -> ShippingZone | None:
    """The zone that lists the country, else the one for the rest of the world."""
    listed = next((zone for zone in all_zones if code in zone.countries), None)
    return listed or next((zone for zone in all_zones if zone.is_rest), None)


async def zones(session: AsyncSession) -> list[ShippingZone]:
    """All zones in the shop's order, the rest of the world last; one statement."""
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


def _array(query: Select[Any]) -> ColumnElement[Any]:
    return func.array(query.correlate(DeliveryZone).scalar_subquery())


async def taxes(session: AsyncSession) -> list[CountryTax]:
    """All taxes, by country name."""
    rows = await session.scalars(select(TaxRate))
    by_country = [CountryTax(row.country, row.name, row.basis_points, row.on_delivery) for row in rows]
    return sorted(by_country, key=lambda tax: countries.names().get(tax.country, tax.country))
