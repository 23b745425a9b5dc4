"""Saving an admin's changes of a product."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import editing
from server.catalog.drafts import ProductDraft
from tests.catalog.editors import ADMIN


async def save(session: AsyncSession, product_id: UUID, draft: ProductDraft, version: int, **more: Any) -> None:
    await editing.edit_product(session, product_id, version, draft, 12, actor=ADMIN, **more)
    await session.commit()
