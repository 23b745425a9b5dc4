"""The back office's half of the catalogue: products as admins make them, find them and take them off."""

from enum import Enum
from typing import Annotated
from uuid import UUID

import strawberry

from server.catalog import drafts, queries, service
from server.catalog.cache import CatalogCache
from server.catalog.graphql import (
    After,
    First,
    Gender,
    Product,
    ProductConnection,
    Size,
    Subcategory,
    Wanted,
    connection,
)
from server.core import errors as refusals
from server.core.context import reading, transaction
from server.core.graphql import (
    AdminOnly,
    Info,
    InvalidInput,
    Money,
    PrimaryAdminOnly,
    enum_value,
    parse_id,
)


@strawberry.enum(description="What the product control shows.")
class AdminProductCategory(Enum):
    ALL = enum_value("all", "Everything.")
    MEN = enum_value("men", "Men's.")
    WOMEN = enum_value("women", "Women's.")
    SALE = enum_value("sale", "Everything whose discount counts now.")


@strawberry.input(description="Narrows the back office's list of products.")
class AdminProductFilter:
    category: AdminProductCategory = strawberry.field(
        default=AdminProductCategory.ALL, description="Men's, women's, on sale, or all."
    )
    include_retired: bool = strawberry.field(
        default=False, description="Whether products no longer sold are listed too."
    )


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
    stock: int | None = strawberry.field(
        default=None,
        description="Pieces in all, spread evenly over the variants; left out when `variants` says it exactly.",
    )
    variants: list[VariantStockInput] | None = strawberry.field(
        default=None, description="Exact stock; a color and size that is not named gets none."
    )

    def draft(self) -> drafts.ProductDraft:
        """Raises InvalidInput for an image id that is none."""
        return drafts.ProductDraft(
            name=self.name,
            subtitle=self.subtitle,
            description=self.description,
            price_cents=self.price,
            discounted_price_cents=self.discounted_price,
            gender=self.gender.value,
            subcategory=self.subcategory.value,
            colors=[drafts.NewColor(color.hex, color.name) for color in self.colors],
            sizes=[size.value for size in self.sizes],
            pictures=[drafts.NewPicture(_image_id(each), each.color, each.alt) for each in self.images],
            stock=self.stock,
            variants=(
                None
                if self.variants is None
                else [drafts.NewVariant(each.color, each.size.value, each.stock) for each in self.variants]
            ),
        )


def _image_id(image: ProductImageInput) -> UUID:
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
class AdminFields:
    @strawberry.field(description="All products, newest first.", permission_classes=[AdminOnly])
    async def products(
        self,
        info: Info,
        filter: Annotated[
            AdminProductFilter | None, strawberry.argument(description="Which; all on offer when left out.")
        ] = None,
        search: Annotated[str | None, strawberry.argument(description="Part of a name or subtitle.")] = None,
        first: First = 50,
        after: After = None,
    ) -> ProductConnection:
        chosen = filter or AdminProductFilter()
        category = chosen.category.value
        narrowed = queries.Filter(
            gender=category if category in ("men", "women") else None,
            on_sale=category == "sale",
            include_retired=chosen.include_retired,
            words=(search or "").strip(),
        )
        return await connection(info, Wanted(narrowed, queries.Sort.NEWEST, first, after))


@strawberry.type
class Mutation:
    @strawberry.mutation(description="Puts a product on offer.", permission_classes=[PrimaryAdminOnly])
    async def create_product(
        self,
        info: Info,
        product: Annotated[CreateProductInput, strawberry.argument(description="The product.")],
    ) -> CreateProductResult:
        most = info.context.settings.max_product_images
        try:
            async with transaction(info.context) as session:
                product_id = await service.create_product(session, product.draft(), most, actor=info.context.viewer)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return ProductCreated(product=await _changed_product(info, product_id))

    @strawberry.mutation(
        description="Retires a product: gone from lists, searches and carts, still in past orders. "
        "Doing it twice changes nothing.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def delete_product(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="The product's id.")]
    ) -> Product:
        product_id = parse_id(id, "This product")
        async with transaction(info.context) as session:
            await service.retire_product(session, product_id)
        return await _changed_product(info, product_id)


async def _changed_product(info: Info, product_id: UUID) -> Product:
    """The product after a change of ours, which this process need not wait to hear of."""
    info.context.resources.get(CatalogCache).forget()
    async with reading(info.context) as session:
        found = await queries.products_by_id(session, [product_id])
    return Product.of(found[product_id])
