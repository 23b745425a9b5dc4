"""Tables of products, colors, images, variants, and the stock ledger."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    Computed,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    UniqueConstraint,
    literal_column,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from server.catalog.category_models import Category
from server.catalog.colors import family
from server.platform.core.db import Base, Cents, Created, Id


class Product(Base):
    """A product, sold in variants; retired instead of deleted, because orders refer to it."""

    __tablename__ = "products"
    __table_args__ = (
        CheckConstraint("price_cents > 0", name="price"),
        CheckConstraint("weight_grams BETWEEN 0 AND 100000", name="weight"),
        CheckConstraint("discounted_price_cents > 0", name="discounted_price"),
        CheckConstraint("discount_starts_at < discount_ends_at", name="discount_window"),
        ForeignKeyConstraint(["gender", "subcategory"], [Category.__table__.c.department, Category.__table__.c.kind]),
        Index("ix_products_category", "gender", "subcategory", postgresql_where=text("retired_at IS NULL")),
        Index("ix_products_featured", "popularity", "id", postgresql_where=text("retired_at IS NULL")),
        Index("ix_products_newest", "created_at", "id", postgresql_where=text("retired_at IS NULL")),
        Index("ix_products_charged", "charged_cents", "id", postgresql_where=text("retired_at IS NULL")),
        Index("ix_products_name", "name", "id", postgresql_where=text("retired_at IS NULL")),
        Index("ix_products_changed", "updated_at", "id", postgresql_where=text("retired_at IS NULL")),
        Index("ix_products_retired", "created_at", "id", postgresql_where=text("retired_at IS NOT NULL")),
        Index(
            "ix_products_discount_turns",
            "discount_turns_at",
            postgresql_where=text("discount_turns_at IS NOT NULL"),
        ),
        Index(
            "ix_products_search_trigrams",
            literal_column("search_text((name || ' '::text) || subtitle)").label("words"),
            postgresql_using="gin",
            postgresql_ops={"words": "gin_trgm_ops"},
        ),
    )

    id: Mapped[Id]
    name: Mapped[str]
    title: Mapped[str]
    subtitle: Mapped[str]
    description: Mapped[str]
    details: Mapped[list[Any]] = mapped_column(server_default=text("'[]'"))
    """Facts in order, each {"label", "text"}: fabric, fit, closure, care, origin."""
    measurements: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))
    """Of the finished garment, {point: {size: micrometers}}; empty when not entered."""
    gender: Mapped[str]
    subcategory: Mapped[str]
    category: Mapped[str] = mapped_column(Computed("gender || '_' || subcategory", persisted=True))
    price_cents: Mapped[Cents]
    discounted_price_cents: Mapped[int | None]
    discount_percentage: Mapped[int | None]
    discount_starts_at: Mapped[datetime | None]
    discount_ends_at: Mapped[datetime | None]
    """Exclusive: the first moment at which the discount no longer applies."""
    discount_runs: Mapped[bool] = mapped_column(server_default=text("true"))
    """Whether the discount applies now. A trigger sets this and `discount_turns_at`; see `discounts`."""
    discount_turns_at: Mapped[datetime | None]
    """When `discount_runs` will change."""
    is_on_sale: Mapped[bool] = mapped_column(
        Computed(
            "discount_runs AND discounted_price_cents IS NOT NULL AND discounted_price_cents < price_cents",
            persisted=True,
        )
    )
    charged_cents: Mapped[int] = mapped_column(
        Computed(
            "CASE WHEN discount_runs THEN least(price_cents, discounted_price_cents) ELSE price_cents END",
            persisted=True,
        )
    )
    image: Mapped[str] = mapped_column(server_default=text("''"))
    """URL of the image shown when there are no others."""
    weight_grams: Mapped[int] = mapped_column(server_default=text("400"))
    """Of one packed item, for delivery rates by weight."""
    popularity: Mapped[int] = mapped_column(server_default=text("0"))
    """Units sold, for sorting."""
    created_at: Mapped[Created]
    updated_at: Mapped[Created]
    version: Mapped[int] = mapped_column(server_default=text("1"))
    """Counts edits, for optimistic locking of the editor. Sales do not count."""
    retired_at: Mapped[datetime | None]


class ProductColor(Base):
    """A color of a product, with the product's own name for it."""

    __tablename__ = "product_colors"
    __table_args__ = (
        UniqueConstraint("product_id", "name"),
        CheckConstraint("hex ~ '^#[0-9a-f]{6}$'", name="hex"),
    )

    id: Mapped[Id]
    product_id: Mapped[UUID] = mapped_column(ForeignKey("products.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    hex: Mapped[str]
    family: Mapped[str] = mapped_column(default=lambda insert: family(insert.get_current_parameters()["hex"]))
    """Blue, Black and so on, computed from `hex`; what shoppers filter by."""
    position: Mapped[int]
    retired_at: Mapped[datetime | None]


class ProductImage(Base):
    """An image of a product, for one color or for all."""

    __tablename__ = "product_images"

    id: Mapped[Id]
    product_id: Mapped[UUID] = mapped_column(ForeignKey("products.id", ondelete="CASCADE"), index=True)
    color_id: Mapped[UUID | None] = mapped_column(ForeignKey("product_colors.id", ondelete="SET NULL"))
    image_id: Mapped[UUID] = mapped_column(ForeignKey("images.id"), index=True)
    alt: Mapped[str]
    position: Mapped[int]


class Variant(Base):
    """A product in one color and one size. `stock` is what can still be bought.

    A retired variant is hidden from shoppers and kept for past orders and the ledger; its color is retired with the
    last one.
    """

    __tablename__ = "variants"
    __table_args__ = (
        UniqueConstraint("color_id", "size"),
        CheckConstraint("stock >= 0", name="stock"),
        Index("ix_variants_in_stock", "product_id", postgresql_where=text("stock > 0 AND retired_at IS NULL")),
    )

    id: Mapped[Id]
    product_id: Mapped[UUID] = mapped_column(ForeignKey("products.id", ondelete="CASCADE"), index=True)
    color_id: Mapped[UUID] = mapped_column(ForeignKey("product_colors.id", ondelete="CASCADE"))
    size: Mapped[str]
    """Of the size system of its product's category; a retired variant's may be of a former one."""
    sku: Mapped[str] = mapped_column(unique=True)
    stock: Mapped[int]
    retired_at: Mapped[datetime | None]


MOVEMENT_REASONS = (
    "opening",
    "sale",
    "cancellation",
    "refund",
    "return",
    "received",
    "counted",
    "damaged",
    "adjustment",
    "import",
)


class StockMovement(Base):
    """A change of a variant's stock, with its reason. Append-only: the database refuses everything else.

    The movements of a variant add up to its stock plus what open checkouts have reserved. Ordered by id they are its
    history. `order_id` and the actor are copies that outlive what they name; no actor means the shop itself.
    """

    __tablename__ = "stock_movements"
    __table_args__ = (
        CheckConstraint("quantity <> 0", name="quantity"),
        CheckConstraint("reason IN ('" + "', '".join(MOVEMENT_REASONS) + "')", name="reason"),
        Index("ix_stock_movements_variant", "variant_id", "id"),
        Index("ix_stock_movements_order", "order_id", postgresql_where=text("order_id IS NOT NULL")),
    )

    id: Mapped[Id]
    created_at: Mapped[Created]
    variant_id: Mapped[UUID] = mapped_column(ForeignKey("variants.id"))
    quantity: Mapped[int]
    reason: Mapped[str]
    order_id: Mapped[UUID | None]
    note: Mapped[str] = mapped_column(server_default=text("''"))
    actor_id: Mapped[UUID | None]
    actor_email: Mapped[str] = mapped_column(server_default=text("''"))
