"""Errors of changes to the catalogue."""

from dataclasses import dataclass

from server.platform.core.errors import Conflict


@dataclass(eq=False)
class ChangedMeanwhile(Conflict):
    """The object differs from what the form showed; nothing was overwritten."""

    message: str = "Somebody else has changed this in the meantime. Nothing of yours is saved yet, and nothing lost."


class CategoryHasProducts(Conflict):
    """A category with products is not deleted: they would be in none."""

    def __init__(self, products: int) -> None:
        many = "1 product is" if products == 1 else f"{products:,} products are"
        super().__init__(f"{many} in it, retired ones included. Merge it into another category instead.")
        self.products = products
