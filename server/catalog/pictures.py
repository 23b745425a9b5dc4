"""Deletes uploaded images that no product, category, order or page uses."""

from datetime import timedelta

from sqlalchemy import delete, func, select

from server.catalog.category_models import Category
from server.catalog.models import ProductImage
from server.catalog.views import document_image_references, line_references
from server.media.models import Image
from server.media.service import ImageProcessor
from server.platform.core.db import begin
from server.platform.core.jobs import JobEnvironment

KEPT_FOR = timedelta(days=1)
"""Long enough for a form that stays open overnight."""
BATCH = 100

_KEEPERS = (ProductImage.__table__, Category.__table__, line_references, document_image_references)


async def tidy(env: JobEnvironment) -> None:
    """Deletes images older than a day that no product, category, order, checkout or page shows: rows first, then files.

    An image that is being added to one of them at this moment is locked, and skipped.
    """
    unused = [~select(1).select_from(each).where(each.c.image_id == Image.id).exists() for each in _KEEPERS]
    old = select(Image.id).where(Image.created_at < func.now() - KEPT_FOR, *unused).limit(BATCH)
    pictures = env.resources.get(ImageProcessor)
    while True:
        async with begin(env.sessions) as session:
            claimed = old.with_for_update(of=Image, skip_locked=True)
            gone = (
                await session.scalars(delete(Image).where(Image.id.in_(claimed.scalar_subquery())).returning(Image.id))
            ).all()
        for image_id in gone:
            await pictures.remove(image_id)
        if len(gone) < BATCH:
            return
