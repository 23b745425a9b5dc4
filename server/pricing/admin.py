"""Discount codes, shipping rates and tax in the GraphQL schema, for admins."""

from datetime import datetime
from enum import Enum
from typing import Annotated, Any
from uuid import UUID

import strawberry

from server.platform.core import countries
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.cursors import datetime_key, decode_cursor
from server.platform.core.money import percent
from server.platform.core.text import parse_id
from server.platform.gql.pagination import After, Connection, First, connection
from server.platform.gql.permissions import AdminOnly, PrimaryAdminOnly, RecentSignIn
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, InvalidInput, UserError, enum_value
from server.pricing import code_administration, rate_administration, shipping_rates
from server.pricing.code_sales import CodeSalesPort
from server.pricing.errors import NoDelivery
from server.pricing.graphql import Country, DeliveryBasis, DeliveryCharge, DeliveryZone, TaxCharge
from server.pricing.promotions import Action, AmountOff, Condition, MinSubtotal, PercentOff
from server.pricing.totals import add_up
from server.pricing.types import (
    PromotionAction,
    PromotionActionInput,
    PromotionCondition,
    PromotionConditionsInput,
    actions_of,
    conditions_of,
    to_graphql,
)
from server.shop import service as shop

CodeWords = Annotated[str, strawberry.argument(description="The code, in whatever case.")]
ZoneId = Annotated[strawberry.ID, strawberry.argument(description="The zone's id.")]


@strawberry.enum(description="Whether a code counts.")
class DiscountCodeState(Enum):
    RUNNING = enum_value("running", "It counts now.")
    PLANNED = enum_value("planned", "Its start is yet to come.")
    ENDED = enum_value("ended", "It was ended, or its time is over.")


@strawberry.type(description="A discount code, as admins see it.")
class DiscountCode:
    id: strawberry.ID = strawberry.field(description="The code itself; it never changes.")
    code: str = strawberry.field(description='In capitals: "WELCOME10".')
    percent: int | None = strawberry.field(description="Percent off the goods; null where it is an amount.")
    amount: Money | None = strawberry.field(description="What comes off the goods; null where it is a percentage.")
    min_subtotal: Money = strawberry.field(description="The least that the goods must cost.")
    action: Any = strawberry.field(
        graphql_type=PromotionAction | None,
        description="What it takes off; null for an action that only a later version of the shop has.",
    )
    conditions: Any = strawberry.field(
        graphql_type=list[PromotionCondition], description="For which carts and which of their lines."
    )
    starts_at: datetime | None = strawberry.field(description="When it begins to count; null since ever.")
    ends_at: datetime | None = strawberry.field(description="When it stops; null never.")
    max_uses: int | None = strawberry.field(description="Most uses in all; null without limit.")
    max_uses_per_customer: int | None = strawberry.field(description="Most uses by one account; null without limit.")
    is_active: bool = strawberry.field(description="False once somebody ended it.")
    state: DiscountCodeState = strawberry.field(description="Whether it counts right now.")
    uses: int = strawberry.field(description="Orders placed with it, those whose payment failed left out.")
    held: int = strawberry.field(description="Open checkouts that hold a use.")
    discounts: Money = strawberry.field(description="What it took off those orders.")
    created_at: datetime = strawberry.field(description="When it was made.")

    @strawberry.field(
        description="Net sales of the orders paid with it, as reports count them: goods less discounts and refunds, "
        "without delivery and tax that is added to prices. It follows a payment within seconds."
    )
    async def sales(self, info: Info) -> Money:
        return Money(await info.context.load(info.context.resources.get(CodeSalesPort).read, self.code) or 0)

    @classmethod
    def of(cls, issued: code_administration.DiscountCodeSummary) -> "DiscountCode":
        """From the service's summary."""
        code, promotion = issued.code, issued.code.promotion
        return cls(
            id=strawberry.ID(code.code),
            code=code.code,
            percent=code.percent,
            amount=None if code.amount_cents is None else Money(code.amount_cents),
            min_subtotal=Money(code.min_subtotal_cents),
            action=to_graphql(promotion.action) if promotion else None,
            conditions=[to_graphql(each) for each in promotion.conditions] if promotion else [],
            starts_at=code.starts_at,
            ends_at=code.ends_at,
            max_uses=code.max_uses,
            max_uses_per_customer=code.max_uses_per_customer,
            is_active=code.is_active,
            state=DiscountCodeState(issued.state.value),
            uses=issued.uses,
            held=issued.held,
            discounts=Money(issued.discounts_cents),
            created_at=code.created_at,
        )


