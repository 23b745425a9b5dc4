"""Back-in-stock alerts: one mail to each address that asked for a sold-out variant, the next time it is available.

There is no double opt-in: the request is for a single mail, which ends the subscription, contains no advertising, and
is limited by network and address. A confirmation first would send strangers two mails instead of one.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product, ProductColor, ProductImage, Variant
from server.catalog.service import RESTOCKED
from server.config import Settings
from server.mail import service as mail
from server.mail.messages import BackInStock
from server.media import service as media
from server.platform.core import jobs, locks
from server.platform.core.db import begin
from server.platform.core.errors import NotFound
from server.platform.core.locks import Lock
from server.wishlist import unsubscribing
from server.wishlist.errors import AlreadyInStock
from server.wishlist.models import StockAlert

BACK_FOR = timedelta(seconds=60)
"""How long stock must last: an item that a failed payment releases is often reserved again at once."""
BATCH = 100
THUMBNAIL = 360


async def ask(session: AsyncSession, variant_id: UUID, email: str, *, user_id: UUID | None) -> None:
    """Subscribes an address to one mail; asking twice is asking once. Raises NotFound or AlreadyInStock."""
    sold = select(Variant.stock).join(Product, Product.id == Variant.product_id)
    stock = await session.scalar(
        sold.where(Variant.id == variant_id, Variant.retired_at.is_(None), Product.retired_at.is_(None))
    )
    if stock is None:
        raise NotFound("This item")
    if stock > 0:
        raise AlreadyInStock(variant_id, stock)
    alert = insert(StockAlert).values(variant_id=variant_id, email=email, user_id=user_id)
    await session.execute(alert.on_conflict_do_nothing())


async def waiting(session: AsyncSession, user_id: UUID) -> Sequence[StockAlert]:
    """The open alerts that the user asked for while signed in, oldest first."""
    own = select(StockAlert).where(StockAlert.user_id == user_id, StockAlert.mailed_at.is_(None))
    return (await session.scalars(own.order_by(StockAlert.id))).all()


async def clear(session: AsyncSession, user_id: UUID) -> bool:
    """Ends the alerts that an account asked for, whichever address they go to. Returns whether there were any.

    Mailed ones are only parted from the account, since their unsubscribe links still work.
    """
    waiting = delete(StockAlert).where(StockAlert.user_id == user_id, StockAlert.mailed_at.is_(None))
    ended = (await session.scalars(waiting.returning(StockAlert.id))).all()
    await session.execute(update(StockAlert).where(StockAlert.user_id == user_id).values(user_id=None))
    return bool(ended)


async def sweep(env: jobs.JobEnvironment) -> None:
    """Records which variants are back in stock, and mails the alerts of those in stock for a minute.

    One process at a time does the recording.
    """
    async with begin(env.sessions) as session:
        if not await locks.try_acquire(session, Lock.STOCK_ALERTS):
            return
        await session.execute(_NOTE_WHAT_IS_BACK)
    await _tell(env, StockAlert.back_at <= func.now() - BACK_FOR)


async def handle_restock(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Job: mails alerts without the minute's wait, since an admin has added the stock."""
    await _tell(env, Variant.id == jobs.job_id(payload, "variant_id"))


HANDLERS = {RESTOCKED: jobs.JobKind(handle_restock, attempts=jobs.ATTEMPTS_OF_A_DAY)}


_NOTE_WHAT_IS_BACK = text(
    """
    UPDATE stock_alerts SET back_at = CASE WHEN buyable.now THEN now() END
    FROM variants JOIN products ON products.id = variants.product_id,
        LATERAL (
            SELECT variants.stock > 0 AND variants.retired_at IS NULL AND products.retired_at IS NULL AS now
        ) buyable
    WHERE variants.id = stock_alerts.variant_id AND mailed_at IS NULL AND (back_at IS NOT NULL) <> buyable.now
    """
)


class _Due(NamedTuple):
    """An alert to be mailed, with what its mail shows."""

    alert: StockAlert
    product_id: UUID
    name: str
    color: str
    size: str


async def _tell(env: jobs.JobEnvironment, *which: ColumnElement[bool]) -> None:
    """Mails the due alerts that match the conditions.

    Each batch has its own transaction, so none is long, and an interruption repeats at most one batch.
    """
    shop_url = env.resources.get(Settings).public_url
    while True:
        async with begin(env.sessions) as session:
            due = await _due(session, which)
            variants = {each.alert.variant_id for each in due}
            pictures = {variant_id: await _image_path(session, variant_id) for variant_id in variants}
            for each in due:
                await _mail(session, each, pictures[each.alert.variant_id], shop_url)
        if len(due) < BATCH:
            return


async def _mail(session: AsyncSession, due: _Due, image_path: str | None, shop_url: str) -> None:
    token = unsubscribing.new_token()
    message = BackInStock(
        name=due.name,
        color=due.color,
        size=due.size,
        product_path=f"/product/{due.product_id}",
        image_path=image_path,
        unsubscribe_path=unsubscribing.path_of(token),
    )
    await mail.enqueue(session, message, key=f"back-in-stock:{due.alert.id}", to=due.alert.email, shop_url=shop_url)
    mark_mailed = update(StockAlert).where(StockAlert.id == due.alert.id)
    await session.execute(mark_mailed.values(mailed_at=func.now(), token_hash=unsubscribing.hash_of(token)))


async def _due(session: AsyncSession, which: Sequence[ColumnElement[bool]]) -> list[_Due]:
    """The next batch, locked; rows that another process is mailing are skipped."""
    query = (
        select(StockAlert, Product.id, Product.name, ProductColor.name, Variant.size)
        .join(Variant, Variant.id == StockAlert.variant_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
        .where(StockAlert.mailed_at.is_(None), Variant.stock > 0, *which)
        .where(Variant.retired_at.is_(None), Product.retired_at.is_(None))
        .order_by(StockAlert.id)
        .limit(BATCH)
        .with_for_update(of=StockAlert, skip_locked=True)
    )
    return [_Due(*row) for row in (await session.execute(query)).all()]


async def _image_path(session: AsyncSession, variant_id: UUID) -> str | None:
    """The first image of the variant's color, else of the product."""
    query = (
        select(ProductImage.image_id)
        .join(Variant, Variant.product_id == ProductImage.product_id)
        .where(Variant.id == variant_id)
        .order_by((ProductImage.color_id == Variant.color_id).desc().nulls_last(), ProductImage.position)
        .limit(1)
    )
    image_id = await session.scalar(query)
    picture = (await media.images_by_id(session, [image_id])).get(image_id) if image_id else None
    return media.path_of(picture.id, picture.width, THUMBNAIL, "jpg") if picture else None
