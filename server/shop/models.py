"""The table of settings that can be changed at run time."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import NOW, Base


class ShopSettingsRow(Base):
    """The only row of settings. Null means the environment's value, so a new shop needs no row."""

    __tablename__ = "shop_settings"
    __table_args__ = (
        CheckConstraint("only_row", name="only_row"),
        CheckConstraint("cancel_minutes BETWEEN 0 AND 43200", name="cancel_minutes"),
        CheckConstraint("return_days BETWEEN 0 AND 365", name="return_days"),
        CheckConstraint("low_stock_threshold BETWEEN 0 AND 1000", name="low_stock_threshold"),
    )

    only_row: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    seller: Mapped[str | None]
    contact_email: Mapped[str | None]
    cancel_minutes: Mapped[int | None]
    return_days: Mapped[int | None]
    low_stock_threshold: Mapped[int | None]
    time_zone: Mapped[str | None]
    prices_include_tax: Mapped[bool | None]
    further: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    """Values of settings without a column, by name."""
    updated_at: Mapped[datetime] = mapped_column(server_default=NOW)
