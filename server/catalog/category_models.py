"""Tables of departments, kinds, size systems, categories, and addresses of before."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, CheckConstraint, Computed, ForeignKey, Index, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import Base, Created

WORDS = "^[a-z0-9]+(-[a-z0-9]+)*$"
"""Keys and slugs: words joined by hyphens. An underscore joins a department and a kind to a category's key."""

GENDERS = ("male", "female", "unisex")
AGE_GROUPS = ("newborn", "infant", "toddler", "kids", "adult")
"""Both as Google Merchant Center reads them: https://support.google.com/merchants/answer/7052112."""


class Department(Base):
    """Whom garments are cut for: the first part of the menu."""

    __tablename__ = "departments"
    __table_args__ = (
        CheckConstraint(f"key ~ '{WORDS}'", name="key"),
        CheckConstraint(f"slug ~ '{WORDS}' AND slug NOT IN ('sale', 'sales')", name="slug"),
        UniqueConstraint("slug"),
        CheckConstraint(f"gender IN ({', '.join(map(repr, GENDERS))})", name="gender"),
        CheckConstraint(f"age_group IN ({', '.join(map(repr, AGE_GROUPS))})", name="age_group"),
    )

    key: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    heading: Mapped[str]
    slug: Mapped[str]
    position: Mapped[int]
    hidden_at: Mapped[datetime | None]
    gender: Mapped[str | None]
    """As product feeds have it; null where garments are for anyone, or this is not said."""
    age_group: Mapped[str] = mapped_column(server_default=text("'adult'"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    """Counts edits, for optimistic locking."""


class Kind(Base):
    """A kind of clothing; more than one department may have it."""

    __tablename__ = "kinds"
    __table_args__ = (CheckConstraint(f"key ~ '{WORDS}'", name="key"),)

    key: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]


class SizeSystem(Base):
    """What products of a category are made in, from small to large."""

    __tablename__ = "size_systems"
    __table_args__ = (CheckConstraint(f"key ~ '{WORDS}'", name="key"),)

    key: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    market: Mapped[str] = mapped_column(server_default=text("''"))
    """Whose names the sizes have: EU; empty when they are called so everywhere."""
    axes: Mapped[list[Any]]
    """One or two, each {"name", "values": [{"name", "labels": [[market, name]]}]}."""
    sizes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    """Names of all sizes in order, which follow from the axes: for sorting rows."""
    version: Mapped[int] = mapped_column(server_default=text("1"))
    """Counts edits, for optimistic locking."""


class Category(Base):
    """A kind in a department, which shoppers browse."""

    __tablename__ = "categories"
    __table_args__ = (
        CheckConstraint(f"slug ~ '{WORDS}'", name="slug"),
        UniqueConstraint("key"),
        UniqueConstraint("department", "slug"),
    )

    department: Mapped[str] = mapped_column(ForeignKey("departments.key"), primary_key=True)
    kind: Mapped[str] = mapped_column(ForeignKey("kinds.key"), primary_key=True)
    key: Mapped[str] = mapped_column(Computed("department || '_' || kind", persisted=True))
    name: Mapped[str]
    heading: Mapped[str | None]
    """Its department's when null."""
    slug: Mapped[str]
    position: Mapped[int]
    """Within its department."""
    measuring_points: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    size_system: Mapped[str] = mapped_column(ForeignKey("size_systems.key"), server_default=text("'letters'"))
    description: Mapped[str] = mapped_column(server_default=text("''"))
    """Words below the heading of its page."""
    image_id: Mapped[UUID | None] = mapped_column(ForeignKey("images.id"), index=True)
    hidden_at: Mapped[datetime | None]
    version: Mapped[int] = mapped_column(server_default=text("1"))
    """Counts edits, for optimistic locking."""


class Redirect(Base):
    """Where what stood at a path is now."""

    __tablename__ = "redirects"
    __table_args__ = (CheckConstraint("path <> target", name="target"), Index("ix_redirects_target", "target"))

    path: Mapped[str] = mapped_column(primary_key=True)
    target: Mapped[str]
    created_at: Mapped[Created]
