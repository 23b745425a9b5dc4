"""Changes to a wishlist. Functions that add lock the account's row, so that parallel tabs respect the limit."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product, ProductColor
from server.identity.models import User
from server.platform.core import clock
from server.platform.core.errors import InvalidInput, NotFound
from server.wishlist.errors import WishlistFull
from server.wishlist.models import WishlistItem

MAX_PRODUCTS = 200


async def items(session: AsyncSession, user_id: UUID) -> dict[UUID, UUID | None]:
    """The products on the list that are on sale, newest first, with the id of the color in which each was added.

    The product may no longer come in that color.
    """
    query = (
        select(WishlistItem.product_id, WishlistItem.color_id)
        .join(Product, Product.id == WishlistItem.product_id)
        .where(WishlistItem.user_id == user_id, Product.retired_at.is_(None))
        .order_by(WishlistItem.added_at.desc(), WishlistItem.product_id)
    )
    return {row.product_id: row.color_id for row in await session.execute(query)}


async def add(session: AsyncSession, user_id: UUID, product_id: UUID, color_id: UUID | None = None) -> None:
    """Adds a product; one that is there stays where it is and takes the color, if one is given.

    A color that the product does not come in counts as none. Raises NotFound for a product that is not on sale, or
    WishlistFull.
    """
    await _lock(session, user_id)
    if not await _sold(session, [product_id]):
        raise NotFound("This product")
    there = await items(session, user_id)
    if product_id not in there and len(there) >= MAX_PRODUCTS:
        raise WishlistFull(MAX_PRODUCTS)
    await _put(session, user_id, [product_id], await _colors(session, [color_id] if color_id else []))


async def remove(session: AsyncSession, user_id: UUID, product_id: UUID) -> None:
    """Removes a product; has no effect when it is not there."""
    item = delete(WishlistItem).where(WishlistItem.user_id == user_id, WishlistItem.product_id == product_id)
    await session.execute(item)


async def clear(session: AsyncSession, user_id: UUID) -> bool:
    """Removes all products. Returns whether there were any."""
    items = delete(WishlistItem).where(WishlistItem.user_id == user_id).returning(WishlistItem.product_id)
    return bool((await session.scalars(items)).all())


async def merge(session: AsyncSession, user_id: UUID, wished: Sequence[UUID], color_ids: Sequence[UUID] = ()) -> None:
    """Adds the list that a visitor made before signing in, newest first, above what is there.

    Products that are not on sale or do not fit are left out. `color_ids` are those in which the visitor added them, the
    newest first, also for products that are there. Raises InvalidInput for more of either than a list can hold.
    """
    for name, ids in (("productIds", wished), ("colorIds", color_ids)):
        if len(ids) > MAX_PRODUCTS:
            raise InvalidInput({name: f"are at most {MAX_PRODUCTS}"})
    await _lock(session, user_id)
    there, sold = await items(session, user_id), await _sold(session, wished)
    new = [each for each in dict.fromkeys(wished) if each in sold and each not in there]
    again = there.keys() & set(wished)
    await _put(session, user_id, [*new[: MAX_PRODUCTS - len(there)], *again], await _colors(session, color_ids))


async def _lock(session: AsyncSession, user_id: UUID) -> None:
    """Locks the account's row. Raises NotFound when the account is gone."""
    if await session.scalar(select(User.id).where(User.id == user_id).with_for_update(key_share=True)) is None:
        raise NotFound("This account")


async def _sold(session: AsyncSession, ids: Sequence[UUID]) -> set[UUID]:
    return set(await session.scalars(select(Product.id).where(Product.id.in_(ids), Product.retired_at.is_(None))))


async def _colors(session: AsyncSession, ids: Sequence[UUID]) -> dict[UUID, UUID]:
    """The first of the colors for each product that comes in one of them."""
    if not ids:
        return {}
    query = select(ProductColor.id, ProductColor.product_id)
    rows = await session.execute(query.where(ProductColor.id.in_(ids), ProductColor.retired_at.is_(None)))
    products = {row.id: row.product_id for row in rows}
    return {products[each]: each for each in reversed(ids) if each in products}


_INSERT = insert(WishlistItem)
_PUT = _INSERT.on_conflict_do_update(
    index_elements=[WishlistItem.user_id, WishlistItem.product_id],
    set_={"color_id": _INSERT.excluded.color_id},
    where=_INSERT.excluded.color_id.is_not(None),
)


async def _put(session: AsyncSession, user_id: UUID, ids: Sequence[UUID], colors: Mapping[UUID, UUID]) -> None:
    """Inserts wishes, the first id as the newest; of those that are there it sets the color."""
    now = clock.now()
    rows = [
        {
            "user_id": user_id,
            "product_id": each,
            "color_id": colors.get(each),
            "added_at": now - timedelta(microseconds=place),
        }
        for place, each in enumerate(ids)
    ]
    if rows:
        await session.execute(_PUT, rows)