@strawberry.input(description="A discount code; exactly one of `action`, `percent` and `amount`.")
class DiscountCodeInput:
    percent: int | None = strawberry.field(
        default=None, description="Percent off the goods, 1 to 100: short for `action.percentOff`."
    )
    amount: Money | None = strawberry.field(
        default=None, description="What comes off the goods: short for `action.amountOff`."
    )
    min_subtotal: Money | None = strawberry.field(
        default=None, description="The least that the goods must cost: short for `conditions.minSubtotal`."
    )
    action: Any = strawberry.field(
        default=None, graphql_type=PromotionActionInput | None, description="What it takes off."
    )
    conditions: Any = strawberry.field(
        default=None,
        graphql_type=PromotionConditionsInput | None,
        description="For which carts and which of their lines.",
    )
    starts_at: datetime | None = strawberry.field(default=None, description="When it begins to count.")
    ends_at: datetime | None = strawberry.field(default=None, description="When it stops.")
    max_uses: int | None = strawberry.field(default=None, description="Most uses in all.")
    max_uses_per_customer: int | None = strawberry.field(default=None, description="Most uses by one account.")
    is_active: bool = strawberry.field(default=True, description="False keeps everybody from using it.")

    def draft(self) -> code_administration.DiscountCodeDraft:
        """The draft for the service. Raises InvalidInput for a time without a time zone."""
        for name, moment in (("startsAt", self.starts_at), ("endsAt", self.ends_at)):
            if moment is not None and moment.tzinfo is None:
                raise refusals.InvalidInput({name: "A moment with its time zone"})
        return code_administration.DiscountCodeDraft(
            actions=tuple(self._actions()),
            conditions=tuple(self._conditions()),
            starts_at=self.starts_at,
            ends_at=self.ends_at,
            max_uses=self.max_uses,
            max_uses_per_customer=self.max_uses_per_customer,
            is_active=self.is_active,
        )

    def _actions(self) -> list[Action]:
        percent = [] if self.percent is None else [PercentOff(self.percent)]
        amount = [] if self.amount is None else [AmountOff(int(self.amount))]
        return [*percent, *amount, *actions_of(self.action)]

    def _conditions(self) -> list[Condition]:
        min_subtotal = [MinSubtotal(int(self.min_subtotal))] if self.min_subtotal else []
        return [*min_subtotal, *conditions_of(self.conditions)]


@strawberry.type(description="The tax on what is sent to a country.")
class TaxRate:
    country: Country = strawberry.field(description="Where it goes.")
    name: str = strawberry.field(description='What shoppers read: "VAT".')
    rate: str = strawberry.field(description='"19%".')
    basis_points: int = strawberry.field(description="Hundredths of a percent: 1900 is 19%.")
    on_delivery: bool = strawberry.field(description="Whether delivery is taxed too.")

    @classmethod
    def of(cls, tax: shipping_rates.CountryTax) -> "TaxRate":
        """From the service's row."""
        return cls(
            country=Country.of(tax.country),
            name=tax.name,
            rate=percent(tax.basis_points),
            basis_points=tax.basis_points,
            on_delivery=tax.on_delivery,
        )


@strawberry.type(description="Where parcels go, for how much, and what is taxed.")
class ShippingAndTax:
    id: strawberry.ID = strawberry.field(description="Always the same: a shop has one.")
    zones: list[DeliveryZone] = strawberry.field(
        description="In the shop's order, the rest of the world last. None: everywhere, free."
    )
    tax_rates: list[TaxRate] = strawberry.field(description="By country; countries without one are not taxed.")

    @strawberry.field(description="Every country there is, by name, to choose from.")
    def countries(self) -> list[Country]:
        return [Country.of(code) for code in countries.names()]

    @classmethod
    def of(cls, rates: shipping_rates.ShippingRates) -> "ShippingAndTax":
        """From the service's rates."""
        return cls(
            id=strawberry.ID("rates"),
            zones=[DeliveryZone(zone=zone) for zone in rates.zones],
            tax_rates=[TaxRate.of(tax) for tax in rates.taxes.values()],
        )


@strawberry.input(description="What a parcel costs from some weight or amount on.")
class DeliveryRateInput:
    minimum: Money | None = strawberry.field(default=None, description="Where the goods' price decides: from so much.")
    grams: int | None = strawberry.field(default=None, description="Where the weight decides: from so many grams.")
    price: Money = strawberry.field(description="What the delivery costs.")


