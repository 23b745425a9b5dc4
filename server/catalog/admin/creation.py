"""Creating, retiring and restoring products in the GraphQL schema."""

from typing import Annotated
from uuid import UUID

import strawberry

from server.catalog import drafts, listing, queries, service
from server.catalog.admin.inputs import ProductInput
from server.catalog.categories import Categories
from server.catalog.types import Product, Size
from server.config import Settings
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.text import parse_id
from server.platform.gql.permissions import PrimaryAdminOnly
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


@strawberry.input(description="A product to be put on offer.")
class CreateProductInput(ProductInput):
    colors: list[ColorInput] = strawberry.field(description="At least one; the first is preselected.")
    stock: int | None = strawberry.field(
        default=None,
        description="Pieces in all, spread evenly over the variants; left out when `variants` says it exactly.",
    )
    variants: list[VariantStockInput] | None = strawberry.field(
        default=None, description="Exact stock; a color and size that is not named gets none."
    )

    def draft(self, categories: Categories) -> drafts.ProductDraft:
        """The draft for the service. Raises InvalidInput for a malformed image id or no category."""
        return drafts.ProductDraft(
            **self.entered(categories),
            colors=[drafts.NewColor(color.hex, color.name) for color in self.colors],
            stock=self.stock,
            variants=(
                None
                if self.variants is None
                else [drafts.NewVariant(each.color, each.size, each.stock) for each in self.variants]
            ),
        )


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
        input: Annotated[CreateProductInput, strawberry.argument(description="The product.")],
    ) -> CreateProductResult:
        most = info.context.resources.get(Settings).limits.max_product_images
        categories = await listing.categories(info.context)
        try:
            async with transaction(info.context) as session:
                draft = input.draft(categories)
                product_id = await service.create_product(session, draft, most, actor=info.context.viewer)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return ProductCreated(product=await changed_product(info, product_id))

    @strawberry.mutation(
        description="Retires a product: gone from lists, searches and carts, still in past orders. "
        "Doing it twice changes nothing.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def retire_product(self, info: Info, id: ProductId) -> Product:
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
        rows = await queries.products_by_id(session, [product_id])
    return Product.of(rows[product_id])
