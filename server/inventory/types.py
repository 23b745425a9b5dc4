"""Stock levels, movements and reservations in the GraphQL schema, and their filters."""

from datetime import datetime
from enum import Enum

import strawberry

from server.catalog.categories import Categories
from server.catalog.connections import checked
from server.catalog.types import Size
from server.inventory import queries
from server.media.graphql import Image
from server.platform.core.text import parse_id
from server.platform.gql.types import enum_value


@strawberry.enum(description="Why pieces came or went.")
class StockReason(Enum):
    OPENING = enum_value("opening", "What was there when the ledger, or the item, began.")
    SALE = enum_value("sale", "Paid for.")
    CANCELLATION = enum_value("cancellation", "The order was called off before it was sent.")
    REFUND = enum_value("refund", "Paid back, and put back on the shelf.")
    RETURN = enum_value("return", "Sent back by the buyer.")
    RECEIVED = enum_value("received", "A delivery came in.")
    COUNTED = enum_value("counted", "Somebody counted, and it was another number.")
    DAMAGED = enum_value("damaged", "Not fit to be sold.")
    ADJUSTMENT = enum_value("adjustment", "Anything else that a person decided.")
    IMPORT = enum_value("import", "A CSV file said so.")


@strawberry.enum(description="How much is left of an item.")
class StockLevelKind(Enum):
    ALL = enum_value("all", "Any number.")
    LOW = enum_value("low", "At most `stockSummary.threshold`, none included.")
    SOLD_OUT = enum_value("sold_out", "None.")


@strawberry.enum(description="Order of stock levels; the SKU decides among equals.")
class StockSort(Enum):
    SKU = enum_value("sku", "By SKU.")
    LEAST = enum_value("least", "What is nearly gone first.")
    MOST = enum_value("most", "What there is most of first.")


_REASONS = {reason.value: reason for reason in StockReason}
SORTS = {sort.value: sort for sort in queries.StockLevelSort}


@strawberry.type(description="A variant, in words.")
class StockItem:
    id: strawberry.ID = strawberry.field(description="The variant's id.")
    product_id: strawberry.ID = strawberry.field(description="Its product's id.")
    name: str = strawberry.field(description='The product\'s name: "Oxford Shirt".')
    color: str = strawberry.field(description='In the product\'s own words: "Indigo".')
    hex: str = strawberry.field(description="The color as six digits with #.")
    size: Size = strawberry.field(description="Its size.")
    sku: str = strawberry.field(description="Stock-keeping unit, as the label says.")
    is_retired: bool = strawberry.field(description="Whether the product is no longer sold.")

    @classmethod
    def of(cls, item: queries.StockedVariant) -> "StockItem":
        """From the query's row."""
        return cls(
            id=strawberry.ID(str(item.variant_id)),
            product_id=strawberry.ID(str(item.product_id)),
            name=item.name,
            color=item.color,
            hex=item.hex,
            size=Size(item.size),
            sku=item.sku,
            is_retired=item.is_retired,
        )


@strawberry.type(description="How many pieces there are of a variant.")
class StockLevel:
    id: strawberry.ID = strawberry.field(description="The variant's id.")
    item: StockItem = strawberry.field(description="What it is.")
    stock: int = strawberry.field(description="Pieces that can be bought now.")
    reserved: int = strawberry.field(description="Pieces that open checkouts hold; they come on top of `stock`.")
    on_shelf: int = strawberry.field(description="Pieces that lie on the shelf: `stock` and `reserved`.")
    is_low: bool = strawberry.field(description="Whether `stock` is at most `stockSummary.threshold`.")
    image: Image | None = strawberry.field(description="Its color's first picture, or else the product's.")

    @classmethod
    def of(cls, level: queries.VariantStock, threshold: int) -> "StockLevel":
        """From the query's row; low at the threshold or below."""
        picture = level.picture
        return cls(
            id=strawberry.ID(str(level.item.variant_id)),
            item=StockItem.of(level.item),
            stock=level.stock,
            reserved=level.reserved,
            on_shelf=level.stock + level.reserved,
            is_low=level.stock <= threshold,
            image=(
                Image.of(str(picture.image_id), picture.width, picture.height, picture.placeholder, picture.alt)
                if picture
                else None
            ),
        )


