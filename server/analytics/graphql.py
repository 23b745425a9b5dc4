"""The shop's totals in the GraphQL schema."""

from typing import Annotated

import strawberry

from server.analytics import facts, service
from server.analytics.behaviour.graphql import BehaviourFields
from server.analytics.reports import graphql as reports
from server.analytics.reports import inputs, saved
from server.analytics.reports.admin import SavedReport
from server.analytics.reports.catalogue import ReportCatalogue
from server.analytics.reports.language import Dimension, Source
from server.analytics.totals import TotalsCache
from server.media.graphql import Image
from server.platform.core.context import reading
from server.platform.gql.permissions import AdminOnly
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info


@strawberry.type(description="A product that sells well.")
class TopProduct:
    id: strawberry.ID = strawberry.field(description="The product's id.")
    name: str = strawberry.field(description="Its name now.")
    image: Image | None = strawberry.field(description="Its first picture; null when it has none.")
    total_sold: int = strawberry.field(description="Pieces in paid orders.")
    revenue: Money = strawberry.field(description="What those pieces were sold for, refunds not taken off.")

    @classmethod
    def of(cls, row: service.TopProduct) -> "TopProduct":
        """From the service's row."""
        image = row.image
        return cls(
            id=strawberry.ID(str(row.id)),
            name=row.name,
            image=Image.of(image.id, image.width, image.height, image.placeholder, row.title) if image else None,
            total_sold=row.total_sold,
            revenue=Money(row.revenue_cents),
        )


async def _totals(info: Info) -> service.AnalyticsTotals:
    """The totals; all fields of a query share one read."""
    return await info.context.resources.get(TotalsCache).get()


@strawberry.type(description="The shop in figures: its totals over all time, and reports of every kind.")
class Analytics(BehaviourFields):
    @strawberry.field(description="All accounts.")
    async def total_users(self, info: Info) -> int:
        return (await _totals(info)).total_users

    @strawberry.field(description="Products not retired.")
    async def total_products(self, info: Info) -> int:
        return (await _totals(info)).total_products

    @strawberry.field(description="Orders that were paid, refunded ones included.")
    async def total_orders(self, info: Info) -> int:
        return (await _totals(info)).total_orders

    @strawberry.field(description="Paid less refunded.")
    async def total_sales(self, info: Info) -> Money:
        return Money((await _totals(info)).total_sales_cents)

    @strawberry.field(description="The ten best by units, revenue breaking ties.")
    async def top_products(self, info: Info) -> list[TopProduct]:
        return [TopProduct.of(row) for row in (await _totals(info)).top_products]

    @strawberry.field(description=f"For reports, cohorts and basket pairs alike: {reports.MISSING}")
    async def missing(self, info: Info) -> str | None:
        async with reading(info.context) as session:
            return (await facts.facts_state(session)).missing

    @strawberry.field(description=f"For reports, cohorts and basket pairs alike: {reports.FRESHNESS}")
    async def freshness(self, info: Info) -> reports.DataFreshness:
        async with reading(info.context) as session:
            return reports.DataFreshness.of(await facts.facts_state(session))

    @strawberry.field(description="Everything that reports can be made of, each with a query that runs.")
    def catalogue(self) -> ReportCatalogue:
        return ReportCatalogue()

    @strawberry.field(description="Reports that admins keep under a name, by name. One statement.")
    async def saved_reports(self, info: Info) -> list[SavedReport]:
        async with reading(info.context) as session:
            return [SavedReport.of(row) for row in await saved.every(session)]

    @strawberry.field(
        description="Measures of sales, stock and visits, split by any dimensions that fit together. Grouping is what "
        "`by` says; selecting a measure or a comparison adds values, never rows."
    )
    async def report(
        self,
        info: Info,
        range: Annotated[inputs.ReportRange, strawberry.argument(description="The time it is about.")],
        by: Annotated[
            list[Dimension], strawberry.argument(description="What rows stand for; none for the totals alone.")
        ] = [],  # noqa: B006
        where: Annotated[inputs.ReportFilter | None, strawberry.argument(description="What is counted at all.")] = None,
        having: Annotated[
            list[inputs.MeasureBound], strawberry.argument(description="Which rows are kept; totals stay whole.")
        ] = [],  # noqa: B006
        order_by: Annotated[
            list[inputs.ReportOrder], strawberry.argument(description="The first decides, the next break ties.")
        ] = [],  # noqa: B006
        first: Annotated[int, strawberry.argument(description="Rows at most, 1 to 1,000.")] = 100,
        after: Annotated[
            str | None, strawberry.argument(description="`pageInfo.endCursor` of the page before.")
        ] = None,
        fill_gaps: Annotated[
            bool,
            strawberry.argument(
                description="Rows for times in which nothing happened, too, unless that makes more than 20,000: "
                "`meta.notes` says so then."
            ),
        ] = True,
        top: Annotated[
            inputs.TopMembers | None, strawberry.argument(description="Keeps few members and one row for the others.")
        ] = None,
        time_zone: Annotated[
            str | None,
            strawberry.argument(description="An IANA name; the shop's own by default, which is the quickest."),
        ] = None,
        rows_of: Annotated[
            list[Source], strawberry.argument(description="Whose members make rows; measures of others fill them in.")
        ] = [Source.SALES],  # noqa: B006
    ) -> reports.Report | None:
        return await reports.answer(
            info,
            range=range,
            by=by,
            where=where,
            having=having,
            order_by=order_by,
            first=first,
            after=after,
            fill_gaps=fill_gaps,
            top=top,
            time_zone=time_zone,
            rows_of=rows_of,
        )


@strawberry.type
class AnalyticsAdminFields:
    """Analytics' field of the back office."""

    @strawberry.field(description="The shop in figures.", permission_classes=[AdminOnly])
    def analytics(self) -> Analytics:
        return Analytics()
