"""Editing a product: compares a form with the locked product, and overwrites no change that the form did not show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import column, delete, func, insert, or_, select, table
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.service import AuditSubject
from server.catalog import drafts, measurements, service, stock
from server.catalog.colors import family
from server.catalog.drafts import NewColor, NewVariant, ProductDraft
from server.catalog.errors import ChangedMeanwhile
from server.catalog.models import Product, ProductColor, ProductImage, StockMovement, Variant
from server.catalog.stock import Reason, StockMove
from server.core.errors import InvalidInput, NotFound
from server.core.viewer import Viewer

# Orders and checkouts belong to domains above this one, so their tables are named here and not imported.
_order_lines = table("order_lines", column("variant_id"))
_checkout_lines = table("checkout_lines", column("variant_id"))


UNNAMED = "unnamed "
"""Beginning of the SKU of a variant that has no final one yet."""
COPIED = (
    "title",
    "subtitle",
    "description",
    "details",
    "measurements",
    "gender",
    "subcategory",
    "price_cents",
    "discounted_price_cents",
    "discount_percentage",
    "discount_starts_at",
    "discount_ends_at",
    "weight_grams",
)
"""Columns that a duplicate copies from its original."""


@dataclass(frozen=True)
class StockEditReason:
    """Why the stock in an edited product differs."""

    reason: Reason = "adjustment"
    note: str = ""


@dataclass
class _Whole:
    """A product with all its parts, retired ones included; the product and its variants are locked."""

    product: Product
    colors: list[ProductColor]
    variants: list[Variant]
    pictures: list[ProductImage]

    @property
    def named(self) -> dict[UUID, str]:
        """A readable name of each variant: Indigo M."""
        colors = {color.id: color.name for color in self.colors}
        return {variant.id: f"{colors[variant.color_id]} {variant.size}" for variant in self.variants}


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
    whole = await _locked(session, product_id)
    if whole.product.version != version:
        raise ChangedMeanwhile
    drafts.validate_edit(draft, most_pictures, had_pictures=bool(whole.pictures))
    await service.check_pictures_exist(session, draft)
    before = _facts(whole)
    _write_product(whole.product, draft)
    places = await _write_colors(session, whole, draft)
    moves = await _write_variants(session, whole, draft, places)
    await _write_pictures(session, whole, draft, places)
    after = _facts(whole)
    if before == after:
        return
    whole.product.version += 1
    whole.product.updated_at = datetime.now(UTC)
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
    name = f"{old.name[: drafts.NAME_LENGTH - 5]} copy"
    made = await session.execute(
        insert(Product).values(**values, name=name, retired_at=func.now()).returning(Product.id)
    )
    new_id: UUID = made.scalar_one()
    kept = [color for color in whole.colors if color.retired_at is None]
    ids = {color.id: uuid4() for color in kept}
    series = service.series(old.gender, old.subcategory, new_id)
    for position, color in enumerate(kept):
        session.add(
            ProductColor(id=ids[color.id], product_id=new_id, name=color.name, hex=color.hex, position=position)
        )
    await session.flush()
    for variant in whole.variants:
        if variant.color_id in ids and variant.retired_at is None:
            sku = f"{series}-{list(ids).index(variant.color_id) + 1}-{variant.size}"
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


async def _locked(session: AsyncSession, product_id: UUID) -> _Whole:
    locked = select(Product).where(Product.id == product_id).with_for_update(key_share=True)
    product = await session.scalar(locked.execution_options(populate_existing=True))
    if product is None:
        raise NotFound("This product")
    colors = select(ProductColor).where(ProductColor.product_id == product_id)
    variants = select(Variant).where(Variant.product_id == product_id).order_by(Variant.id)
    pictures = select(ProductImage).where(ProductImage.product_id == product_id)
    return _Whole(
        product,
        list(await session.scalars(colors.order_by(ProductColor.position, ProductColor.id))),
        list(await session.scalars(variants.with_for_update(key_share=True))),
        list(await session.scalars(pictures.order_by(ProductImage.position, ProductImage.id))),
    )


def _write_product(product: Product, draft: ProductDraft) -> None:
    values = service.product_values(draft)
    if not draft.title.strip() and product.title != product.name:
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


async def _write_colors(session: AsyncSession, whole: _Whole, draft: ProductDraft) -> list[ProductColor]:
    """The draft's colors as rows, in its order; others are deleted or retired. Raises InvalidInput."""
    known = {color.id: color for color in whole.colors}
    ids = [color.id for color in draft.colors if color.id is not None]
    if len(set(ids)) < len(ids) or not set(ids) <= known.keys():
        raise InvalidInput({"colors": "A color is not one of this product's"})
    names = drafts.color_names(draft.colors)
    gone = [color for color in whole.colors if color.id not in ids]
    retired = {color.id for color in gone if color.retired_at}
    await _remove_colors(session, whole, gone)
    # Colors that were sold or stocked keep their names.
    kept = {color.name.lower(): color for color in whole.colors if color.id not in ids}
    taken = next((kept[name.lower()] for name in names if name.lower() in kept), None)
    if taken is not None:
        way = "is there already, retired: put it back" if taken.id in retired else "has been in stock: keep it"
        raise InvalidInput({"colors": f"{taken.name} {way} instead of adding it anew"})
    rows: list[ProductColor] = []
    for position, (color, name) in enumerate(zip(draft.colors, names, strict=True)):
        row = known.get(color.id) if color.id else None
        if row is None:
            row = _new_color(whole, color, name, position)
            session.add(row)
        rows.append(row)
    await _rename(session, rows, lambda row: row.name, _set_name, names)
    for position, (row, color) in enumerate(zip(rows, draft.colors, strict=True)):
        row.position, row.retired_at = position, None
        row.hex = drafts.normal_hex(color)
        row.family = family(row.hex)
    await session.flush()
    return rows


