"""Creating products, and taking them off sale."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.service import AuditSubject
from server.catalog import category_queries, discounts, fields, measurements, stock
from server.catalog.categories import Categories
from server.catalog.drafts import NO_SUCH_IMAGE, ProductDraft, color_names, normal_hex, validate
from server.catalog.models import Product, ProductColor, ProductImage, Variant
from server.catalog.stock import StockMove
from server.media.models import Image
from server.platform.core import jobs
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.viewer import Viewer

RESTOCKED = "restocked"
"""Kind of the job that announces added stock; its payload is the variant's id. Other domains handle it."""


async def create_product(
    session: AsyncSession, draft: ProductDraft, most_pictures: int, *, actor: Viewer | None = None
) -> UUID:
    """Creates a product. Returns its id. Raises InvalidInput, also for an image that does not exist."""
    categories = await category_queries.locked(session)
    validate(draft, categories, most_pictures)
    await check_pictures_exist(session, draft)
    inserted = await session.execute(insert(Product).values(product_values(draft)).returning(Product.id))
    product_id: UUID = inserted.scalar_one()
    names = color_names(draft.colors)
    color_ids = [uuid4() for _ in draft.colors]
    await session.execute(
        insert(ProductColor),
        [
            {"id": color_ids[at], "product_id": product_id, "name": names[at], "hex": normal_hex(color), "position": at}
            for at, color in enumerate(draft.colors)
        ],
    )
    await session.execute(
        insert(ProductImage),
        [
            {
                "product_id": product_id,
                "color_id": None if picture.color is None else color_ids[picture.color],
                "image_id": picture.image_id,
                "alt": picture.alt.strip() or draft.name.strip(),
                "position": at,
            }
            for at, picture in enumerate(draft.pictures)
        ],
    )
    variants = insert(Variant).returning(Variant.id, Variant.stock)
    made_variants = await session.execute(variants, _variant_values(draft, categories, product_id, color_ids))
    moves = [StockMove(*row) for row in made_variants]
    await stock.record(session, moves, "opening", actor=actor)
    facts = {
        "price_cents": draft.price_cents,
        "discounted_price_cents": draft.discounted_price_cents,
        "category": draft.category,
        "colors": names,
        "sizes": list(draft.sizes),
        "stock": sum(move.quantity for move in moves),
    }
    await audit.record(session, actor, "created", AuditSubject("product", product_id, draft.name.strip()), after=facts)
    return product_id


async def retire_product(session: AsyncSession, product_id: UUID, *, actor: Viewer | None = None) -> None:
    """Takes a product off sale: it leaves lists and searches and stays in past orders. Idempotent.

    Raises NotFound.
    """
    await _set_retired(session, product_id, True, actor)


async def restore_product(session: AsyncSession, product_id: UUID, *, actor: Viewer | None = None) -> None:
    """Puts a retired product back on sale. Idempotent. Raises NotFound."""
    await _set_retired(session, product_id, False, actor)


async def _set_retired(session: AsyncSession, product_id: UUID, retired: bool, actor: Viewer | None) -> None:
    is_other = Product.retired_at.is_(None) if retired else Product.retired_at.is_not(None)
    changed = await session.scalar(
        update(Product)
        .where(Product.id == product_id, is_other)
        .values(retired_at=func.now() if retired else None, updated_at=func.now(), version=Product.version + 1)
        .returning(Product.name)
    )
    if changed is not None:
        action = "retired" if retired else "restored"
        await audit.record(session, actor, action, AuditSubject("product", product_id, changed))
    elif await session.scalar(select(Product.id).where(Product.id == product_id)) is None:
        raise NotFound("This product")


async def announce_restock(session: AsyncSession, variant_ids: Sequence[UUID]) -> None:
    """Call it in the transaction that adds stock by intent: back-in-stock alerts are then mailed at once.

    Stock that returns by itself, from a released checkout, is noticed a minute later without this.
    """
    for variant_id in variant_ids:
        await jobs.enqueue(session, RESTOCKED, {"variant_id": str(variant_id)})


def sku_part(size: str) -> str:
    """The end of a generated SKU: W30L32."""
    return size.replace(" ", "")


def split_evenly(total: int, places: int) -> list[int]:
    """Divides a number evenly; the remainder goes to the first places."""
    share, rest = divmod(total, places)
    return [share + (place < rest) for place in range(places)]


def sort_image_urls(addresses: Sequence[str]) -> list[str]:
    """Trimmed, without empty ones; those that contain 'prod' come first, otherwise in the given order."""
    trimmed = [address.strip() for address in addresses]
    return sorted((address for address in trimmed if address), key=lambda address: "prod" not in address)


async def check_pictures_exist(session: AsyncSession, draft: ProductDraft) -> None:
    """Raises InvalidInput. Existing images are locked against deletion until the transaction ends."""
    ids = {picture.image_id for picture in draft.pictures}
    images = select(Image.id).where(Image.id.in_(ids)).order_by(Image.id).with_for_update(read=True, key_share=True)
    if set(await session.scalars(images)) != ids:
        raise InvalidInput({"images": NO_SUCH_IMAGE})


def series(gender: str, subcategory: str, product_id: UUID) -> str:
    """The prefix of a product's SKUs, where none are entered."""
    return f"{gender[0]}{subcategory[0]}-{product_id.hex[-8:]}".upper()


def product_values(draft: ProductDraft) -> dict[str, Any]:
    """The product's columns for a valid draft."""
    percentage = draft.discount_percentage
    if percentage is None:
        percentage = discounts.percentage(draft.price_cents, draft.discounted_price_cents)
    optional: dict[str, Any] = {} if draft.weight_grams is None else {"weight_grams": draft.weight_grams}
    if draft.measurements is not None:
        optional["measurements"] = measurements.stored(draft.measurements)
    return {
        **optional,
        **fields.texts_of(draft),
        "details": [{"label": each.label.strip(), "text": each.text.strip()} for each in draft.details],
        "gender": draft.gender,
        "subcategory": draft.subcategory,
        "price_cents": draft.price_cents,
        "discounted_price_cents": draft.discounted_price_cents,
        "discount_percentage": percentage,
        "discount_starts_at": draft.discount_starts_at,
        "discount_ends_at": draft.discount_ends_at,
    }


def _variant_values(
    draft: ProductDraft, categories: Categories, product_id: UUID, color_ids: Sequence[UUID]
) -> list[dict[str, Any]]:
    sizes = categories.sizes_of(draft.category).in_order(draft.sizes)
    places = [(color, size) for color in range(len(color_ids)) for size in sizes]
    if draft.variants is None:
        stock = dict(zip(places, split_evenly(draft.stock or 0, len(places)), strict=True))
    else:
        stock = {(variant.color, variant.size): variant.stock for variant in draft.variants}
    named = {(variant.color, variant.size): variant.sku.strip() for variant in draft.variants or ()}
    beginning = series(draft.gender, draft.subcategory, product_id)
    return [
        {
            "product_id": product_id,
            "color_id": color_ids[color],
            "size": size,
            "sku": named.get((color, size)) or f"{beginning}-{color + 1}-{sku_part(size)}",
            "stock": stock.get((color, size), 0),
        }
        for color, size in places
    ]
