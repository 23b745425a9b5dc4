"""Delivery and tax in the GraphQL schema, for shoppers."""

from enum import Enum
from typing import Annotated, ClassVar

import strawberry
from strawberry.utils.await_maybe import AwaitableOrValue

from server.platform.core import countries, money
from server.platform.core.context import Context
from server.platform.core.db import Sessions
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, enum_value
from server.pricing import shipping_rates
from server.pricing.shipping_rates import ShippingRates, ShippingRatesCache
from server.shop import service as shop


@strawberry.type(description="A country, by ISO 3166.")
class Country:
    code: str = strawberry.field(description='ISO 3166 code: "DE".')
    name: str = strawberry.field(description='English name: "Germany".')

    @classmethod
    def of(cls, code: str) -> "Country":
        """By its ISO 3166 code."""
        return cls(code=code, name=countries.names().get(code, code))


@strawberry.type(description="A state, province or prefecture of a country.")
class State:
    code: str = strawberry.field(description='As the country\'s post writes it: "CA".')
    name: str = strawberry.field(description='In English letters: "California".')


@strawberry.type(description="What an address in a country names beside the town.")
class States:
    label: str = strawberry.field(description='What the country calls one of them: "State", "Province".')
    is_required: bool = strawberry.field(description="Whether its post asks for one.")
    choices: list[State] = strawberry.field(description="By name.")


@strawberry.enum(description="What the price of a delivery goes by.")
class DeliveryBasis(Enum):
    WEIGHT = enum_value("weight", "The weight of the parcel.")
    TOTAL = enum_value("total", "What the goods cost, after any discount.")


@strawberry.type(description="What a parcel costs from some weight or amount on, up to the next rate.")
class DeliveryRate:
    from_grams: int | None = strawberry.field(description="The least weight; null where the goods' price decides.")
    from_amount: Money | None = strawberry.field(
        description="The least the goods cost after any discount; null where the weight decides."
    )
    price: Money = strawberry.field(description="What the delivery costs.")

    @classmethod
    def of(cls, rate: shipping_rates.ShippingRate, basis: str) -> "DeliveryRate":
        """A rate whose minimum counts grams or cents, by the zone's basis."""
        by_weight = basis == "weight"
        return cls(
            from_grams=rate.minimum if by_weight else None,
            from_amount=None if by_weight else Money(rate.minimum),
            price=Money(rate.price_cents),
        )


@strawberry.type(description="Countries to which a parcel costs the same.")
class DeliveryZone:
    zone: strawberry.Private[shipping_rates.ShippingZone]
    memo_key: ClassVar[str] = "zone"

    @strawberry.field(description="Opaque.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(str(self.zone.id))

    @strawberry.field(description='What the shop calls it: "Europe".')
    def name(self) -> str:
        return self.zone.name

    @strawberry.field(description="Whether it takes every country that no other zone lists.")
    def is_rest_of_world(self) -> bool:
        return self.zone.is_rest

    @strawberry.field(description="By name; empty for the rest of the world.")
    def countries(self) -> list[Country]:
        return sorted(map(Country.of, self.zone.countries), key=lambda country: country.name)

    @strawberry.field(description="What its rates go by.")
    def basis(self) -> DeliveryBasis:
        return DeliveryBasis(self.zone.basis)

    @strawberry.field(description="By rising minimum; below the first nothing is sent.")
    def rates(self) -> list[DeliveryRate]:
        return [DeliveryRate.of(rate, self.zone.basis) for rate in self.zone.rates]

    @strawberry.field(description="Goods for so much, after any discount, go free; null when none do.")
    def free_from(self) -> Money | None:
        cents = self.zone.free_from_cents
        return None if cents is None else Money(cents)

    @strawberry.field(description="Working days it takes at least; null when not said.")
    def min_days(self) -> int | None:
        return self.zone.min_days

    @strawberry.field(description="Working days it takes at most; null when not said.")
    def max_days(self) -> int | None:
        return self.zone.max_days


@strawberry.type(description="What a delivery costs, and how long it takes.")
class DeliveryCharge:
    name: str = strawberry.field(description='The zone it goes to: "Europe"; empty in a shop that has no zones.')
    price: Money = strawberry.field(description="0.00 when it is free.")
    min_days: int | None = strawberry.field(description="Working days it takes at least; null when not said.")
    max_days: int | None = strawberry.field(description="Working days it takes at most; null when not said.")


@strawberry.type(description="The tax of a purchase.")
class TaxCharge:
    name: str = strawberry.field(description='What the country calls it: "VAT".')
    rate: str = strawberry.field(description='"19%".')
    amount: Money = strawberry.field(description="To the cent, rounded once for the whole purchase.")
    is_included: bool = strawberry.field(description="Whether the prices have it in them, or it is added to them.")

    @classmethod
    def of(cls, name: str, basis_points: int, cents: int, *, included: bool) -> "TaxCharge":
        """A tax in cents at a rate in basis points."""
        return cls(name=name, rate=money.percent(basis_points), amount=Money(cents), is_included=included)


async def _read_zones(cache: ShippingRatesCache, sessions: Sessions) -> list[DeliveryZone]:
    return _zones(await cache.get(sessions))


def _zones(rates: ShippingRates) -> list[DeliveryZone]:
    return [DeliveryZone(zone=zone) for zone in rates.zones]


@strawberry.type
class PricingShopFields:
    """Pricing's fields of the type Shop."""

    context: strawberry.Private[Context]
    """The catalogue's object has it."""

    @strawberry.field(
        description="Where parcels go and for how much, the rest of the world last; none means everywhere, free.",
        graphql_type=list[DeliveryZone],
    )
    def delivery_zones(self) -> AwaitableOrValue[list[DeliveryZone]]:
        cache = self.context.resources.get(ShippingRatesCache)
        rates = cache.known
        return _read_zones(cache, self.context.sessions) if rates is None else _zones(rates)

    @strawberry.field(
        description="The world's countries, by name: those that parcels go to, or those that they do not."
    )
    async def countries(
        self,
        info: Info,
        delivered: Annotated[bool, strawberry.argument(description="Whether parcels go there.")] = True,
    ) -> list[Country]:
        zones = (await info.context.resources.get(ShippingRatesCache).get(info.context.sessions)).zones
        return [
            Country.of(code)
            for code in countries.names()
            if delivered == (not zones or shipping_rates.zone_of(zones, code) is not None)
        ]

    @strawberry.field(description="The states that an address in a country names; null where it names none.")
    def states(
        self, country: Annotated[str, strawberry.argument(description='Its ISO 3166 code: "US".')]
    ) -> States | None:
        subdivisions = countries.states_of(country)
        choices = sorted(
            (State(code=each.code, name=each.name) for each in subdivisions.choices), key=lambda each: each.name
        )
        return (
            States(label=subdivisions.label, is_required=subdivisions.is_required, choices=choices) if choices else None
        )

    @strawberry.field(description="How parcels go to a country; null when they do not.")
    async def delivery(
        self,
        info: Info,
        country: Annotated[
            str, strawberry.argument(description='Its ISO 3166 code or name, in English or its own: "DE", "Germany".')
        ],
    ) -> DeliveryZone | None:
        code = countries.code_of(country)
        rates = await info.context.resources.get(ShippingRatesCache).get(info.context.sessions)
        zone = shipping_rates.zone_of(rates.zones, code) if code else None
        return DeliveryZone(zone=zone) if zone else None

    @strawberry.field(description="Whether prices have the tax in them; otherwise checkout adds it.")
    async def prices_include_tax(self, info: Info) -> bool:
        return (await shop.current(info.context)).prices_include_tax
