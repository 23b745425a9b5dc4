"""Errors of changes to the catalogue."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.platform.core.errors import Conflict


@dataclass(eq=False)
class ChangedMeanwhile(Conflict):
    """The object differs from what the form showed; nothing was overwritten."""

    message: str = "Somebody else has changed this in the meantime. Nothing of yours is saved yet, and nothing lost."


class SizesInUse(Conflict):
    """A size in which products are made is not deleted. `products` is how many, by size."""

    def __init__(self, products: Mapping[str, int]) -> None:
        uses = (f"{size} by {many:,} {'product' if many == 1 else 'products'}" for size, many in products.items())
        super().__init__(f"Sizes are used, also by products no longer sold: {', '.join(uses)}.")
        self.products = products


class CategoryHasProducts(Conflict):
    """A category with products is not deleted: they would be in none."""

    def __init__(self, products: int) -> None:
        many = "1 product is" if products == 1 else f"{products:,} products are"
        super().__init__(f"{many} in it, retired ones included. Merge it into another category instead.")
        self.products = products
