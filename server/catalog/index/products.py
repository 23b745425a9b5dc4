"""What the index knows of a product."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID


class IndexedColor(NamedTuple):
    """A color that a product comes in. `sizes` are those it is made in, `in_stock` those with a piece left."""

    name: str
    hex: str
    family: str
    sizes: tuple[str, ...] = ()
    in_stock: tuple[str, ...] = ()


class IndexedProduct(NamedTuple):
    """A product on offer. `charged_cents` is what a piece costs now, `popularity` the number of pieces sold."""

    id: UUID
    name: str
    title: str
    subtitle: str
    gender: str
    subcategory: str
    charged_cents: int
    on_sale: bool
    popularity: int
    created_at: datetime
    colors: tuple[IndexedColor, ...] = ()
