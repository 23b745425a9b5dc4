"""Funnels, cohorts and basket pairs in the GraphQL schema."""

from datetime import timedelta
from decimal import Decimal
from typing import Annotated

import strawberry

from server.analytics.behaviour import baskets, cohorts, funnel
from server.analytics.behaviour.cohorts import CohortPeriod
from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.graphql import asking
from server.analytics.reports.inputs import ReportRange
from server.analytics.reports.labels import Labels, labels_of
from server.analytics.reports.language import Dimension, money_each, percent
from server.analytics.reports.question import GRAINS, member_text
from server.analytics.reports.values import ReportSpan
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, describe_enum

describe_enum(
    CohortPeriod,
    "CohortPeriod",
    "How long the periods of cohorts are.",
    {period: f"By {period.value.value}." for period in CohortPeriod},
)

Zone = Annotated[str | None, strawberry.argument(description="An IANA name; the shop's own by default.")]
Range = Annotated[ReportRange, strawberry.argument(description="The time it is about.")]


@strawberry.type(description="One step of a funnel.")
class FunnelStep:
    name: str = strawberry.field(description="`viewed`, `added`, `checkout` or `paid`.")
    visits: int = strawberry.field(description="Visits that came this far, each step after the one before.")
    of_first: Decimal | None = strawberry.field(description="Percent of the visits that viewed.")
    of_previous: Decimal | None = strawberry.field(description="Percent of the step before; null for the first.")


@strawberry.type(description="A funnel of everything, or of one member.")
class FunnelRow:
    key: str | None = strawberry.field(description="The member's key, as in reports; null when not split.")
    label: str = strawberry.field(description="The member for people; empty when not split.")
    steps: list[FunnelStep] = strawberry.field(description="Viewed, added, checkout, paid.")


@strawberry.type(description="How far visits come. A visit is one browser tab that did not ask not to be counted.")
class Funnel:
    steps: list[FunnelStep] = strawberry.field(description="Of all visits.")
    rows: list[FunnelRow] = strawberry.field(description="For each member of `by`; empty without.")
    range: ReportSpan = strawberry.field(description="When the first view was.")


@strawberry.type(description="What a cohort did in one period.")
class CohortRetention:
    number: int = strawberry.field(description="0 is the period of the first order.")
    label: str = strawberry.field(description="The period.")
    customers: int = strawberry.field(description="Of the cohort, how many paid for an order in it.")
    retention: Decimal | None = strawberry.field(description="The same as percent of the cohort.")
    net_sales: Money = strawberry.field(description="What they bought in it less what went back.")
    cumulative_net_sales: Money = strawberry.field(description="The same with all periods before.")
    per_customer: Decimal | None = strawberry.field(description="Cumulative net sales for each of the cohort.")


@strawberry.type(description="Shoppers whose first paid order was in one period.")
class Cohort:
    label: str = strawberry.field(description="The period.")
    start: str = strawberry.field(description="Its first day.")
    customers: int = strawberry.field(description="How many began in it.")
    periods: list[CohortRetention] = strawberry.field(description="From the first order to the running period.")


@strawberry.type(description="Two products that are bought together. `first` is in fewer orders than `second`.")
class BasketPair:
    first_id: strawberry.ID = strawberry.field(description="A product's id.")
    first: str = strawberry.field(description="Its name.")
    second_id: strawberry.ID = strawberry.field(description="The other product's id.")
    second: str = strawberry.field(description="Its name.")
    orders: int = strawberry.field(description="Orders with both.")
    support: Decimal = strawberry.field(description="Percent of all orders that have both.")
    confidence: Decimal = strawberry.field(description="Percent of the orders with `first` that have `second` too.")
    lift: Decimal = strawberry.field(description="How many times as often together as by chance.")


