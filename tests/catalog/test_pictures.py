"""Uploaded images that no product uses are deleted; all others are kept."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import pictures
from server.catalog.models import ProductImage
from server.media.models import Image
from server.platform.core.db import Sessions
from server.platform.core.jobs import JobEnvironment
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import Storefront
from tests.media.drawings import drawn


async def uploaded(storefront: Storefront) -> UUID:
    answer = await storefront.admin.post("/uploads/images", content=drawn("PNG"), headers={"content-type": "image/png"})
    assert answer.status_code == 201, answer.text
    return UUID(answer.json()["id"])


async def test_an_upload_that_no_product_used_for_a_day_is_gone_with_its_files(
    storefront: Storefront, session: AsyncSession, sessions: Sessions
) -> None:
    product_id = await put_on_offer(session)
    used, abandoned, fresh = [await uploaded(storefront) for _ in range(3)]
    session.add(ProductImage(product_id=product_id, image_id=used, alt="", position=0))
    yesterday = datetime.now(UTC) - timedelta(hours=25)
    await session.execute(update(Image).where(Image.id.in_([used, abandoned])).values(created_at=yesterday))
    await session.commit()
    assert (await storefront.visitor.get(f"/images/{abandoned}/60.webp")).status_code == 200

    await pictures.tidy(JobEnvironment(sessions, storefront.app.state.shop.resources))

    assert set(await session.scalars(select(Image.id))) == {used, fresh}
    assert {file.split("/")[0] for file in storefront.files()} == {str(used), str(fresh)}


async def test_a_picture_upload_from_another_site_is_refused_and_leaves_nothing(storefront: Storefront) -> None:
    answer = await storefront.admin.post(
        "/uploads/images",
        content=drawn("PNG"),
        headers={"content-type": "image/png", "sec-fetch-site": "cross-site", "origin": "https://evil.test"},
    )

    assert answer.status_code == 403
    assert storefront.files() == []
