"""Bulk changes in the GraphQL schema: one change for many products, with a preview."""

from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, cast
from uuid import UUID

import strawberry

from server.catalog import bulk, listing
from server.catalog.admin.editor import AdjustmentReason
from server.catalog.admin.listing import AdminProductFilter
from server.catalog.categories import Categories
from server.catalog.errors import ChangedMeanwhile
from server.catalog.fields import NAME_LENGTH
from server.catalog.stock import Reason
from server.platform.core import clock
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.cursors import page_size
from server.platform.core.text import trimmed
from server.platform.core.viewer import Access
from server.platform.gql.pagination import First
from server.platform.gql.permissions import AdminOnly
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, InvalidInput, UserError, enum_value


@strawberry.enum(description="What is done to a price.")
class PriceStep(Enum):
    SET = enum_value("set", "It becomes `amount`.")
    RAISE_PERCENT = enum_value("raise_percent", "`percent` more.")
    LOWER_PERCENT = enum_value("lower_percent", "`percent` less.")
    RAISE_AMOUNT = enum_value("raise_amount", "`amount` more.")
    LOWER_AMOUNT = enum_value("lower_amount", "`amount` less.")


@strawberry.enum(description="What a new price is rounded to, halves up.")
class PriceRounding(Enum):
    CENT = enum_value("1", "A whole cent.")
    DIME = enum_value("10", "Ten cents.")
    DOLLAR = enum_value("100", "A whole dollar.")


@strawberry.input(description="The products to be changed: ids, or else all that the list shows. At most 1,000.")
class ProductSelection:
    ids: list[strawberry.ID] | None = strawberry.field(default=None, description="These products.")
    filter: AdminProductFilter | None = strawberry.field(
        default=None, description="Without ids: all that `admin.products` lists for it."
    )
    search: str | None = strawberry.field(default=None, description="Without ids: as `admin.products` takes it.")

    def selection(self, categories: Categories) -> bulk.BulkSelection:
        """The selection for the service. Raises InvalidInput for a malformed id or an unknown department."""
        if self.ids is None:
            return bulk.BulkSelection(criteria=(self.filter or AdminProductFilter()).criteria(categories, self.search))
        try:
            return bulk.BulkSelection(ids=tuple(UUID(each) for each in self.ids))
        except ValueError as error:
            raise refusals.InvalidInput({"selection": "A product does not exist"}) from error


@strawberry.input(description="New prices.")
class PriceChangeInput:
    step: PriceStep = strawberry.field(description="What is done.")
    amount: Money | None = strawberry.field(default=None, description="For the steps that take an amount.")
    percent: float | None = strawberry.field(default=None, description="For the steps that take percent: 12.5.")
    rounding: PriceRounding = strawberry.field(default=PriceRounding.CENT, description="What it is rounded to.")


@strawberry.input(description="A discount on the price, or the end of it.")
class DiscountChangeInput:
    percent: int | None = strawberry.field(default=None, description="1 to 99; null ends the discount.")
    starts_at: datetime | None = strawberry.field(default=None, description="First moment; at once when null.")
    ends_at: datetime | None = strawberry.field(default=None, description="First moment without it; never when null.")
    rounding: PriceRounding = strawberry.field(default=PriceRounding.CENT, description="What it is rounded to.")


@strawberry.input(description="More or fewer pieces of every variant.")
class StockChangeInput:
    pieces: int = strawberry.field(description="Added to each variant, or taken when below 0.")
    replaces: bool = strawberry.field(default=False, description="Each variant gets exactly `pieces` instead.")
    reason: AdjustmentReason = strawberry.field(default=AdjustmentReason.ADJUSTMENT, description="For the ledger.")
    note: str = strawberry.field(default="", description="More about that.")


@strawberry.input(one_of=True, description="One change for many products. Exactly one member.")
class ProductsChange:
    price: PriceChangeInput | None = strawberry.field(default=strawberry.UNSET, description="New prices.")
    discount: DiscountChangeInput | None = strawberry.field(
        default=strawberry.UNSET, description="A discount, or the end of it."
    )
    stock: StockChangeInput | None = strawberry.field(default=strawberry.UNSET, description="More or fewer pieces.")
    retired: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Off sale, or on offer again. Only the primary admin may do it.",
    )

    def change(self) -> bulk.Change:
        """The change for the service. Raises InvalidInput."""
        if self.price:
            return _price_change(self.price)
        if self.discount:
            discount = self.discount
            return bulk.DiscountChange(
                discount.percent, discount.starts_at, discount.ends_at, int(discount.rounding.value)
            )
        if self.stock:
            note = trimmed(self.stock.note, "note", NAME_LENGTH)
            reason = cast(Reason, self.stock.reason.value)
            return bulk.BulkStockChange(self.stock.pieces, self.stock.replaces, reason, note)
        return bulk.RetireChange(bool(self.retired))


def _price_change(price: PriceChangeInput) -> bulk.PriceChange:
    step = bulk.PriceOperation(price.step.value)
    is_percent = step in (bulk.PriceOperation.RAISE_PERCENT, bulk.PriceOperation.LOWER_PERCENT)
    amount: Any = price.percent if is_percent else price.amount
    if amount is None:
        raise refusals.InvalidInput({"percent" if is_percent else "amount": "How much is missing"})
    return bulk.PriceChange(step, Decimal(str(amount)), int(price.rounding.value))


