"""Exports the whole catalogue as a CSV file that can be imported again."""

from collections.abc import AsyncIterator
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import category_queries
from server.catalog.categories import Categories
from server.catalog.fields import ProductFacts
from server.catalog.measurements import length_text
from server.catalog.models import Product as ProductRow
from server.inventory import csv_file
from server.inventory.catalog_io import products_by_id
from server.inventory.planned import PlannedProduct, PlannedVariant, shown
from server.media import service as media
from server.platform.core.db import Sessions

PAGE = 200
_LARGEST = 900


async def export(sessions: Sessions, shop_url: str, unit: str = "cm") -> AsyncIterator[bytes]:
    """All products on sale as of one moment, in chunks, however long the client takes to read them."""
    columns = csv_file.columns_in(unit)
    async with sessions() as session:
        await session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        categories = await category_queries.categories(session)
        header = True
        async for products in _pages(session):
            cells = [row for product in products for row in _rows(product, categories, shop_url)]
            rows = [[row.get(column, "") for column in columns] for row in cells]
            pieces = csv_file.written([columns, *rows] if header else rows, begins=header)
            header = False
            for piece in pieces:
                yield piece
        if header:
            for piece in csv_file.written([columns]):
                yield piece


async def _pages(session: AsyncSession) -> AsyncIterator[list[PlannedProduct]]:
    last: UUID | None = None
    while True:
        query = select(ProductRow.id).where(ProductRow.retired_at.is_(None)).order_by(ProductRow.id).limit(PAGE)
        ids = (await session.scalars(query if last is None else query.where(ProductRow.id > last))).all()
        if not ids:
            return
        last = ids[-1]
        yield list((await products_by_id(session, set(ids))).values())


def _rows(product: PlannedProduct, categories: Categories, shop_url: str) -> list[dict[str, str]]:
    """Cells by column, measurements in every unit; a cell that is not there is empty."""
    colors = list(product.colors)
    offered = [item for item in product.items if not item.is_retired]
    sizes = categories.sizes_of(product.facts.category)
    offered.sort(key=lambda item: (colors.index(item.color_id), sizes.place(item.size)))
    return [{**_row(product, item, shop_url), **_lengths(product.facts, categories, item.size)} for item in offered]


def _row(product: PlannedProduct, item: PlannedVariant, shop_url: str) -> dict[str, str]:
    facts, color = product.facts, product.colors[item.color_id]

    def addresses(place: UUID | None) -> str:
        own = [each.image_id for each in product.pictures if each.color_id == place]
        return " ".join(f"{shop_url}{media.path_of(image, _LARGEST, _LARGEST)}" for image in own)

    return {
        "sku": item.sku,
        "product": str(product.id),
        **{column: shown(getattr(facts, member), column) for column, member in csv_file.PRODUCT_COLUMNS.items()},
        "images": addresses(None),
        "color": color.name,
        "color_hex": color.hex,
        "color_images": addresses(item.color_id),
        "size": item.size,
        "stock": str(item.stock),
        "exported_stock": str(item.stock),
    }


def _lengths(facts: ProductFacts, categories: Categories, size: str) -> dict[str, str]:
    points = categories.points_of(facts.category)
    lengths = {point: facts.measurements.get(point, {}).get(size) for point in points}
    return {
        column: length_text(length, unit)
        for column, (point, unit) in csv_file.MEASUREMENTS.items()
        if (length := lengths.get(point)) is not None
    }
