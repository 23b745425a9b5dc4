"""Builds the catalogue index of a test's database."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import queries
from server.catalog.index.index import CatalogIndex


async def loaded(session: AsyncSession) -> CatalogIndex:
    index = CatalogIndex()
    for product in await queries.indexed_behind(session, UUID(int=0), 1_000):
        index.put(product)
    return index
