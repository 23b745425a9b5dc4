"""The shop's totals. Reads only; no other domain imports this one."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product, ProductImage
from server.identity.models import User
from server.media.models import Image
from server.media.service import ImageRow
from server.orders.models import Order, OrderLine
from server.orders.states import HAVE_BEEN_PAID

BEST = 10


@dataclass(frozen=True)
class TopProduct:
    """One of the best-selling products. `image` is its first image; None without one."""

    id: UUID
    name: str
    title: str
    image: ImageRow | None
    total_sold: int
    revenue_cents: int


@dataclass(frozen=True)
class AnalyticsTotals:
    """Accounts, products not retired, paid orders (refunded ones included), and payments less refunds."""

    total_users: int
    total_products: int
    total_orders: int
    total_sales_cents: int
    top_products: list[TopProduct]


async def totals(session: AsyncSession) -> AnalyticsTotals:
    """The totals, in two statements. The ten top products have the most units; revenue breaks ties."""
    paid = Order.payment_status.in_(HAVE_BEEN_PAID)
    sums = await session.execute(
        select(
            select(func.count()).select_from(User).scalar_subquery(),
            select(func.count()).select_from(Product).where(Product.retired_at.is_(None)).scalar_subquery(),
            func.count(),
            func.coalesce(func.sum(Order.total_cents - Order.refunded_cents), 0),
        ).where(paid)
    )
    users, products, orders, sales = sums.one()
    return AnalyticsTotals(users, products, orders, int(sales), await _top_products(session))


async def _top_products(session: AsyncSession) -> list[TopProduct]:
    units, revenue = func.sum(OrderLine.quantity), func.sum(OrderLine.quantity * OrderLine.unit_price_cents)
    best = (
        select(OrderLine.product_id, units.label("units"), revenue.label("revenue"))
        .join(Order, Order.id == OrderLine.order_id)
        .where(Order.payment_status.in_(HAVE_BEEN_PAID), OrderLine.product_id.is_not(None))
        .group_by(OrderLine.product_id)
        .order_by(units.desc(), revenue.desc(), OrderLine.product_id)
        .limit(BEST)
        .subquery()
    )
    first_picture = (
        select(ProductImage.image_id)
        .where(ProductImage.product_id == Product.id)
        .order_by(ProductImage.position, ProductImage.id)
        .limit(1)
        .correlate(Product)
        .scalar_subquery()
    )
    rows = await session.execute(
        select(
            Product.id,
            Product.name,
            Product.title,
            best.c.units,
            best.c.revenue,
            Image.id.label("image_id"),
            Image.width,
            Image.height,
            Image.placeholder,
        )
        .join_from(best, Product, Product.id == best.c.product_id)
        .outerjoin(Image, Image.id == first_picture)
        .order_by(best.c.units.desc(), best.c.revenue.desc(), Product.id)
    )
    return [
        TopProduct(
            id=row.id,
            name=row.name,
            title=row.title,
            image=ImageRow(row.image_id, row.width, row.height, row.placeholder) if row.image_id else None,
            total_sold=int(row.units),
            revenue_cents=int(row.revenue),
        )
        for row in rows
    ]
