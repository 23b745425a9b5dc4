"""Editing a product: compares a form with the locked product, and overwrites no change that the form did not show."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.service import AuditSubject
from server.catalog import category_queries, drafts, fields, service, stock
from server.catalog.drafts import ProductDraft
from server.catalog.errors import ChangedMeanwhile
from server.catalog.models import Product, ProductColor, ProductImage, Variant
from server.catalog.product_parts import LockedProduct, write_colors, write_pictures, write_variants
from server.catalog.stock import Reason
from server.platform.core import clock
from server.platform.core.errors import NotFound
from server.platform.core.text import is_blank
from server.platform.core.viewer import Viewer

COPIED = [each.name for each in fields.FACTS if each.is_copied]
"""Columns that a duplicate copies from its original."""


@dataclass(frozen=True)
class StockEditReason:
    """Why the stock in an edited product differs."""

    reason: Reason = "adjustment"
    note: str = ""


async def edit_product(
    session: AsyncSession,
    product_id: UUID,
    version: int,
    draft: ProductDraft,
    most_pictures: int,
    *,
    actor: Viewer,
    why: StockEditReason | None = None,
) -> None:
    """Makes the product equal to the draft, whose colors, variants and images are complete lists.

    Colors and variants that are left out are deleted if they were never stocked or sold, and retired otherwise; the id
    of a retired color restores it. Raises NotFound, InvalidInput, or ChangedMeanwhile when `version`, or the stock of a
    variant that the draft changes, differs from what the form showed. Equal values are not written.
    """
    categories = await category_queries.locked(session)
    whole = await _locked(session, product_id)
    if whole.product.version != version:
        raise ChangedMeanwhile
    drafts.validate_edit(draft, categories, most_pictures, had_pictures=bool(whole.pictures))
    await service.check_pictures_exist(session, draft)
    before = _facts(whole)
    _write_product(whole.product, draft)
    places = await write_colors(session, whole, draft)
    moves = await write_variants(session, whole, draft, places)
    await write_pictures(session, whole, draft, places)
    after = _facts(whole)
    if before == after:
        return
    whole.product.version += 1
    whole.product.updated_at = clock.now()
    await session.flush()
    why = why or StockEditReason()
    await stock.record(session, moves, why.reason, note=why.note, actor=actor)
    await service.announce_restock(session, [move.variant_id for move in moves if move.quantity > 0])
    changes = _differing(before, after)
    await audit.record(session, actor, "edited", _subject(whole.product), before=changes[0], after=changes[1])


async def duplicate_product(session: AsyncSession, product_id: UUID, *, actor: Viewer) -> UUID:
    """A copy with the same images and no stock, retired at first. Raises NotFound."""
    whole = await _locked(session, product_id)
    old = whole.product
    values = {name: getattr(old, name) for name in COPIED}
    name = f"{old.name[: fields.NAME_LENGTH - 5]} copy"
    inserted = await session.execute(
        insert(Product).values(**values, name=name, retired_at=func.now()).returning(Product.id)
    )
    new_id: UUID = inserted.scalar_one()
    colors = [color for color in whole.colors if color.retired_at is None]
    ids = {color.id: uuid4() for color in colors}
    series = service.series(old.gender, old.subcategory, new_id)
    for position, color in enumerate(colors):
        session.add(
            ProductColor(id=ids[color.id], product_id=new_id, name=color.name, hex=color.hex, position=position)
        )
    await session.flush()
    for variant in whole.variants:
        if variant.color_id in ids and variant.retired_at is None:
            sku = f"{series}-{list(ids).index(variant.color_id) + 1}-{service.sku_part(variant.size)}"
            session.add(Variant(product_id=new_id, color_id=ids[variant.color_id], size=variant.size, sku=sku, stock=0))
    for picture in whole.pictures:
        if picture.color_id is None or picture.color_id in ids:
            session.add(
                ProductImage(
                    product_id=new_id,
                    color_id=ids.get(picture.color_id) if picture.color_id else None,
                    image_id=picture.image_id,
                    alt=picture.alt,
                    position=picture.position,
                )
            )
    await session.flush()
    subject = AuditSubject("product", new_id, name)
    await audit.record(
        session, actor, "duplicated", subject, after={"copy_of": old.name, "price_cents": old.price_cents}
    )
    return new_id


async def _locked(session: AsyncSession, product_id: UUID) -> LockedProduct:
    locked = select(Product).where(Product.id == product_id).with_for_update(key_share=True)
    product = await session.scalar(locked.execution_options(populate_existing=True))
    if product is None:
        raise NotFound("This product")
    colors = select(ProductColor).where(ProductColor.product_id == product_id)
    variants = select(Variant).where(Variant.product_id == product_id).order_by(Variant.id)
    pictures = select(ProductImage).where(ProductImage.product_id == product_id)
    return LockedProduct(
        product,
        list(await session.scalars(colors.order_by(ProductColor.position, ProductColor.id))),
        list(await session.scalars(variants.with_for_update(key_share=True))),
        list(await session.scalars(pictures.order_by(ProductImage.position, ProductImage.id))),
    )


def _write_product(product: Product, draft: ProductDraft) -> None:
    values = service.product_values(draft)
    if is_blank(draft.title) and product.title != product.name:
        del values["title"]
    same_discount = (product.price_cents, product.discounted_price_cents) == (
        values["price_cents"],
        values["discounted_price_cents"],
    )
    if same_discount and draft.discount_percentage is None:
        del values["discount_percentage"]
    for name, value in values.items():
        if getattr(product, name) != value:
            setattr(product, name, value)


def _facts(whole: LockedProduct) -> dict[str, Any]:
    """The product for the audit log, in readable values."""
    product, names = whole.product, {color.id: color.name for color in whole.colors}
    sold = [variant for variant in whole.variants if variant.retired_at is None]
    named = whole.named
    return {
        **fields.audit_values(product),
        "colors": [
            f"{color.name} {color.hex}"
            for color in sorted(whole.colors, key=lambda color: color.position)
            if color.retired_at is None
        ],
        "stock": {named[variant.id]: variant.stock for variant in sold},
        "skus": {named[variant.id]: variant.sku for variant in sold},
        "pictures": [
            f"{names[picture.color_id] if picture.color_id else 'Every color'}: {picture.alt} ({picture.image_id})"
            for picture in whole.pictures
        ],
    }


def _differing(before: dict[str, Any], after: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both states without equal values; of grids only the cells that differ."""
    old, new = dict(before), dict(after)
    for name in ("measurements", "stock", "skus"):
        same = before[name].items() & after[name].items()
        old[name] = dict(sorted(before[name].items() - same))
        new[name] = dict(sorted(after[name].items() - same))
    return old, new


def _subject(product: Product) -> AuditSubject:
    return AuditSubject("product", product.id, product.name)
