"""The product editor in the GraphQL schema: what it shows and what it saves."""

from datetime import datetime
from enum import Enum
from typing import Annotated, cast
from uuid import UUID

import strawberry

from server.catalog import admin_queries, drafts, editing, listing, models, queries
from server.catalog.admin.creation import ProductId
from server.catalog.admin.inputs import ProductInput
from server.catalog.categories import Categories, CategoryFacts
from server.catalog.errors import ChangedMeanwhile
from server.catalog.fields import NAME_LENGTH, TEXTS
from server.catalog.stock import Reason
from server.catalog.types import (
    BaseProduct,
    Product,
    Size,
    with_texts,
)
from server.config import Settings
from server.media.graphql import Image
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.text import parse_id, trimmed
from server.platform.core.text import parse_id as parse_any_id
from server.platform.gql.permissions import AdminOnly, PrimaryAdminOnly
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, InvalidInput, UserError, enum_value


@strawberry.enum(description="Why a person changes stock by hand.")
class AdjustmentReason(Enum):
    RECEIVED = enum_value("received", "A delivery came in.")
    COUNTED = enum_value("counted", "Somebody counted, and it was another number.")
    DAMAGED = enum_value("damaged", "Not fit to be sold.")
    ADJUSTMENT = enum_value("adjustment", "Anything else; say so in the note.")


@strawberry.type(description="A color as the editor shows it.")
class EditableColor:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    name: str = strawberry.field(description='In the product\'s own words: "Indigo".')
    hex: str = strawberry.field(description="Six digits with #: `#2f4e7d`.")
    is_retired: bool = strawberry.field(description="Hidden from shoppers; can be put back.")
    sold: int = strawberry.field(description="Pieces sold of it so far.")


@strawberry.type(description="A cell of the editor's grid: one color in one size.")
class EditableVariant:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    color_id: strawberry.ID = strawberry.field(description="One of `colors`.")
    size: Size = strawberry.field(description="Its size.")
    sku: str = strawberry.field(description="Stock-keeping unit, as the label says.")
    stock: int = strawberry.field(description="Pieces that can be bought now.")
    reserved: int = strawberry.field(description="Pieces that open checkouts hold, not counted in `stock`.")
    sold: int = strawberry.field(description="Pieces sold so far.")
    is_retired: bool = strawberry.field(description="Hidden from shoppers; naming it in an edit puts it back.")


@strawberry.type(description="A picture of a product with its place.")
class EditablePicture:
    image: Image = strawberry.field(description="The picture, with its text as shoppers get it.")
    color_id: strawberry.ID | None = strawberry.field(description="The color it shows; null for every color.")
    alt: str = strawberry.field(description="What it shows, in words.")


@strawberry.type
@with_texts(TEXTS)
class EditableTexts(BaseProduct):
    """The beginning of the type EditableProduct."""

    row: strawberry.Private[models.Product]
    version: int = strawberry.field(
        description="Counts edits; hand it to `updateProduct`, so that nothing unseen is lost."
    )


