"""What is entered of a product, new or edited, in the GraphQL schema."""

from datetime import datetime
from typing import Any
from uuid import UUID

import strawberry

from server.catalog import drafts
from server.catalog import measurements as measuring
from server.catalog.categories import Categories
from server.catalog.fields import TEXTS
from server.catalog.types import MeasurementPoint, Size, with_text_inputs
from server.platform.core import errors as refusals
from server.platform.gql.scalars import Money


@strawberry.input(description="A fact about a product.")
class ProductDetailInput:
    label: str = strawberry.field(description='"Care".')
    text: str = strawberry.field(description='"Wash at 40 °C."')


@strawberry.input(description="One cell of the table of measurements.")
class MeasurementInput:
    point: MeasurementPoint = strawberry.field(description="One of the kind's.")
    size: Size = strawberry.field(description="One of `sizes`.")
    micrometers: int = strawberry.field(description="10000 to 3000000: 25400 is one inch.")


@strawberry.input(description="A picture of a product.")
class ProductImageInput:
    image_id: strawberry.ID = strawberry.field(description="From the upload at `POST /uploads/images`.")
    color: int | None = strawberry.field(
        default=None, description="Index into `colors`, from 0; null shows it for every color."
    )
    alt: str = strawberry.field(default="", description="What it shows, in words; the product's name when empty.")


@strawberry.input
@with_text_inputs(TEXTS)
class ProductInput:
    """What both inputs of a product have."""

    price: Money = strawberry.field(description="Above 0.")
    category: str = strawberry.field(description="Key of its category: `men_jeans`.")
    sizes: list[Size] = strawberry.field(description="At least one.")
    images: list[ProductImageInput] = strawberry.field(description="In the order of showing; a new product needs one.")
    details: list[ProductDetailInput] = strawberry.field(default_factory=list, description="Facts, in order.")
    discounted_price: Money | None = strawberry.field(
        default=None, description="Above 0; counts only when it is below `price`."
    )
    discount_starts_at: datetime | None = strawberry.field(
        default=None, description="First moment of the discount; at once when null."
    )
    discount_ends_at: datetime | None = strawberry.field(
        default=None, description="First moment without the discount; never when null."
    )
    weight_grams: int | None = strawberry.field(
        default=None, description="Of one piece, packed; null keeps it, or is what the shop takes for usual."
    )
    measurements: list[MeasurementInput] | None = strawberry.field(
        default=None,
        description="The whole table; null keeps it. What is wrong with a cell is told of `measurements.waist.M`.",
    )

    def entered(self, categories: Categories) -> dict[str, Any]:
        """Members of the draft for the service. Raises InvalidInput for a malformed id of an image or no category."""
        return {
            **{each.name: getattr(self, each.name) for each in TEXTS},
            "price_cents": self.price,
            **_category(categories, self.category),
            "sizes": list(self.sizes),
            "pictures": [drafts.NewPicture(_image_id(each), each.color, each.alt) for each in self.images],
            "details": [drafts.Detail(each.label, each.text) for each in self.details],
            "discounted_price_cents": self.discounted_price,
            "discount_starts_at": self.discount_starts_at,
            "discount_ends_at": self.discount_ends_at,
            "weight_grams": self.weight_grams,
            "measurements": self.measurements and [_measurement(each) for each in self.measurements],
        }


def _category(categories: Categories, key: str) -> dict[str, str]:
    if problem := categories.rule.problem(key):
        raise refusals.InvalidInput({"category": problem})
    department, _, kind = key.partition("_")
    return {"gender": department, "subcategory": kind}


def _image_id(image: ProductImageInput) -> UUID:
    try:
        return UUID(image.image_id)
    except ValueError as error:
        raise refusals.InvalidInput({"images": drafts.NO_SUCH_IMAGE}) from error


def _measurement(cell: MeasurementInput) -> measuring.Measurement:
    return measuring.Measurement(cell.point.value, cell.size, cell.micrometers)
