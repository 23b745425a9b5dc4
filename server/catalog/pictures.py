"""Tidying away uploaded pictures that no product came to use."""

from datetime import timedelta

from sqlalchemy import column, delete, func, select, table

from server.catalog.models import ProductImage
from server.core.db import begin
from server.core.jobs import JobEnvironment
from server.media.models import Image
from server.media.service import ImageProcessor

KEPT_FOR = timedelta(days=1)
"""Long enough for a form that is left open over lunch, and for a night."""
BATCH = 100

# Orders stand above this domain, so they are named here and not imported. Their lines keep the pictures they show.
_KEEPERS = (ProductImage.__table__, *(table(name, column("image_id")) for name in ("order_lines", "checkout_lines")))


async def tidy(env: JobEnvironment) -> None:
    """Deletes pictures that are a day old and that no product, order or checkout shows: rows first, then files.

    A picture that is being given to a product right now is locked, and left alone.
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