@strawberry.type
class BehaviourFields:
    """The behaviour reports' fields of the type Analytics."""

    @strawberry.field(description="How far visits come: viewed, added, checkout, paid.")
    async def funnel(
        self,
        info: Info,
        range: Range,
        by: Annotated[
            Dimension | None,
            strawberry.argument(
                description="A time, a product or a kind of product to split by; `catalogue.questions` lists them. "
                + funnel.UNKNOWN_WORDS
            ),
        ] = None,
        within_minutes: Annotated[
            int, strawberry.argument(description="How long after the first view a step may come, up to 43,200.")
        ] = 1_440,
        time_zone: Zone = None,
    ) -> Funnel | None:
        window = timedelta(minutes=within_minutes) if 0 < within_minutes <= 43_200 else timedelta()
        funnel.check(by, window)
        async with asking(info, range, time_zone) as about:
            session, span, shop_zone = about.session, about.span, about.shop_zone
            whole = await funnel.progress(session, span, shop_zone, window)
            split = await funnel.progress(session, span, shop_zone, window, by) if by else []
            labels = await labels_of(session, (by,) if by else (), [(each.member,) for each in split])
        return Funnel(
            steps=_steps(whole[0].visits if whole else (0,) * len(funnel.STEPS)),
            rows=[
                FunnelRow(key=_key(by, each.member), label=labels.of(by, each.member), steps=_steps(each.visits))
                for each in split
                if by is not None
            ],
            range=ReportSpan.of(span),
        )

    @strawberry.field(description="Shoppers by when they first bought: how many come back, and what they spend.")
    async def cohorts(
        self,
        info: Info,
        range: Range,
        period: Annotated[
            CohortPeriod, strawberry.argument(description="How long a cohort begins, and a period lasts.")
        ] = CohortPeriod.MONTH,
        time_zone: Zone = None,
    ) -> list[Cohort] | None:
        async with asking(info, range, time_zone) as about:
            cohort_list = await cohorts.cohorts(about.session, about.span, about.shop_zone, period, about.now)
        labels = Labels()
        dimension = Dimension[period.name]
        return [
            Cohort(
                label=labels.of(dimension, cohort.start),
                start=cohort.start.date().isoformat(),
                customers=cohort.size,
                periods=_stays(cohort, [labels.of(dimension, stay.start) for stay in cohort.stays]),
            )
            for cohort in cohort_list
        ]

    @strawberry.field(description="What is bought together, the strongest first by lift.")
    async def basket_pairs(
        self,
        info: Info,
        range: Range,
        least: Annotated[int, strawberry.argument(description="Orders that must have both, at least 1.")] = 3,
        first: Annotated[int, strawberry.argument(description="How many at most, 1 to 100.")] = 20,
        time_zone: Zone = None,
    ) -> list[BasketPair] | None:
        if least < 1 or not 1 <= first <= 100:
            raise IncompatibleDimensions("`least` is at least 1, `first` 1 to 100.")
        async with asking(info, range, time_zone) as about:
            pairs = await baskets.pairs(about.session, about.span, about.shop_zone, least=least, limit=first)
        return [
            BasketPair(
                first_id=strawberry.ID(str(pair.first)),
                first=pair.first_name,
                second_id=strawberry.ID(str(pair.second)),
                second=pair.second_name,
                orders=pair.together,
                support=pair.support,
                confidence=pair.confidence,
                lift=pair.lift,
            )
            for pair in pairs
        ]


def _steps(visits: tuple[int, ...]) -> list[FunnelStep]:
    return [
        FunnelStep(
            name=name,
            visits=count,
            of_first=percent(count, visits[0]),
            of_previous=percent(count, visits[place - 1]) if place else None,
        )
        for place, (name, count) in enumerate(zip(funnel.STEPS, visits, strict=True))
    ]


def _key(by: Dimension | None, member: object) -> str | None:
    if by in GRAINS:
        return str(member)[:10] if by is not Dimension.HOUR else str(member)[:16].replace(" ", "T")
    return member_text(member) or None


def _stays(cohort: cohorts.Cohort, labels: list[str]) -> list[CohortRetention]:
    periods, together = [], 0
    for number, (stay, label) in enumerate(zip(cohort.stays, labels, strict=True)):
        together += stay.net_cents
        periods.append(
            CohortRetention(
                number=number,
                label=label,
                customers=stay.customers,
                retention=percent(stay.customers, cohort.size),
                net_sales=Money(stay.net_cents),
                cumulative_net_sales=Money(together),
                per_customer=money_each(together, cohort.size),
            )
        )
    return periods
