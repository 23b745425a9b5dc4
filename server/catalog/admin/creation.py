"""Creating, retiring and restoring products in the GraphQL schema."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import strawberry

from server.catalog import drafts, listing, queries, service
from server.catalog.categories import Gender, Subcategory
from server.catalog.types import Product, Size
from server.config import Settings
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.text import parse_id
from server.platform.gql.permissions import PrimaryAdminOnly
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, InvalidInput

ProductId = Annotated[strawberry.ID, strawberry.argument(description="The product's id.")]


@strawberry.input(description="A color of a new product.")
class ColorInput:
    hex: str = strawberry.field(description="Six digits with #: `#2f4e7d`.")
    name: str | None = strawberry.field(
        default=None, description="In the product's own words; the nearest CSS color's name when left out."
    )


@strawberry.input(description="Exact stock of one color in one size.")
class VariantStockInput:
    color: int = strawberry.field(description="Index into `colors`, from 0.")
    size: Size = strawberry.field(description="One of `sizes`.")
    stock: int = strawberry.field(description="Pieces, 0 or more.")


@strawberry.input(description="A picture of a new product.")
class ProductImageInput:
    image_id: strawberry.ID = strawberry.field(description="From the upload at `POST /uploads/images`.")
    color: int | None = strawberry.field(
        default=None, description="Index into `colors`, from 0; null shows it for every color."
    )
    alt: str = strawberry.field(default="", description="What it shows, in words; the product's name when empty.")


@strawberry.input(description="A product to be put on offer.")
class CreateProductInput:
    name: str = strawberry.field(description='"Oxford Shirt".')
    subtitle: str = strawberry.field(description="One line under the name.")
    description: str = strawberry.field(description="A paragraph of plain text.")
    price: Money = strawberry.field(description="Above 0.")
    gender: Gender = strawberry.field(description="Whom it is cut for.")
    subcategory: Subcategory = strawberry.field(description="Kind of clothing; men have no trousers.")
    colors: list[ColorInput] = strawberry.field(description="At least one; the first is preselected.")
    sizes: list[Size] = strawberry.field(description="At least one.")
    images: list[ProductImageInput] = strawberry.field(description="At least one, in the order of showing.")
    discounted_price: Money | None = strawberry.field(
        default=None, description="Above 0; counts only when it is below `price`."
    )
    discount_starts_at: datetime | None = strawberry.field(
        default=None, description="First moment of the discount; at once when left out."
    )
    discount_ends_at: datetime | None = strawberry.field(
        default=None, description="First moment without the discount; never when left out."
    )
    weight_grams: int | None = strawberry.field(
        default=None, description="Of one piece, packed; what the shop takes for usual when left out."
    )
    stock: int | None = strawberry.field(
        default=None,
        description="Pieces in all, spread evenly over the variants; left out when `variants` says it exactly.",
    )
    variants: list[VariantStockInput] | None = strawberry.field(
        default=None, description="Exact stock; a color and size that is not named gets none."
    )

    def draft(self) -> drafts.ProductDraft:
        """The draft for the service. Raises InvalidInput for a malformed image id."""
        return drafts.ProductDraft(
            name=self.name,
            subtitle=self.subtitle,
            description=self.description,
            price_cents=self.price,
            discounted_price_cents=self.discounted_price,
            discount_starts_at=self.discount_starts_at,
            discount_ends_at=self.discount_ends_at,
            weight_grams=self.weight_grams,
            gender=self.gender.value,
            subcategory=self.subcategory.value,
            colors=[drafts.NewColor(color.hex, color.name) for color in self.colors],
            sizes=[size.value for size in self.sizes],
            pictures=[drafts.NewPicture(image_id_of(each), each.color, each.alt) for each in self.images],
            stock=self.stock,
            variants=(
                None
                if self.variants is None
                else [drafts.NewVariant(each.color, each.size.value, each.stock) for each in self.variants]
            ),
        )


def image_id_of(image: ProductImageInput) -> UUID:
    """The image's id. Raises InvalidInput for a malformed one."""
    try:
        return UUID(image.image_id)
    except ValueError as error:
        raise refusals.InvalidInput({"images": drafts.NO_SUCH_IMAGE}) from error


@strawberry.type(description="The product is on offer.")
class ProductCreated:
    product: Product = strawberry.field(description="As shoppers see it from now on.")


CreateProductResult = Annotated[
    ProductCreated | InvalidInput, strawberry.union("CreateProductResult", description="What became of a new product.")
]


@strawberry.type
class CreateProductMutations:
    """Creating, retiring and restoring products."""

    @strawberry.mutation(description="Puts a product on offer.", permission_classes=[PrimaryAdminOnly])
    async def create_product(
        self,
        info: Info,
        product: Annotated[CreateProductInput, strawberry.argument(description="The product.")],
    ) -> CreateProductResult:
        most = info.context.resources.get(Settings).max_product_images
        try:
            async with transaction(info.context) as session:
                product_id = await service.create_product(session, product.draft(), most, actor=info.context.viewer)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return ProductCreated(product=await changed_product(info, product_id))

    @strawberry.mutation(
        description="Retires a product: gone from lists, searches and carts, still in past orders. "
        "Doing it twice changes nothing.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def delete_product(self, info: Info, id: ProductId) -> Product:
        product_id = parse_id(id, "This product")
        async with transaction(info.context) as session:
            await service.retire_product(session, product_id, actor=info.context.signed_in)
        return await changed_product(info, product_id)

    @strawberry.mutation(
        description="Puts a retired product on offer again. Doing it twice changes nothing.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def restore_product(self, info: Info, id: ProductId) -> Product:
        product_id = parse_id(id, "This product")
        async with transaction(info.context) as session:
            await service.restore_product(session, product_id, actor=info.context.signed_in)
        return await changed_product(info, product_id)


async def changed_product(info: Info, product_id: UUID) -> Product:
    """The product after our own change, read from the database before its notification arrives."""
    await listing.after_change(info.context)
    async with reading(info.context) as session:
        found = await queries.products_by_id(session, [product_id])
    return Product.of(found[product_id])
