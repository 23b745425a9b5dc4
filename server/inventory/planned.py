"""What an import would write: products, colors, variants and images as planned, and the plan that holds them."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from secrets import randbits
from time import time_ns
from typing import Any, NamedTuple
from uuid import UUID

import orjson

from server.catalog.categories import Categories
from server.catalog.fields import ProductFacts
from server.inventory.csv_file import TEXT_COLUMNS, CsvProblem
from server.platform.core import money

NEEDED_BY_NEW_PRODUCTS = (*(column for column, text in TEXT_COLUMNS.items() if text.is_required), "category", "price")
NEEDED_BY_NEW_VARIANTS = ("color", "size", "stock")


class PlannedImage(NamedTuple):
    """An image of a product, or of one of its colors."""

    color_id: UUID | None
    image_id: UUID
    alt: str


@dataclass
class PlannedColor:
    """A color of a product, existing or new."""

    id: UUID
    name: str
    hex: str
    is_retired: bool = False


@dataclass
class PlannedVariant:
    """A variant of a product, existing or new."""

    id: UUID
    product_id: UUID
    color_id: UUID
    size: str
    sku: str
    stock: int
    is_retired: bool = False


@dataclass
class PlannedProduct:
    """A product with its colors, images and variants, existing or new."""

    id: UUID
    facts: ProductFacts
    colors: dict[UUID, PlannedColor] = field(default_factory=dict)
    pictures: list[PlannedImage] = field(default_factory=list)
    items: list[PlannedVariant] = field(default_factory=list)


@dataclass
class CatalogSnapshot:
    """The shop's present state of everything that a file names."""

    products: dict[UUID, PlannedProduct]
    items: dict[str, PlannedVariant]
    """By SKU."""
    images: set[UUID]
    most_pictures: int
    categories: Categories


@dataclass(frozen=True)
class PlannedChange:
    """One changed cell, or one new object (`before` is None then), for display."""

    row: int
    sku: str
    name: str
    column: str
    before: str | None
    after: str


@dataclass
class ImportPlan:
    """The rows to write. With any `problems` nothing may be written."""

    problems: list[CsvProblem] = field(default_factory=list)
    changes: list[PlannedChange] = field(default_factory=list)
    new_products: dict[UUID, PlannedProduct] = field(default_factory=dict)
    edited: dict[UUID, tuple[ProductFacts, ProductFacts]] = field(default_factory=dict)
    """By product: before and after."""
    new_colors: list[tuple[UUID, PlannedColor, int]] = field(default_factory=list)
    """Product, color and position; colors of new products included."""
    dyed: dict[UUID, str] = field(default_factory=dict)
    """By color: its new hex value."""
    new_items: list[PlannedVariant] = field(default_factory=list)
    new_rows: set[int] = field(default_factory=set)
    """Numbers of the rows that make variants."""
    moved: dict[UUID, int] = field(default_factory=dict)
    """By variant: change of its quantity."""
    restocked: list[UUID] = field(default_factory=list)
    pictures: dict[UUID, list[PlannedImage]] = field(default_factory=dict)
    """By product: all images that it will have."""
    names: dict[UUID, str] = field(default_factory=dict)
    """Current names of the products in the file."""
    unchanged: int = 0

    @property
    def touched(self) -> set[UUID]:
        """Products of which more than stock changes."""
        of_items = {item.product_id for item in self.new_items}
        return {*self.edited, *self.pictures, *of_items} - self.new_products.keys()

    @property
    def hidden(self) -> list[PlannedProduct]:
        """New products without an image: they stay off sale until they get one."""
        return [product for product in self.new_products.values() if not self.pictures.get(product.id)]

    def summary(self) -> dict[str, int]:
        """The counts that an admin sees before starting the import."""
        added = sum(pieces for pieces in self.moved.values() if pieces > 0)
        return {
            "new_products": len(self.new_products),
            "hidden_products": len(self.hidden),
            "new_variants": len(self.new_items),
            "changed_products": len(self.touched),
            "changed_prices": sum(prices_of(before) != prices_of(after) for before, after in self.edited.values()),
            "changed_stock": len(self.moved),
            "pieces_added": added + sum(item.stock for item in self.new_items),
            "pieces_removed": -sum(pieces for pieces in self.moved.values() if pieces < 0),
            "unchanged_rows": self.unchanged,
            "changes": len(self.changes),
        }


def prices_of(facts: ProductFacts) -> tuple[int, int | None]:
    """The price and discounted price in cents, to compare two states."""
    return facts.price_cents, facts.discounted_price_cents


def shown(value: Any, column: str) -> str:
    """A product's member as its column displays it."""
    if value is None:
        return ""
    if column in ("price", "discounted_price"):
        return money.decimal_text(value)
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return str(value)


def uuid_or_none(text: str) -> UUID | None:
    """The UUID in a cell; None for any other text."""
    try:
        return UUID(text) if len(text) == 36 else None
    except ValueError:
        return None


def new_id() -> UUID:
    """A UUID of version 7, as PostgreSQL makes them, so that ids sort by time."""
    value = time_ns() // 1_000_000 << 80 | randbits(80)
    return UUID(int=value & ~(0xF000 << 64) & ~(0xC000 << 48) | 0x7000 << 64 | 0x8000 << 48)


def dumps(value: Any) -> str:
    """JSON for the database."""
    return orjson.dumps(value, default=str).decode()


def as_json(entries: Iterable[CsvProblem | PlannedChange], most: int) -> list[dict[str, Any]]:
    """At most `most` of them as JSON objects, for storing."""
    return [asdict(each) for _, each in zip(range(most), entries, strict=False)]
