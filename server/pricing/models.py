"""Tables of what changes a price: discount codes, delivery, tax."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Dialect, ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

from server.platform.core.db import Base, Cents, Created, Id
from server.pricing.promotions import Promotion, from_json, to_json


class PromotionColumn(TypeDecorator[Promotion]):
    """A promotion, as JSON. It is read as None where only a later version of the shop has its rules."""

    impl = JSONB(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: Promotion | None, dialect: Dialect) -> Any:
        """Writes it; None leaves the column to the trigger `keep_code_columns`."""
        return None if value is None else to_json(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Promotion | None:
        """Reads it."""
        return None if value is None else from_json(value)


class DiscountCode(Base):
    """A code that a shopper types for a lower price: the trigger of a promotion.

    Stored in upper case, so that case does not matter. It is never deleted and its text never changes, because orders
    contain it. Its uses follow from checkouts and orders.
    """

    __tablename__ = "discount_codes"
    __table_args__ = (
        CheckConstraint("code ~ '^[A-Z0-9][A-Z0-9_-]{1,39}$'", name="code"),
        CheckConstraint("percent BETWEEN 1 AND 100", name="percent"),
        CheckConstraint("amount_cents > 0", name="amount"),
        CheckConstraint("min_subtotal_cents >= 0", name="min_subtotal"),
        CheckConstraint("starts_at < ends_at", name="window"),
        CheckConstraint("least(max_uses, max_uses_per_customer) >= 1", name="limits"),
    )

    code: Mapped[str] = mapped_column(primary_key=True)
    promotion: Mapped[Promotion | None] = mapped_column(PromotionColumn, nullable=False)
    percent: Mapped[int | None]
    """This, `amount_cents` and `min_subtotal_cents` are what the version before reads and writes; a trigger keeps them
    equal to the promotion (`keep_code_columns`)."""
    amount_cents: Mapped[int | None]
    min_subtotal_cents: Mapped[Cents] = mapped_column(server_default=text("0"))
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    """Exclusive: the first moment at which it no longer applies."""
    max_uses: Mapped[int | None]
    max_uses_per_customer: Mapped[int | None]
    counted_uses: Mapped[int | None]
    """Uses by orders and open checkouts, where `max_uses` limits them; null otherwise. Only triggers write it."""
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    created_at: Mapped[Created]


class DeliveryZone(Base):
    """Countries with the same delivery cost. At most one zone is for the rest of the world."""

    __tablename__ = "delivery_zones"
    __table_args__ = (
        CheckConstraint("basis IN ('weight', 'total')", name="basis"),
        CheckConstraint("free_from_cents >= 0", name="free_from"),
        CheckConstraint("min_days BETWEEN 0 AND max_days AND max_days <= 365", name="days"),
        CheckConstraint("num_nonnulls(min_days, max_days) IN (0, 2)", name="both_days"),
        Index("uq_delivery_zones_rest", "is_rest", unique=True, postgresql_where=text("is_rest")),
    )

    id: Mapped[Id]
    name: Mapped[str]
    is_rest: Mapped[bool] = mapped_column(server_default=text("false"))
    basis: Mapped[str] = mapped_column(server_default=text("'total'"))
    """What `delivery_rates.minimum` counts: grams of the shipment, or cents of the goods after any discount."""
    free_from_cents: Mapped[int | None]
    """Delivery is free from this value of the goods, after any discount; null for never."""
    min_days: Mapped[int | None]
    max_days: Mapped[int | None]
    position: Mapped[int] = mapped_column(server_default=text("0"))
    created_at: Mapped[Created]


class DeliveryCountry(Base):
    """A country of a zone, by its ISO 3166 code; a country is in at most one zone."""

    __tablename__ = "delivery_countries"

    country: Mapped[str] = mapped_column(primary_key=True)
    zone_id: Mapped[UUID] = mapped_column(ForeignKey("delivery_zones.id", ondelete="CASCADE"), index=True)


class DeliveryRate(Base):
    """The delivery cost from `minimum` (see the zone's basis) up to the next rate."""

    __tablename__ = "delivery_rates"
    __table_args__ = (
        CheckConstraint("minimum >= 0", name="minimum"),
        CheckConstraint("price_cents >= 0", name="price"),
    )

    zone_id: Mapped[UUID] = mapped_column(ForeignKey("delivery_zones.id", ondelete="CASCADE"), primary_key=True)
    minimum: Mapped[int] = mapped_column(primary_key=True)
    price_cents: Mapped[Cents]


class TaxRate(Base):
    """The tax on deliveries to a country, by its ISO 3166 code; a country without a row has none."""

    __tablename__ = "tax_rates"
    __table_args__ = (CheckConstraint("basis_points BETWEEN 0 AND 10000", name="basis_points"),)

    country: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(server_default=text("'Tax'"))
    basis_points: Mapped[int]
    """Hundredths of a percent: 1900 is 19%."""
    on_delivery: Mapped[bool] = mapped_column(server_default=text("true"))
    """Whether delivery is taxed like the goods."""