@strawberry.input(description="A delivery zone, whole: what is left out is taken away.")
class DeliveryZoneInput:
    name: str = strawberry.field(description="What shoppers read, up to 60 characters.")
    is_rest_of_world: bool = strawberry.field(default=False, description="Takes what no other zone lists.")
    countries: list[str] = strawberry.field(default_factory=list, description="ISO 3166 codes.")
    basis: DeliveryBasis = strawberry.field(description="What its rates go by.")
    rates: list[DeliveryRateInput] = strawberry.field(description="1 to 20, each from another minimum on.")
    free_from: Money | None = strawberry.field(default=None, description="Goods for so much go free.")
    min_days: int | None = strawberry.field(default=None, description="Working days at least.")
    max_days: int | None = strawberry.field(default=None, description="Working days at most.")

    def draft(self) -> rate_administration.ZoneDraft:
        """The draft for the service, its rates sorted by their minimum."""
        by_weight = self.basis is DeliveryBasis.WEIGHT
        rates = [
            shipping_rates.ShippingRate((rate.grams if by_weight else rate.minimum) or 0, int(rate.price))
            for rate in self.rates
        ]
        return rate_administration.ZoneDraft(
            name=self.name.strip(),
            is_rest=self.is_rest_of_world,
            countries=tuple(dict.fromkeys(self.countries)),
            basis=self.basis.value,
            rates=tuple(sorted(rates, key=lambda rate: rate.minimum)),
            free_from_cents=None if self.free_from is None else int(self.free_from),
            min_days=self.min_days,
            max_days=self.max_days,
        )


@strawberry.input(description="The tax on what is sent to a country.")
class TaxRateInput:
    basis_points: int = strawberry.field(description="Hundredths of a percent: 1900 is 19%.")
    name: str = strawberry.field(default="Tax", description='What shoppers read: "VAT".')
    on_delivery: bool = strawberry.field(default=True, description="Whether delivery is taxed too.")


@strawberry.type(description="What goods would come to when they are sent somewhere.")
class RatePreview:
    delivery: DeliveryCharge = strawberry.field(description="What sending costs.")
    tax: TaxCharge | None = strawberry.field(description="Null where there is none.")
    total: Money = strawberry.field(description="Goods, delivery, and tax unless it is included.")


@strawberry.type(description="Nothing is sent there.")
class RatePreviewRefused(UserError): ...


WholeZone = Annotated[DeliveryZoneInput, strawberry.argument(description="All of it.")]
DiscountCodeResult = Annotated[
    DiscountCode | InvalidInput,
    strawberry.union("DiscountCodeResult", description="The code as it is now, or what is wrong."),
]
ShippingAndTaxResult = Annotated[
    ShippingAndTax | InvalidInput,
    strawberry.union("ShippingAndTaxResult", description="Shipping and tax as they are now, or what is wrong."),
]
RatePreviewResult = Annotated[
    RatePreview | RatePreviewRefused,
    strawberry.union("RatePreviewResult", description="The sums, or why there are none."),
]


@strawberry.type
class PricingAdminFields:
    """Pricing's fields of the back office."""

    @strawberry.field(description="Discount codes, newest first. A page costs two statements.")
    async def discount_codes(
        self,
        info: Info,
        search: Annotated[str, strawberry.argument(description="A part of the code.")] = "",
        state: Annotated[DiscountCodeState | None, strawberry.argument(description="In this state only.")] = None,
        first: First = 50,
        after: After = None,
    ) -> Connection[DiscountCode]:
        criteria = code_administration.DiscountCodeFilter(
            search, code_administration.DiscountCodeStatus(state.value) if state else None
        )
        return await connection(
            info,
            first,
            decode_cursor(after, datetime_key, str),
            lambda session, limit, place: code_administration.page(session, criteria, limit, place),
            lambda session: code_administration.total(session, criteria),
            node=DiscountCode.of,
            place=lambda issued: (issued.code.created_at, issued.code.code),
        )

    @strawberry.field(description="Where parcels go, for how much, and what is taxed.")
    async def shipping_and_tax(self, info: Info) -> ShippingAndTax:
        return await _shipping_and_tax(info)

    @strawberry.field(description="Previews shipping rates and tax: what goods would come to, sent to a country.")
    async def preview_rates(
        self,
        info: Info,
        country: Annotated[str, strawberry.argument(description="Code or name.")],
        goods: Annotated[Money, strawberry.argument(description="What the goods cost.")],
        grams: Annotated[int, strawberry.argument(description="What the parcel weighs.")] = 0,
    ) -> RatePreviewResult:
        include = (await shop.current(info.context)).prices_include_tax
        async with reading(info.context) as session:
            rates = await shipping_rates.read_shipping_rates(session)
        cents = max(int(goods), 0)
        try:
            terms = rates.terms(countries.code_of(country) or country, prices_include_tax=include)
            shipping_option = terms.delivery(cents, max(grams, 0))
        except NoDelivery as error:
            return RatePreviewRefused(message=str(error), field="country")
        sums = add_up([cents], shipping_cents=shipping_option.price_cents, tax=terms.tax)
        tax = terms.tax
        return RatePreview(
            delivery=DeliveryCharge(
                name=shipping_option.name,
                price=Money(shipping_option.price_cents),
                min_days=shipping_option.min_days,
                max_days=shipping_option.max_days,
            ),
            tax=TaxCharge.of(tax.name, tax.basis_points, sums.tax_cents, included=tax.included) if tax else None,
            total=Money(sums.total_cents),
        )