@strawberry.type(description="A product as its editor in the back office shows it: everything, as entered.")
class EditableProduct(EditableTexts):
    discounted_price: Money | None = strawberry.field(description="As entered, whether it counts now or not.")
    discount_starts_at: datetime | None = strawberry.field(
        description="First moment of the discount; null for long ago."
    )
    discount_ends_at: datetime | None = strawberry.field(description="First moment without it; null for never.")
    is_on_sale: bool = strawberry.field(description="Whether the discount counts now.")
    weight_grams: int = strawberry.field(description="Of one piece, packed, in grams.")
    colors: list[EditableColor] = strawberry.field(description="In the order of the shop, retired ones last.")
    variants: list[EditableVariant] = strawberry.field(description="Every color and size there is or was.")
    pictures: list[EditablePicture] = strawberry.field(description="In the order of showing.")
    sold: int = strawberry.field(description="Pieces sold so far.")
    revenue: Money = strawberry.field(description="What was paid for them.")
    reserved: int = strawberry.field(description="Pieces that open checkouts hold.")
    reserved_since: datetime | None = strawberry.field(description="When the oldest of those checkouts began.")
    changed_at: datetime = strawberry.field(description="Last edit.")
    changed_by: str = strawberry.field(description="E-mail of who made it; empty when nobody knows.")
    product: Product = strawberry.field(description="As shoppers see it now.")

    def made_in(self) -> list[str]:
        """Sizes of its variants that are not retired, in order."""
        made = (each.size for each in self.variants if not each.is_retired)
        return self.category_facts().size_system.in_order(made)

    def category_facts(self) -> CategoryFacts:
        """As shoppers see it."""
        return self.product.category_facts()

    @classmethod
    def of(cls, sheet: admin_queries.ProductDetails, product: Product) -> "EditableProduct":
        """From the query's details and the product as shoppers see it."""
        row = sheet.product
        return cls(
            row=row,
            version=row.version,
            discounted_price=None if row.discounted_price_cents is None else Money(row.discounted_price_cents),
            discount_starts_at=drafts.within_bounds(row.discount_starts_at),
            discount_ends_at=drafts.within_bounds(row.discount_ends_at),
            is_on_sale=row.is_on_sale,
            weight_grams=row.weight_grams,
            colors=[_color(color) for color in sheet.colors],
            variants=[_variant(variant) for variant in sheet.variants],
            pictures=[_picture(picture) for picture in sheet.pictures],
            sold=sheet.sold,
            revenue=Money(sheet.revenue_cents),
            reserved=sheet.reserved,
            reserved_since=sheet.reserved_since,
            changed_at=sheet.changed_at,
            changed_by=sheet.changed_by,
            product=product,
        )


def _color(color: admin_queries.ColorDetails) -> EditableColor:
    return EditableColor(
        id=strawberry.ID(str(color.id)),
        name=color.name,
        hex=color.hex,
        is_retired=color.retired_at is not None,
        sold=color.sold,
    )


def _variant(variant: admin_queries.VariantDetails) -> EditableVariant:
    return EditableVariant(
        id=strawberry.ID(str(variant.id)),
        color_id=strawberry.ID(str(variant.color_id)),
        size=Size(variant.size),
        sku=variant.sku,
        stock=variant.stock,
        reserved=variant.reserved,
        sold=variant.sold,
        is_retired=variant.retired_at is not None,
    )


def _picture(picture: admin_queries.ImageDetails) -> EditablePicture:
    return EditablePicture(
        image=Image.of(picture.image_id, picture.width, picture.height, picture.placeholder, picture.alt),
        color_id=None if picture.color_id is None else strawberry.ID(str(picture.color_id)),
        alt=picture.alt,
    )


@strawberry.input(description="A color as it shall be.")
class UpdateColorInput:
    hex: str = strawberry.field(description="Six digits with #: `#2f4e7d`.")
    name: str = strawberry.field(description="In the product's own words.")
    id: strawberry.ID | None = strawberry.field(
        default=None, description="Of a color that is there, retired or not; null for a new one."
    )


@strawberry.input(description="One color in one size as it shall be.")
class UpdateVariantInput:
    color: int = strawberry.field(description="Index into `colors`, from 0.")
    size: Size = strawberry.field(description="One of `sizes`.")
    stock: int = strawberry.field(description="Pieces, 0 or more.")
    seen_stock: int | None = strawberry.field(
        default=None,
        description="The stock that was shown to whoever typed `stock`. The edit is refused when they differ and "
        "something was sold meanwhile; null only for what is new.",
    )
    sku: str = strawberry.field(default="", description="As it shall be; empty keeps it, or makes one.")


