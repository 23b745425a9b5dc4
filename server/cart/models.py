"""The tables of carts, one for each signed-in shopper who has used one."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import NOW, Base, Created, Id


class Cart(Base):
    """A shopper's only cart, created when it is first needed."""

    __tablename__ = "carts"

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), unique=True)
    discount_code: Mapped[str | None] = mapped_column(ForeignKey("discount_codes.code"))
    created_at: Mapped[Created]


class CartLine(Base):
    """One variant in a cart. `seen_price_cents` is its price when the shopper added it."""

    __tablename__ = "cart_lines"
    __table_args__ = (CheckConstraint("quantity >= 1", name="quantity"),)

    cart_id: Mapped[UUID] = mapped_column(ForeignKey("carts.id", ondelete="CASCADE"), primary_key=True)
    variant_id: Mapped[UUID] = mapped_column(
        ForeignKey("variants.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    quantity: Mapped[int]
    seen_price_cents: Mapped[int]
    added_at: Mapped[datetime] = mapped_column(server_default=NOW)
