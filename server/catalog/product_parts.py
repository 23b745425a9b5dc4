"""Writing the parts of an edited product: colors, variants with their SKUs, and images."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import delete, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import drafts, service
from server.catalog.colors import family
from server.catalog.drafts import NewColor, NewVariant, ProductDraft
from server.catalog.errors import ChangedMeanwhile
from server.catalog.models import Product, ProductColor, ProductImage, StockMovement, Variant
from server.catalog.stock import StockMove
from server.catalog.views import line_references
from server.platform.core import clock
from server.platform.core.errors import InvalidInput

UNNAMED = "unnamed "
"""Beginning of the SKU of a variant that has no final one yet."""


@dataclass
class LockedProduct:
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


async def write_colors(session: AsyncSession, whole: LockedProduct, draft: ProductDraft) -> list[ProductColor]:
    """The draft's colors as rows, in its order; others are deleted or retired. Raises InvalidInput."""
    colors_by_id = {color.id: color for color in whole.colors}
    ids = [color.id for color in draft.colors if color.id is not None]
    if len(set(ids)) < len(ids) or not set(ids) <= colors_by_id.keys():
        raise InvalidInput({"colors": "A color is not one of this product's"})
    names = drafts.color_names(draft.colors)
    gone = [color for color in whole.colors if color.id not in ids]
    retired = {color.id for color in gone if color.retired_at}
    await remove_colors(session, whole, gone)
    # Colors that were sold or stocked keep their names.
    retained = {color.name.lower(): color for color in whole.colors if color.id not in ids}
    taken = next((retained[name.lower()] for name in names if name.lower() in retained), None)
    if taken is not None:
        way = "is there already, retired: put it back" if taken.id in retired else "has been in stock: keep it"
        raise InvalidInput({"colors": f"{taken.name} {way} instead of adding it anew"})
    rows: list[ProductColor] = []
    for position, (color, name) in enumerate(zip(draft.colors, names, strict=True)):
        row = colors_by_id.get(color.id) if color.id else None
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


def _new_color(whole: LockedProduct, color: NewColor, name: str, position: int) -> ProductColor:
    hex_value = drafts.normal_hex(color)
    row = ProductColor(
        id=uuid4(), product_id=whole.product.id, name=name, hex=hex_value, family=family(hex_value), position=position
    )
    whole.colors.append(row)
    return row


async def remove_colors(session: AsyncSession, whole: LockedProduct, gone: Sequence[ProductColor]) -> None:
    """Deletes colors that were never stocked or sold, and retires the others."""
    for color in gone:
        if color.retired_at is not None:
            continue
        await remove_variants(session, whole, [each for each in whole.variants if each.color_id == color.id])
        if any(variant.color_id == color.id for variant in whole.variants):
            color.retired_at = clock.now()
            continue
        await session.execute(delete(ProductImage).where(ProductImage.color_id == color.id))
        whole.pictures = [picture for picture in whole.pictures if picture.color_id != color.id]
        whole.colors.remove(color)
        await session.delete(color)
    await session.flush()


async def remove_variants(session: AsyncSession, whole: LockedProduct, gone: Sequence[Variant]) -> None:
    """Deletes variants that were never stocked or sold, and retires the others."""
    ids = [variant.id for variant in gone]
    used = set(
        await session.scalars(
            select(Variant.id).where(
                Variant.id.in_(ids),
                or_(
                    select(StockMovement.id).where(StockMovement.variant_id == Variant.id).exists(),
                    select(1).select_from(line_references).where(line_references.c.variant_id == Variant.id).exists(),
                ),
            )
        )
    )
    for variant in gone:
        if variant.id not in used:
            whole.variants.remove(variant)
            await session.delete(variant)
        elif variant.retired_at is None:
            variant.retired_at = clock.now()
    await session.flush()


async def write_variants(
    session: AsyncSession, whole: LockedProduct, draft: ProductDraft, places: Sequence[ProductColor]
) -> list[StockMove]:
    """Writes the variants. Returns the stock movements. Raises ChangedMeanwhile and InvalidInput."""
    current = {(variant.color_id, variant.size): variant for variant in whole.variants}
    drafted = {(places[each.color].id, each.size): each for each in draft.variants or ()}
    color_ids = {color.id for color in places}
    await remove_variants(
        session, whole, [row for key, row in current.items() if key not in drafted and row.color_id in color_ids]
    )
    moves: list[StockMove] = []
    rows: list[Variant] = []
    for (color_id, size), each in drafted.items():
        row = current.get((color_id, size))
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
    await _write_skus(session, whole, rows, list(drafted.values()))
    return moves


async def _write_skus(
    session: AsyncSession, whole: LockedProduct, rows: Sequence[Variant], drafts_of_rows: Sequence[NewVariant]
) -> None:
    own = {variant.id for variant in whole.variants}
    skus = [
        each.sku.strip() or (_free_sku(whole, row) if row.sku.startswith(UNNAMED) else row.sku)
        for row, each in zip(rows, drafts_of_rows, strict=True)
    ]
    owners = await session.execute(
        select(Variant.sku, Variant.id, Product.name).join(Product).where(Variant.sku.in_(skus))
    )
    elsewhere = {sku: name for sku, variant_id, name in owners if variant_id not in own}
    if elsewhere:
        sku, name = next(iter(elsewhere.items()))
        raise InvalidInput({"variants": f"The SKU {sku} belongs to {name}"})
    row_ids = {row.id for row in rows}
    retired = {variant.sku: variant for variant in whole.variants if variant.id not in row_ids}
    taken = next((sku for sku in skus if sku in retired), None)
    if taken:
        raise InvalidInput({"variants": f"The SKU {taken} belongs to a retired variant of this product"})
    await _rename(session, rows, lambda row: row.sku, _set_sku, skus)


def _free_sku(whole: LockedProduct, row: Variant) -> str:
    """A SKU that no variant of this product has."""
    product = whole.product
    series = service.series(product.gender, product.subcategory, product.id)
    place = next(at for at, color in enumerate(whole.colors, 1) if color.id == row.color_id)
    taken = {variant.sku for variant in whole.variants}
    numbered = (
        f"{series}-{place}{'' if number == 1 else f'.{number}'}-{service.sku_part(row.size)}" for number in count(1)
    )
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


async def write_pictures(
    session: AsyncSession, whole: LockedProduct, draft: ProductDraft, places: Sequence[ProductColor]
) -> None:
    """Writes the images; those of retired colors are kept."""
    retired = {color.id for color in whole.colors if color.retired_at is not None}
    shown = [picture for picture in whole.pictures if picture.color_id not in retired]
    new_values = [
        (None if each.color is None else places[each.color].id, each.image_id, each.alt.strip() or whole.product.name)
        for each in draft.pictures
    ]
    if [(picture.color_id, picture.image_id, picture.alt) for picture in shown] == new_values:
        return
    for picture in shown:
        await session.delete(picture)
    await session.flush()
    new = [
        ProductImage(product_id=whole.product.id, color_id=color, image_id=image, alt=alt, position=at)
        for at, (color, image, alt) in enumerate(new_values)
    ]
    session.add_all(new)
    whole.pictures = [picture for picture in whole.pictures if picture.color_id in retired] + new
    await session.flush()