def _new_color(whole: _Whole, color: NewColor, name: str, position: int) -> ProductColor:
    hex_value = drafts.normal_hex(color)
    row = ProductColor(
        id=uuid4(), product_id=whole.product.id, name=name, hex=hex_value, family=family(hex_value), position=position
    )
    whole.colors.append(row)
    return row


async def _remove_colors(session: AsyncSession, whole: _Whole, gone: Sequence[ProductColor]) -> None:
    """Deletes colors that were never stocked or sold, and retires the others."""
    for color in gone:
        if color.retired_at is not None:
            continue
        await _remove_variants(session, whole, [each for each in whole.variants if each.color_id == color.id])
        if any(variant.color_id == color.id for variant in whole.variants):
            color.retired_at = datetime.now(UTC)
            continue
        await session.execute(delete(ProductImage).where(ProductImage.color_id == color.id))
        whole.pictures = [picture for picture in whole.pictures if picture.color_id != color.id]
        whole.colors.remove(color)
        await session.delete(color)
    await session.flush()


async def _remove_variants(session: AsyncSession, whole: _Whole, gone: Sequence[Variant]) -> None:
    ids = [variant.id for variant in gone]
    used = set(
        await session.scalars(
            select(Variant.id).where(
                Variant.id.in_(ids),
                or_(
                    select(StockMovement.id).where(StockMovement.variant_id == Variant.id).exists(),
                    select(1).select_from(_order_lines).where(_order_lines.c.variant_id == Variant.id).exists(),
                    select(1).select_from(_checkout_lines).where(_checkout_lines.c.variant_id == Variant.id).exists(),
                ),
            )
        )
    )
    for variant in gone:
        if variant.id not in used:
            whole.variants.remove(variant)
            await session.delete(variant)
        elif variant.retired_at is None:
            variant.retired_at = datetime.now(UTC)
    await session.flush()


async def _write_variants(
    session: AsyncSession, whole: _Whole, draft: ProductDraft, places: Sequence[ProductColor]
) -> list[StockMove]:
    """Writes the variants. Returns the stock movements. Raises ChangedMeanwhile and InvalidInput."""
    known = {(variant.color_id, variant.size): variant for variant in whole.variants}
    wanted = {(places[each.color].id, each.size): each for each in draft.variants or ()}
    kept = {color.id for color in places}
    await _remove_variants(
        session, whole, [row for key, row in known.items() if key not in wanted and row.color_id in kept]
    )
    moves: list[StockMove] = []
    rows: list[Variant] = []
    for (color_id, size), each in wanted.items():
        row = known.get((color_id, size))
        if row is None:
            row = Variant(id=uuid4(), product_id=whole.product.id, color_id=color_id, size=size, stock=0)
            row.sku = f"{UNNAMED}{row.id}"
            whole.variants.append(row)
            session.add(row)
        seen = 0 if row.sku.startswith(UNNAMED) else row.stock if each.seen is None else each.seen
        if each.stock != seen:
            if row.stock != seen:
                raise ChangedMeanwhile
            moves.append(StockMove(row.id, each.stock - row.stock))
            row.stock = each.stock
        row.retired_at = None
        rows.append(row)
    await _write_skus(session, whole, rows, list(wanted.values()))
    return moves


