"""Products as the index stores them."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from server.catalog.sizes import LETTERS


class IndexedColor(NamedTuple):
    """A color of a product. `sizes` are the keys of all its sizes, `in_stock` those with an item left."""

    name: str
    hex: str
    family: str
    sizes: tuple[str, ...] = ()
    in_stock: tuple[str, ...] = ()


class IndexedProduct(NamedTuple):
    """A product on sale. `text` is what a search looks into beside the name.

    `charged_cents` is the current price of one item, `popularity` the number of items sold.
    """

    id: UUID
    name: str
    text: str
    gender: str
    subcategory: str
    charged_cents: int
    on_sale: bool
    popularity: int
    created_at: datetime
    category_names: str = ""
    """What its category, department and kind are called."""
    size_system: str = LETTERS
    """Key of what its sizes are of."""
    colors: tuple[IndexedColor, ...] = ()