@strawberry.input(description="A product as it shall be, whole: what is not named here will not be there.")
class UpdateProductInput(ProductInput):
    colors: list[UpdateColorInput] = strawberry.field(
        description="At least one, in the order of the shop. One that is left out is deleted if nothing of it was "
        "ever stored or sold, and retired otherwise."
    )
    variants: list[UpdateVariantInput] = strawberry.field(description="What is left out goes the way of a color.")
    stock_reason: AdjustmentReason = strawberry.field(
        default=AdjustmentReason.ADJUSTMENT, description="Why stock is other than it was."
    )
    stock_note: str = strawberry.field(default="", description="More about that, for the ledger.")

    def draft(self, categories: Categories) -> drafts.ProductDraft:
        """The draft for the service. Raises InvalidInput for a malformed id or no category."""
        return drafts.ProductDraft(
            **self.entered(categories),
            colors=[drafts.NewColor(each.hex, each.name, _color_id(each)) for each in self.colors],
            variants=[
                drafts.NewVariant(each.color, each.size, each.stock, each.seen_stock, each.sku)
                for each in self.variants
            ],
        )

    def why(self) -> editing.StockEditReason:
        """The reason of stock changes. Raises InvalidInput."""
        note = trimmed(self.stock_note, "stockNote", NAME_LENGTH)
        return editing.StockEditReason(cast(Reason, self.stock_reason.value), note)


def _color_id(color: UpdateColorInput) -> UUID | None:
    try:
        return UUID(color.id) if color.id else None
    except ValueError as error:
        raise refusals.InvalidInput({"colors": "A color is not one of this product's"}) from error


@strawberry.type(description="The product is as asked.")
class ProductUpdated:
    product: EditableProduct = strawberry.field(description="As it is now.")


@strawberry.type(description="Somebody else was faster: the product, or stock that the edit changes, is not as seen.")
class ProductChangedMeanwhile(UserError):
    product: EditableProduct = strawberry.field(description="As it is now, to compare with.")


UpdateProductResult = Annotated[
    ProductUpdated | ProductChangedMeanwhile | InvalidInput,
    strawberry.union("UpdateProductResult", description="What became of an edit."),
]


@strawberry.type
class ProductEditorAdminFields:
    """The editor's field of the back office."""

    @strawberry.field(
        description="One product with everything that can be edited; null when there is none. Costs six statements.",
        permission_classes=[AdminOnly],
    )
    async def product(self, info: Info, id: ProductId) -> EditableProduct | None:
        try:
            return await _editable(info, parse_any_id(id))
        except refusals.NotFound:
            return None


@strawberry.type
class ProductEditorMutations:
    """Saving and duplicating products."""

    @strawberry.mutation(
        description="Makes a product what the input says. Refused when somebody else edited it after `version`.",
        permission_classes=[AdminOnly],
    )
    async def update_product(
        self,
        info: Info,
        id: ProductId,
        version: Annotated[int, strawberry.argument(description="`version` of the product that was edited.")],
        input: Annotated[UpdateProductInput, strawberry.argument(description="As it shall be.")],
    ) -> UpdateProductResult:
        product_id, most = parse_id(id, "This product"), info.context.resources.get(Settings).limits.max_product_images
        categories = await listing.categories(info.context)
        try:
            async with transaction(info.context) as session:
                draft, why = input.draft(categories), input.why()
                await editing.edit_product(
                    session, product_id, version, draft, most, actor=info.context.signed_in, why=why
                )
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        except ChangedMeanwhile as error:
            return ProductChangedMeanwhile(message=str(error), product=await _editable(info, product_id))
        await listing.after_change(info.context)
        return ProductUpdated(product=await _editable(info, product_id))

    @strawberry.mutation(
        description="Copies a product with its pictures, without stock. The copy is retired until it is restored.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def duplicate_product(self, info: Info, id: ProductId) -> EditableProduct:
        product_id = parse_id(id, "This product")
        async with transaction(info.context) as session:
            copy_id = await editing.duplicate_product(session, product_id, actor=info.context.signed_in)
        return await _editable(info, copy_id)


async def _editable(info: Info, product_id: UUID) -> EditableProduct:
    """Raises NotFound."""
    async with reading(info.context) as session:
        sheet = await admin_queries.sheet(session, product_id)
        if sheet is None:
            raise refusals.NotFound("This product")
        rows = await queries.products_by_id(session, [product_id])
    return EditableProduct.of(sheet, Product.of(rows[product_id]))