async def _write_skus(
    session: AsyncSession, whole: _Whole, rows: Sequence[Variant], wanted: Sequence[NewVariant]
) -> None:
    own = {variant.id for variant in whole.variants}
    skus = [
        each.sku.strip() or (_free_sku(whole, row) if row.sku.startswith(UNNAMED) else row.sku)
        for row, each in zip(rows, wanted, strict=True)
    ]
    found = await session.execute(
        select(Variant.sku, Variant.id, Product.name).join(Product).where(Variant.sku.in_(skus))
    )
    elsewhere = {sku: name for sku, variant_id, name in found if variant_id not in own}
    if elsewhere:
        sku, name = next(iter(elsewhere.items()))
        raise InvalidInput({"variants": f"The SKU {sku} belongs to {name}"})
    asked = {row.id for row in rows}
    retired = {variant.sku: variant for variant in whole.variants if variant.id not in asked}
    taken = next((sku for sku in skus if sku in retired), None)
    if taken:
        raise InvalidInput({"variants": f"The SKU {taken} belongs to a retired variant of this product"})
    await _rename(session, rows, lambda row: row.sku, _set_sku, skus)


def _free_sku(whole: _Whole, row: Variant) -> str:
    """A SKU that no variant of this product has."""
    product = whole.product
    series = service.series(product.gender, product.subcategory, product.id)
    place = next(at for at, color in enumerate(whole.colors, 1) if color.id == row.color_id)
    taken = {variant.sku for variant in whole.variants}
    numbered = (f"{series}-{place}{'' if number == 1 else f'.{number}'}-{row.size}" for number in count(1))
    return next(sku for sku in numbered if sku not in taken)


def _set_name(row: ProductColor, name: str) -> None:
    row.name = name


def _set_sku(row: Variant, sku: str) -> None:
    row.sku = sku


async def _rename(
    session: AsyncSession,
    rows: Sequence[Any],
    named: Callable[[Any], str],
    set_name: Callable[[Any, str], None],
    names: Sequence[str],
) -> None:
    """Sets new unique names; rows that exchange names get temporary ones first, since each UPDATE is checked alone."""
    changing = [(row, name) for row, name in zip(rows, names, strict=True) if named(row) != name]
    if {named(row) for row, _ in changing} & set(names):
        for row, _ in changing:
            set_name(row, f"{named(row)} {uuid4()}")
        await session.flush()
    for row, name in changing:
        set_name(row, name)
    await session.flush()


async def _write_pictures(
    session: AsyncSession, whole: _Whole, draft: ProductDraft, places: Sequence[ProductColor]
) -> None:
    """Writes the images; those of retired colors are kept."""
    retired = {color.id for color in whole.colors if color.retired_at is not None}
    shown = [picture for picture in whole.pictures if picture.color_id not in retired]
    wanted = [
        (None if each.color is None else places[each.color].id, each.image_id, each.alt.strip() or whole.product.name)
        for each in draft.pictures
    ]
    if [(picture.color_id, picture.image_id, picture.alt) for picture in shown] == wanted:
        return
    for picture in shown:
        await session.delete(picture)
    await session.flush()
    new = [
        ProductImage(product_id=whole.product.id, color_id=color, image_id=image, alt=alt, position=at)
        for at, (color, image, alt) in enumerate(wanted)
    ]
    session.add_all(new)
    whole.pictures = [picture for picture in whole.pictures if picture.color_id in retired] + new
    await session.flush()


def _facts(whole: _Whole) -> dict[str, Any]:
    """The product for the audit log, in readable values."""
    product, names = whole.product, {color.id: color.name for color in whole.colors}
    sold = [variant for variant in whole.variants if variant.retired_at is None]
    named = whole.named
    return {
        "name": product.name,
        "title": product.title,
        "subtitle": product.subtitle,
        "description": product.description,
        "details": [f"{each['label']}: {each['text']}" for each in product.details],
        "price_cents": product.price_cents,
        "discounted_price_cents": product.discounted_price_cents,
        "discount_starts": _moment(product.discount_starts_at),
        "discount_ends": _moment(product.discount_ends_at),
        "category": f"{product.gender}_{product.subcategory}",
        "weight_grams": product.weight_grams,
        "colors": [
            f"{color.name} {color.hex}"
            for color in sorted(whole.colors, key=lambda color: color.position)
            if color.retired_at is None
        ],
        "measurements": measurements.cells(product.measurements),
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


def _moment(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _subject(product: Product) -> AuditSubject:
    return AuditSubject("product", product.id, product.name)