@strawberry.type(description="What a change for many products can change.")
class ProductState:
    price: Money = strawberry.field(description="Before any discount.")
    discounted_price: Money | None = strawberry.field(description="As entered, whether it counts now or not.")
    discount_starts_at: datetime | None = strawberry.field(description="First moment of the discount.")
    discount_ends_at: datetime | None = strawberry.field(description="First moment without it.")
    is_retired: bool = strawberry.field(description="No longer sold.")
    stock: int | None = strawberry.field(description="Pieces over all variants; null when stock is not what changes.")

    @classmethod
    def of(cls, state: bulk.ProductSnapshot) -> "ProductState":
        """From the service's snapshot."""
        return cls(
            price=Money(state.price_cents),
            discounted_price=None if state.discounted_price_cents is None else Money(state.discounted_price_cents),
            discount_starts_at=state.discount_starts_at,
            discount_ends_at=state.discount_ends_at,
            is_retired=state.is_retired,
            stock=state.pieces if state.stock else None,
        )


@strawberry.type(description="What a change would do to one product.")
class ProductChangeRow:
    product_id: strawberry.ID = strawberry.field(description="The product's id.")
    name: str = strawberry.field(description="Its name.")
    before: ProductState = strawberry.field(description="As it is.")
    after: ProductState = strawberry.field(description="As it would be.")
    raises_price: bool = strawberry.field(
        description="Whether shoppers would pay more for it than without the change: now, or when its discount begins."
    )
    problem: str | None = strawberry.field(description="Why this product would be left as it is; null when it changes.")


@strawberry.type(description="What a change would do, and the token to have exactly that done.")
class ProductsPreview:
    token: str = strawberry.field(description="Hand it to `updateProducts`.")
    changing: int = strawberry.field(description="Products that would change.")
    unchanged: int = strawberry.field(description="Products that are so already.")
    refused: int = strawberry.field(description="Products that cannot be changed so.")
    whole: strawberry.Private[bulk.BulkChangePreview]

    @strawberry.field(description="Products that would change or cannot, those that cannot first.")
    def rows(self, first: First = 100) -> list[ProductChangeRow]:
        now = clock.now()
        ordered = sorted(self.whole.rows, key=lambda row: (not row.problem, row.name))
        return [
            ProductChangeRow(
                product_id=strawberry.ID(str(row.product_id)),
                name=row.name,
                before=ProductState.of(row.before),
                after=ProductState.of(row.after),
                raises_price=row.raises_price(now),
                problem=row.problem or None,
            )
            for row in ordered[: page_size(first)]
        ]

    @classmethod
    def of(cls, preview: bulk.BulkChangePreview) -> "ProductsPreview":
        """From the service's preview."""
        changing = len(preview.changing)
        return cls(
            token=preview.token,
            changing=changing,
            unchanged=preview.unchanged,
            refused=len(preview.rows) - changing,
            whole=preview,
        )


ProductsPreviewResult = Annotated[
    ProductsPreview | InvalidInput,
    strawberry.union("ProductsPreviewResult", description="What a change would do, or why it makes no sense."),
]


@strawberry.type(description="The change is done, as it was shown.")
class ProductsUpdated:
    count: int = strawberry.field(description="Products that changed.")


@strawberry.type(description="Something changed after the preview; nothing is done.")
class PreviewOutdated(UserError):
    preview: ProductsPreview = strawberry.field(description="What the change would do now.")


UpdateProductsResult = Annotated[
    ProductsUpdated | PreviewOutdated | InvalidInput,
    strawberry.union("UpdateProductsResult", description="What became of a change for many products."),
]
Selected = Annotated[ProductSelection, strawberry.argument(description="Which products.")]
Changed = Annotated[ProductsChange, strawberry.argument(description="What to do to each.")]


@strawberry.type
class BulkChangeAdminFields:
    """The preview of a bulk change."""

    @strawberry.field(
        description="What a change would do to the selected products. Nothing is changed.",
        permission_classes=[AdminOnly],
    )
    async def products_preview(self, info: Info, selection: Selected, change: Changed) -> ProductsPreviewResult:
        try:
            products = selection.selection(await listing.categories(info.context))
            async with reading(info.context) as session:
                preview = await bulk.preview(session, products, change.change())
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return ProductsPreview.of(preview)


@strawberry.type
class BulkChangeMutations:
    """Applying a bulk change."""

    @strawberry.mutation(
        description="Does what `admin.productsPreview` showed, or nothing when it would be something else by now.",
        permission_classes=[AdminOnly],
    )
    async def update_products(
        self,
        info: Info,
        selection: Selected,
        change: Changed,
        token: Annotated[str, strawberry.argument(description="The preview's token.")],
    ) -> UpdateProductsResult:
        viewer = info.context.signed_in
        if isinstance(change.retired, bool):
            Access.PRIMARY_ADMIN.check(viewer)
        try:
            products, what = selection.selection(await listing.categories(info.context)), change.change()
            async with transaction(info.context) as session:
                ids = await bulk.apply(session, products, what, token, actor=viewer)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        except ChangedMeanwhile as error:
            async with reading(info.context) as session:
                fresh = await bulk.preview(session, products, what)
            return PreviewOutdated(message=str(error), preview=ProductsPreview.of(fresh))
        await listing.after_change(info.context)
        return ProductsUpdated(count=len(ids))
