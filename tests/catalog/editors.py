"""Fixtures of admins who edit products, and a product as its form has it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.catalog import admin_queries, service
from server.catalog.drafts import Detail, NewColor, NewPicture, NewVariant, ProductDraft
from server.catalog.models import StockMovement, Variant
from server.platform.core.viewer import Role, Viewer
from tests.catalog.goods import make_image

ADMIN = Viewer(
    user_id=uuid4(),
    session_id=uuid4(),
    email="admin@shop.test",
    name="Alan Turing",
    role=Role.ADMIN,
    is_primary=False,
    expires_at=datetime.now(UTC) + timedelta(hours=1),
)


async def make_jean(session: AsyncSession, **other: Any) -> UUID:
    """A committed product of two colors and two sizes, 6 pieces each, a picture a color."""
    images = [make_image(), make_image()]
    session.add_all(images)
    await session.flush()
    draft = ProductDraft(
        name="Straight Jean",
        subtitle="Washed denim",
        description="A paragraph.",
        price_cents=12_000,
        gender="men",
        subcategory="jeans",
        colors=[NewColor("#3f4f6e", "Indigo"), NewColor("#262524", "Black")],
        sizes=["S", "M"],
        pictures=[NewPicture(images[0].id, 0, "Front"), NewPicture(images[1].id, 1, "Front")],
        variants=[NewVariant(color, size, 6) for color in (0, 1) for size in ("S", "M")],
    )
    product_id = await service.create_product(session, replace(draft, **other), 12, actor=ADMIN)
    await session.commit()
    return product_id


async def seen(session: AsyncSession, product_id: UUID) -> tuple[ProductDraft, int]:
    """The product as its editor is filled with it, and its version."""
    sheet = await admin_queries.sheet(session, product_id)
    assert sheet is not None
    colors = [color for color in sheet.colors if color.retired_at is None]
    place = {color.id: at for at, color in enumerate(colors)}
    live = [variant for variant in sheet.variants if variant.retired_at is None]
    row = sheet.product
    draft = ProductDraft(
        name=row.name,
        subtitle=row.subtitle,
        description=row.description,
        details=[Detail(each["label"], each["text"]) for each in row.details],
        price_cents=row.price_cents,
        discounted_price_cents=row.discounted_price_cents,
        discount_starts_at=row.discount_starts_at,
        discount_ends_at=row.discount_ends_at,
        gender=row.gender,
        subcategory=row.subcategory,
        weight_grams=row.weight_grams,
        colors=[NewColor(color.hex, color.name, color.id) for color in colors],
        sizes=sorted({variant.size for variant in live}),
        variants=[
            NewVariant(place[each.color_id], each.size, each.stock, seen=each.stock, sku=each.sku) for each in live
        ],
        pictures=[
            NewPicture(each.image_id, None if each.color_id is None else place[each.color_id], each.alt)
            for each in sheet.pictures
        ],
    )
    version = row.version
    await session.rollback()
    return draft, version


async def stock_of(session: AsyncSession, product_id: UUID) -> list[int]:
    """Sorted by SKU."""
    return list(
        await session.scalars(select(Variant.stock).where(Variant.product_id == product_id).order_by(Variant.sku))
    )


async def ledger_matches(session: AsyncSession) -> bool:
    """Whether every variant's movements add up to its stock; for tests without checkouts."""
    sums: dict[UUID, int] = {}
    for variant_id, quantity in await session.execute(select(StockMovement.variant_id, StockMovement.quantity)):
        sums[variant_id] = sums.get(variant_id, 0) + quantity
    stocks = {row.id: row.stock for row in await session.execute(select(Variant.id, Variant.stock))}
    return {each: sums.get(each, 0) for each in stocks} == stocks


async def log(session: AsyncSession) -> list[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """Action, who, before and after of every entry, oldest first."""
    entries = await session.scalars(select(AuditEntry).order_by(AuditEntry.created_at, AuditEntry.id))
    return [(each.action, each.actor_email, each.before, each.after) for each in entries]
