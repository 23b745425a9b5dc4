"""Reads the part of the catalogue that a CSV file names, and writes an import plan."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Text,
    Uuid,
    any_,
    bindparam,
    cast,
    column,
    delete,
    func,
    insert,
    literal,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.service import AuditSubject, Entry
from server.catalog import category_queries, fields, models, stock
from server.catalog import service as catalog
from server.catalog.colors import family
from server.catalog.drafts import within_bounds
from server.catalog.fields import NO_FACTS, ProductFacts
from server.catalog.stock import StockMove
from server.inventory import import_plan as planning
from server.inventory import planned, service
from server.inventory.csv_file import CsvFile
from server.inventory.planned import (
    CatalogSnapshot,
    ImportPlan,
    PlannedColor,
    PlannedImage,
    PlannedProduct,
    PlannedVariant,
)
from server.media.models import Image
from server.platform.core.viewer import Viewer

T = TypeVar("T")
Progress = Callable[[float], Awaitable[None]]
BATCH = 1_000

_FACTS = {each.name: models.Product.__table__.c[each.name] for each in fields.FACTS}
_NEW = (
    func.jsonb_to_recordset(cast(bindparam("rows", type_=Text), JSONB))
    .table_valued(column("id", Uuid), *(column(name, of.type) for name, of in _FACTS.items()))
    .render_derived(name="new", with_types=True)
)
_EDIT = (
    update(models.Product)
    .where(models.Product.id == _NEW.c.id)
    .values({name: _NEW.c[name] for name in _FACTS})
    .execution_options(synchronize_session=False)
)
_UPDATE_COLORS = text(
    """
    UPDATE product_colors SET hex = new.hex, family = new.family
    FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS new (id uuid, hex text, family text)
    WHERE product_colors.id = new.id
    """
)


async def load(session: AsyncSession, sheet: CsvFile, most_pictures: int, *, lock: bool = False) -> CatalogSnapshot:
    """Everything of the products that the file names by id or SKU.

    With `lock`, their rows are locked in the order of ids.
    """
    categories = await (category_queries.locked if lock else category_queries.categories)(session)
    skus, product_ids, image_ids = planning.wanted_ids(sheet)
    owners = select(models.Variant.product_id).where(models.Variant.sku == any_(literal(skus, ARRAY(Text()))))
    all_ids = {*product_ids, *await session.scalars(owners)}
    if lock:
        for locked in (
            select(models.Product.id).where(_among(models.Product.id, all_ids)).order_by(models.Product.id),
            select(models.Variant.id).where(_among(models.Variant.product_id, all_ids)).order_by(models.Variant.id),
        ):
            await session.execute(locked.with_for_update(key_share=True))
    products = await products_by_id(session, all_ids)
    images = await session.scalars(select(Image.id).where(_among(Image.id, image_ids)))
    items = {item.sku: item for product in products.values() for item in product.items}
    return CatalogSnapshot(products, items, set(images), most_pictures, categories)


async def products_by_id(session: AsyncSession, ids: set[UUID]) -> dict[UUID, PlannedProduct]:
    """The products with colors, variants and images, retired ones included, each in the shop's order."""
    query = (
        select(models.Product.id, *_FACTS.values()).where(_among(models.Product.id, ids)).order_by(models.Product.id)
    )
    products: dict[UUID, PlannedProduct] = {}
    for row in await session.execute(query):
        product_id, *values = row
        facts = ProductFacts(**dict(zip(_FACTS, values, strict=True)))
        starts, ends = within_bounds(facts.discount_starts_at), within_bounds(facts.discount_ends_at)
        products[product_id] = PlannedProduct(
            product_id, replace(facts, discount_starts_at=starts, discount_ends_at=ends)
        )
    color = models.ProductColor
    colors = select(color.product_id, color.id, color.name, color.hex, color.retired_at.is_not(None))
    found_colors = colors.where(_among(color.product_id, ids)).order_by(color.position, color.id)
    for product_id, color_id, name, hex_value, is_retired in await session.execute(found_colors):
        products[product_id].colors[color_id] = PlannedColor(color_id, name, hex_value, is_retired)
    variant = models.Variant
    variants = select(
        variant.id,
        variant.product_id,
        variant.color_id,
        variant.size,
        variant.sku,
        variant.stock,
        variant.retired_at.is_not(None).label("is_retired"),
    )
    for of_item in await session.execute(variants.where(_among(variant.product_id, ids))):
        products[of_item.product_id].items.append(PlannedVariant(**of_item._asdict()))
    picture = models.ProductImage
    pictures = select(picture.product_id, picture.color_id, picture.image_id, picture.alt)
    found_pictures = pictures.where(_among(picture.product_id, ids)).order_by(picture.position, picture.id)
    for product_id, place, image_id, alt in await session.execute(found_pictures):
        products[product_id].pictures.append(PlannedImage(place, image_id, alt))
    return products


async def write(session: AsyncSession, plan: ImportPlan, note: str, actor: Viewer, progress: Progress) -> None:
    """Writes the plan; the catalogue that it was made from is locked. `progress` is called with fractions up to 1."""
    done, steps = 0, [*_steps(plan), *_moves(plan, note, actor)]
    whole = sum(len(rows) for rows, _ in steps) or 1
    for rows, write_some in steps:
        for some in _batches(rows):
            await write_some(session, some)
            done += len(some)
            await progress(done / whole)
    await catalog.announce_restock(session, plan.restocked)
    await _write_history(session, plan, actor)


