"""Builds the catalogue index of a test's database."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import category_queries, queries
from server.catalog.index.index import CatalogIndex


async def loaded(session: AsyncSession) -> CatalogIndex:
    index = CatalogIndex()
    index.put_categories(await category_queries.categories(session))
    for product in await queries.indexed_behind(session, UUID(int=0), 1_000):
        index.put(product)
    return index
