"""The tables of wishlists and of back-in-stock alerts."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import NOW, Base, Created, Id


class WishlistItem(Base):
    """One product on a shopper's wishlist. A retired product's row is hidden and kept, in case it returns.

    `color_id` is the color in which it was added, null when none was given. It has no foreign key: readers compare it
    with the colors that the product has now, because those that were sold are retired and not deleted.
    """

    __tablename__ = "wishlist_items"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    product_id: Mapped[UUID] = mapped_column(
        ForeignKey("products.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    color_id: Mapped[UUID | None]
    added_at: Mapped[datetime] = mapped_column(server_default=NOW)


class StockAlert(Base):
    """A request for one mail when a sold-out variant is available again.

    `user_id` is set when the request came from a signed-in shopper; the mail goes to `email` either way. `back_at` is
    when stock was seen again, null while there is none. After its mail a row is kept while its unsubscribe link works.
    """

    __tablename__ = "stock_alerts"
    __table_args__ = (
        Index(
            "uq_stock_alerts_waiting", "variant_id", "email", unique=True, postgresql_where=text("mailed_at IS NULL")
        ),
        Index("ix_stock_alerts_email", "email"),
        Index("ix_stock_alerts_user", "user_id"),
    )

    id: Mapped[Id]
    variant_id: Mapped[UUID] = mapped_column(ForeignKey("variants.id", ondelete="CASCADE"))
    email: Mapped[str]
    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    created_at: Mapped[Created]
    back_at: Mapped[datetime | None]
    mailed_at: Mapped[datetime | None] = mapped_column(index=True)
    token_hash: Mapped[bytes | None] = mapped_column(LargeBinary, unique=True)
