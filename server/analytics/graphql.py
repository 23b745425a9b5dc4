"""The shop's totals in the schema."""

import strawberry

from server.analytics import service
from server.core.context import reading
from server.core.graphql import AdminOnly, Info, Money
from server.media.graphql import Image


@strawberry.type(description="A product that sells well.")
class TopProduct:
    id: strawberry.ID = strawberry.field(description="The product's id.")
    name: str = strawberry.field(description="Its name now.")
    image: Image | None = strawberry.field(description="Its first picture; null when it has none.")
    total_sold: int = strawberry.field(description="Pieces in paid orders.")
    revenue: Money = strawberry.field(description="What those pieces were sold for, refunds not taken off.")

    @classmethod
    def of(cls, row: service.TopProduct) -> "TopProduct":
        image = row.image
        return cls(
            id=strawberry.ID(str(row.id)),
            name=row.name,
            image=Image.of(image.id, image.width, image.height, image.placeholder, row.title) if image else None,
            total_sold=row.total_sold,
            revenue=Money(row.revenue_cents),
        )


@strawberry.type(description="The shop's totals, over all time.")
class Analytics:
    total_users: int = strawberry.field(description="All accounts.")
    total_products: int = strawberry.field(description="Products not retired.")
    total_orders: int = strawberry.field(description="Orders that were paid, refunded ones included.")
    total_sales: Money = strawberry.field(description="Paid less refunded.")
    top_products: list[TopProduct] = strawberry.field(description="The ten best by units, revenue breaking ties.")


@strawberry.type
class AdminFields:
    @strawberry.field(description="The shop's totals. Costs two statements.", permission_classes=[AdminOnly])
    async def analytics(self, info: Info) -> Analytics:
        async with reading(info.context) as session:
            totals = await service.totals(session)
        return Analytics(
            total_users=totals.total_users,
            total_products=totals.total_products,
            total_orders=totals.total_orders,
            total_sales=Money(totals.total_sales_cents),
            top_products=[TopProduct.of(row) for row in totals.top_products],
        )