@strawberry.type(description="A row of the stock ledger. Never changed, never deleted.")
class StockMovement:
    id: strawberry.ID = strawberry.field(description="Opaque; sorts by time.")
    at: datetime = strawberry.field(description="When it was written.")
    item: StockItem = strawberry.field(description="What came or went.")
    quantity: int = strawberry.field(description="Pieces: more than 0 came, less went.")
    balance: int = strawberry.field(
        description="Pieces on the shelf after it. What a checkout holds is still on the shelf until it is paid."
    )
    reason: StockReason = strawberry.field(description="Why they came or went.")
    note: str = strawberry.field(description="What the person who did it had to say; often empty.")
    order_id: strawberry.ID | None = strawberry.field(description="The order it belongs to, if any.")
    order_number: str | None = strawberry.field(description='That order as it is quoted: "M-10012".')
    actor: str | None = strawberry.field(description="E-mail of who did it; null when the shop did it by itself.")

    @classmethod
    def of(cls, movement: queries.LedgerEntry) -> "StockMovement":
        """From the query's row."""
        return cls(
            id=strawberry.ID(str(movement.id)),
            at=movement.at,
            item=StockItem.of(movement.item),
            quantity=movement.quantity,
            balance=movement.balance,
            reason=_REASONS[movement.reason],
            note=movement.note,
            order_id=strawberry.ID(str(movement.order_id)) if movement.order_id else None,
            order_number=movement.order_number,
            actor=movement.actor_email or None,
        )


@strawberry.type(description="Pieces of one variant that an open checkout holds.")
class StockReservation:
    id: strawberry.ID = strawberry.field(description="Opaque.")
    item: StockItem = strawberry.field(description="What is held.")
    quantity: int = strawberry.field(description="Pieces.")
    email: str = strawberry.field(description="Who holds them.")
    since: datetime = strawberry.field(description="When the checkout began.")
    until: datetime = strawberry.field(description="When they are given back unless they are paid for.")
    is_paid: bool = strawberry.field(description="The payment is confirmed, its money still on its way: no end is set.")

    @classmethod
    def of(cls, held: queries.OpenReservation) -> "StockReservation":
        """From the query's row."""
        return cls(
            id=strawberry.ID(f"{held.checkout_id}.{held.item.variant_id}"),
            item=StockItem.of(held.item),
            quantity=held.quantity,
            email=held.email,
            since=held.since,
            until=held.until,
            is_paid=held.is_paid,
        )


@strawberry.type(description="The stockroom in four numbers; retired products do not count.")
class StockSummary:
    threshold: int = strawberry.field(description="An item with this many pieces or fewer is low.")
    low: int = strawberry.field(description="Items that are low, sold out ones included.")
    sold_out: int = strawberry.field(description="Items of which nothing can be bought.")
    reserved: int = strawberry.field(description="Pieces that open checkouts hold.")


@strawberry.input(description="Narrows stock levels. Members combine with and; what is left out narrows nothing.")
class StockFilter:
    search: str | None = strawberry.field(
        default=None, description="Part of a product's name, or the beginning of a SKU."
    )
    level: StockLevelKind = strawberry.field(default=StockLevelKind.ALL, description="How much is left.")
    department: str | None = strawberry.field(default=None, description="Key of a department: `men`.")
    include_retired: bool = strawberry.field(default=False, description="Products that are no longer sold, too.")


@strawberry.input(description="Narrows the stock ledger. Members combine with and; what is left out narrows nothing.")
class StockMovementFilter:
    variant_id: strawberry.ID | None = strawberry.field(default=None, description="One variant's history.")
    reasons: list[StockReason] | None = strawberry.field(default=None, description="Any of these.")
    search: str | None = strawberry.field(
        default=None, description="An order's number (\"M-10012\"), part of a product's name, or a SKU's beginning."
    )


def level_filter(filter: StockFilter, categories: Categories, threshold: int) -> queries.StockLevelFilter:
    """The filter for the query; `threshold` is the shop's for low stock. Raises InvalidInput for an unknown key."""
    at_most = {StockLevelKind.ALL: None, StockLevelKind.LOW: threshold, StockLevelKind.SOLD_OUT: 0}[filter.level]
    return queries.StockLevelFilter(
        search=filter.search or "",
        at_most=at_most,
        gender=checked(categories.department_rule, filter.department),
        include_retired=filter.include_retired,
    )


def movement_filter(filter: StockMovementFilter) -> queries.MovementFilter:
    """The filter for the query."""
    return queries.MovementFilter(
        variant_id=parse_id(filter.variant_id, "This item") if filter.variant_id else None,
        reasons=[reason.value for reason in filter.reasons or ()],
        search=filter.search or "",
    )
