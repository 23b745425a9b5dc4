"""Products that a shopper keeps an eye on."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from server.core.db import NOW, Base


class WishlistItem(Base):
    """One product on a shopper's wishlist. One that is retired stays here, unseen, in case it comes back."""

    __tablename__ = "wishlist_items"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    product_id: Mapped[UUID] = mapped_column(
        ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    added_at: Mapped[datetime] = mapped_column(server_default=NOW)
