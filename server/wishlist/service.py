"""Changes to a wishlist. Functions that add lock the account's row, so that parallel tabs respect the limit."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product
from server.identity.models import User
from server.platform.core import clock
from server.platform.core.errors import InvalidInput, NotFound
from server.wishlist.errors import WishlistFull
from server.wishlist.models import WishlistItem

MAX_PRODUCTS = 200


async def product_ids(session: AsyncSession, user_id: UUID) -> list[UUID]:
    """The products on the list that are on sale, newest first."""
    query = (
        select(WishlistItem.product_id)
        .join(Product, Product.id == WishlistItem.product_id)
        .where(WishlistItem.user_id == user_id, Product.retired_at.is_(None))
        .order_by(WishlistItem.added_at.desc(), WishlistItem.product_id)
    )
    return list(await session.scalars(query))


async def add(session: AsyncSession, user_id: UUID, product_id: UUID) -> None:
    """Adds a product; has no effect when it is there. Raises NotFound for one not on sale, or WishlistFull."""
    await _lock(session, user_id)
    if not await _sold(session, [product_id]):
        raise NotFound("This product")
    there = await product_ids(session, user_id)
    if product_id in there:
        return
    if len(there) >= MAX_PRODUCTS:
        raise WishlistFull(MAX_PRODUCTS)
    await _put(session, user_id, [product_id])


async def remove(session: AsyncSession, user_id: UUID, product_id: UUID) -> None:
    """Removes a product; has no effect when it is not there."""
    item = delete(WishlistItem).where(WishlistItem.user_id == user_id, WishlistItem.product_id == product_id)
    await session.execute(item)


async def clear(session: AsyncSession, user_id: UUID) -> bool:
    """Removes all products. Returns whether there were any."""
    items = delete(WishlistItem).where(WishlistItem.user_id == user_id).returning(WishlistItem.product_id)
    return bool((await session.scalars(items)).all())


async def merge(session: AsyncSession, user_id: UUID, wished: Sequence[UUID]) -> None:
    """Adds the list that a visitor made before signing in, newest first, above what is there.

    Products that are not on sale or do not fit are left out. Raises InvalidInput for more than a list can hold.
    """
    if len(wished) > MAX_PRODUCTS:
        raise InvalidInput({"productIds": f"are at most {MAX_PRODUCTS}"})
    await _lock(session, user_id)
    there, sold = await product_ids(session, user_id), await _sold(session, wished)
    new = [each for each in dict.fromkeys(wished) if each in sold and each not in there]
    await _put(session, user_id, new[: MAX_PRODUCTS - len(there)])


async def _lock(session: AsyncSession, user_id: UUID) -> None:
    """Locks the account's row. Raises NotFound when the account is gone."""
    if await session.scalar(select(User.id).where(User.id == user_id).with_for_update(key_share=True)) is None:
        raise NotFound("This account")


async def _sold(session: AsyncSession, ids: Sequence[UUID]) -> set[UUID]:
    return set(await session.scalars(select(Product.id).where(Product.id.in_(ids), Product.retired_at.is_(None))))


async def _put(session: AsyncSession, user_id: UUID, ids: Sequence[UUID]) -> None:
    """Inserts wishes; the first id is the newest."""
    now = clock.now()
    rows = [
        {"user_id": user_id, "product_id": each, "added_at": now - timedelta(microseconds=place)}
        for place, each in enumerate(ids)
    ]
    if rows:
        await session.execute(insert(WishlistItem).on_conflict_do_nothing(), rows)