@strawberry.type
class PricingMutations:
    """All admins change discount codes; only the primary admin changes delivery zones and tax."""

    @strawberry.mutation(permission_classes=[AdminOnly, RecentSignIn], description="Makes a discount code.")
    async def create_discount_code(
        self,
        info: Info,
        code: Annotated[str, strawberry.argument(description="2 to 40 letters, digits, - and _, in any case.")],
        input: Annotated[DiscountCodeInput, strawberry.argument(description="What it is worth, and when.")],
    ) -> DiscountCodeResult:
        try:
            async with transaction(info.context) as session:
                return DiscountCode.of(
                    await code_administration.create(session, info.context.viewer, code, input.draft())
                )
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)

    @strawberry.mutation(
        permission_classes=[AdminOnly, RecentSignIn],
        description="Changes a discount code, whole. What is reserved or bought already keeps its discount. A made-up "
        "code is a NOT_FOUND error.",
    )
    async def update_discount_code(
        self,
        info: Info,
        code: CodeWords,
        input: Annotated[DiscountCodeInput, strawberry.argument(description="What it is worth from now on.")],
    ) -> DiscountCodeResult:
        try:
            async with transaction(info.context) as session:
                return DiscountCode.of(
                    await code_administration.change(session, info.context.viewer, code, input.draft())
                )
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)

    @strawberry.mutation(
        permission_classes=[AdminOnly, RecentSignIn],
        description="Ends a discount code; twice is once. A made-up code is a NOT_FOUND error.",
    )
    async def deactivate_discount_code(self, info: Info, code: CodeWords) -> DiscountCode:
        async with transaction(info.context) as session:
            return DiscountCode.of(await code_administration.end(session, info.context.viewer, code))

    @strawberry.mutation(
        permission_classes=[PrimaryAdminOnly, RecentSignIn],
        description="Makes a delivery zone.",
    )
    async def create_delivery_zone(self, info: Info, input: WholeZone) -> ShippingAndTaxResult:
        return await _save_zone(info, None, input)

    @strawberry.mutation(
        permission_classes=[PrimaryAdminOnly, RecentSignIn],
        description="Changes a delivery zone, whole. A made-up id is a NOT_FOUND error.",
    )
    async def update_delivery_zone(self, info: Info, id: ZoneId, input: WholeZone) -> ShippingAndTaxResult:
        return await _save_zone(info, parse_id(id, "This delivery zone"), input)

    @strawberry.mutation(
        permission_classes=[PrimaryAdminOnly, RecentSignIn],
        description="Removes a delivery zone: its countries go by the rest of the world, or not at all.",
    )
    async def delete_delivery_zone(self, info: Info, id: ZoneId) -> ShippingAndTax:
        async with transaction(info.context) as session:
            await rate_administration.remove_zone(session, info.context.viewer, parse_id(id, "This delivery zone"))
        return await _shipping_and_tax(info)

    @strawberry.mutation(permission_classes=[PrimaryAdminOnly, RecentSignIn], description="Sets the tax of a country.")
    async def set_tax_rate(
        self,
        info: Info,
        country: Annotated[str, strawberry.argument(description="ISO 3166 code.")],
        input: Annotated[TaxRateInput, strawberry.argument(description="All of it.")],
    ) -> ShippingAndTaxResult:
        draft = rate_administration.TaxDraft(input.name.strip(), input.basis_points, input.on_delivery)
        try:
            async with transaction(info.context) as session:
                await rate_administration.set_tax(session, info.context.viewer, country, draft)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return await _shipping_and_tax(info)

    @strawberry.mutation(
        permission_classes=[PrimaryAdminOnly, RecentSignIn], description="Takes a country's tax away; twice is once."
    )
    async def delete_tax_rate(
        self, info: Info, country: Annotated[str, strawberry.argument(description="ISO 3166 code.")]
    ) -> ShippingAndTax:
        async with transaction(info.context) as session:
            await rate_administration.remove_tax(session, info.context.viewer, country)
        return await _shipping_and_tax(info)


async def _save_zone(info: Info, zone_id: UUID | None, input: DeliveryZoneInput) -> ShippingAndTaxResult:
    try:
        async with transaction(info.context) as session:
            await rate_administration.save_zone(session, info.context.viewer, zone_id, input.draft())
    except refusals.InvalidInput as error:
        return InvalidInput.of(error)
    return await _shipping_and_tax(info)


async def _shipping_and_tax(info: Info) -> ShippingAndTax:
    """The rates as in the database, since this process may not have received the change's notification yet."""
    info.context.resources.get(shipping_rates.ShippingRatesCache).forget()
    async with reading(info.context) as session:
        return ShippingAndTax.of(await shipping_rates.read_shipping_rates(session))