async def _write_history(session: AsyncSession, plan: ImportPlan, actor: Viewer) -> None:
    """Writes the audit log of each product; stock has its own ledger."""
    entries = []
    for product in plan.new_products.values():
        facts = {"price_cents": product.facts.price_cents, "stock": sum(item.stock for item in product.items)}
        entries.append(Entry("created", AuditSubject("product", product.id, product.facts.name), after=facts))
    new_skus: dict[UUID, list[str]] = {}
    for item in plan.new_items:
        new_skus.setdefault(item.product_id, []).append(item.sku)
    for product_id in sorted(plan.touched):
        old, new = _differing(*plan.edited.get(product_id, (NO_FACTS, NO_FACTS)))
        if product_id in plan.pictures:
            new["pictures"] = [str(each.image_id) for each in plan.pictures[product_id]]
        if product_id in new_skus:
            new["new_skus"] = new_skus[product_id]
        entries.append(Entry("edited", AuditSubject("product", product_id, plan.names[product_id]), old, new))
    await audit.record_all(session, actor, entries)


def _differing(before: ProductFacts, after: ProductFacts) -> tuple[dict[str, Any], dict[str, Any]]:
    """For the audit log; of the measurements only the cells that differ."""
    old, new = fields.audit_values(before), fields.audit_values(after)
    for cell, _ in old["measurements"].items() & new["measurements"].items():
        del old["measurements"][cell], new["measurements"][cell]
    return old, new


Step = tuple[Sequence[Any], Callable[[AsyncSession, Sequence[Any]], Awaitable[Any]]]


def _steps(plan: ImportPlan) -> list[Step]:
    """What is to be written and how, in an order that satisfies foreign keys."""
    hidden = {product.id for product in plan.hidden}
    return [
        ([(product, product.id in hidden) for product in plan.new_products.values()], _make_products),
        ([(product_id, after) for product_id, (_, after) in plan.edited.items()], _edit),
        (plan.new_colors, _make_colors),
        (list(plan.dyed.items()), _dye),
        (plan.new_items, _make_items),
        (list(plan.pictures.items()), _place_pictures),
        (sorted(plan.touched), _count_edit),
    ]


async def _make_products(session: AsyncSession, some: Sequence[tuple[PlannedProduct, bool]]) -> None:
    """Each with whether it is hidden from shoppers."""
    shown = [_product_row(product) for product, is_hidden in some if not is_hidden]
    hidden = [_product_row(product) for product, is_hidden in some if is_hidden]
    if shown:
        await session.execute(insert(models.Product), shown)
    if hidden:
        await session.execute(insert(models.Product).values(retired_at=func.now()), hidden)


async def _edit(session: AsyncSession, some: Sequence[tuple[UUID, ProductFacts]]) -> None:
    rows = [{"id": product_id, **fields.values_of(facts)} for product_id, facts in some]
    await session.execute(_EDIT, {"rows": planned.dumps(rows)})


async def _make_colors(session: AsyncSession, some: Sequence[tuple[UUID, PlannedColor, int]]) -> None:
    rows = [
        {"id": color.id, "product_id": product_id, "name": color.name, "hex": color.hex, "position": place}
        for product_id, color, place in some
    ]
    await session.execute(insert(models.ProductColor), rows)


async def _dye(session: AsyncSession, some: Sequence[tuple[UUID, str]]) -> None:
    rows = [{"id": color_id, "hex": value, "family": family(value)} for color_id, value in some]
    await session.execute(_UPDATE_COLORS, {"rows": planned.dumps(rows)})


async def _make_items(session: AsyncSession, some: Sequence[PlannedVariant]) -> None:
    columns = ("id", "product_id", "color_id", "size", "sku", "stock")
    await session.execute(insert(models.Variant), [{name: getattr(item, name) for name in columns} for item in some])


async def _place_pictures(session: AsyncSession, some: Sequence[tuple[UUID, list[PlannedImage]]]) -> None:
    """Replaces all images of these products."""
    products = {product_id for product_id, _ in some}
    await session.execute(delete(models.ProductImage).where(_among(models.ProductImage.product_id, products)))
    rows = [
        {**picture._asdict(), "product_id": product_id, "position": place}
        for product_id, pictures in some
        for place, picture in enumerate(pictures)
    ]
    if rows:
        await session.execute(insert(models.ProductImage), rows)


async def _count_edit(session: AsyncSession, some: Sequence[UUID]) -> None:
    more = text("UPDATE products SET version = version + 1, updated_at = now() WHERE id = ANY(:ids)")
    await session.execute(more, {"ids": list(some)})


def _moves(plan: ImportPlan, note: str, actor: Viewer) -> list[Step]:
    """The steps that write stock and its ledger."""

    async def move(session: AsyncSession, some: Sequence[StockMove]) -> None:
        await service.put(session, some)
        await stock.record(session, some, "import", note=note, actor=actor)

    async def open_shelves(session: AsyncSession, some: Sequence[StockMove]) -> None:
        await stock.record(session, some, "opening", note=note, actor=actor)

    return [
        ([StockMove(*moved) for moved in plan.moved.items()], move),
        ([StockMove(item.id, item.stock) for item in plan.new_items], open_shelves),
    ]


def _product_row(product: PlannedProduct) -> dict[str, Any]:
    return {"id": product.id, **fields.values_of(product.facts)}


def _among(column: Any, ids: set[UUID]) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = column == any_(literal(sorted(ids), ARRAY(Uuid())))
    return condition


def _batches(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]
