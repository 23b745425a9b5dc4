"""Inventory in the GraphQL schema, for admins only."""

from collections.abc import Sequence
from datetime import datetime
from enum import Enum
from typing import Annotated, cast
from uuid import UUID

import strawberry

from server.catalog import listing
from server.catalog.admin.editor import AdjustmentReason
from server.catalog.graphql import Gender, Size
from server.core import errors as refusals
from server.core.context import reading, transaction
from server.core.cursors import decode_cursor, integer_key, page_size
from server.core.text import parse_id
from server.gql.pagination import After, Connection, First
from server.gql.permissions import AdminOnly
from server.gql.types import Info, InvalidInput, UserError, enum_value
from server.inventory import errors, imports, models, queries, service
from server.media.graphql import Image
from server.shop import service as shop

_SIZES = {size.value: size for size in Size}


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
_SORTS = {sort.value: sort for sort in queries.StockLevelSort}


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
            size=_SIZES[item.size],
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


@strawberry.enum(description="How far an import has come.")
class ImportState(Enum):
    CHECKING = enum_value("checking", "Being looked at.")
    REFUSED = enum_value("refused", "It has problems; nothing has changed.")
    READY = enum_value("ready", "Nothing is wrong with it; it waits to be started.")
    RUNNING = enum_value("running", "Being done. Until it is done, nothing has changed.")
    DONE = enum_value("done", "All of it is done.")
    DISCARDED = enum_value("discarded", "Somebody decided against it, or nobody started it for two days.")


@strawberry.type(description="Something that is wrong in one cell of a file.")
class ImportProblem:
    row: int = strawberry.field(description="As a spreadsheet counts; the header is row 1.")
    line: int = strawberry.field(description="Line of the text file on which that row begins.")
    column: str = strawberry.field(description='Name of the column: "price"; empty when it is about the whole row.')
    cell: str = strawberry.field(description='As a spreadsheet names it: "H12".')
    value: str = strawberry.field(description="What stands there, its first 200 characters.")
    message: str = strawberry.field(description="Words for the person, ready to show.")


@strawberry.type(description="Something that an import changes.")
class ImportChange:
    row: int = strawberry.field(description="As a spreadsheet counts; the header is row 1.")
    sku: str = strawberry.field(description="The row's SKU.")
    name: str = strawberry.field(description="What the product is called now.")
    column: str = strawberry.field(description='What changes: "price".')
    before: str | None = strawberry.field(description="As it is; null for something new.")
    after: str = strawberry.field(description="As it will be.")


@strawberry.type(description="An import in numbers.")
class ImportSummary:
    new_products: int = strawberry.field(description="Products to be made; only the primary admin may start it then.")
    hidden_products: int = strawberry.field(description="Of those, without a picture: they come in retired.")
    new_variants: int = strawberry.field(description="Variants to be made.")
    changed_products: int = strawberry.field(description="Products of which more than stock changes.")
    changed_prices: int = strawberry.field(description="Products whose price or discounted price changes.")
    changed_stock: int = strawberry.field(description="Variants whose stock changes.")
    pieces_added: int = strawberry.field(description="Pieces that come.")
    pieces_removed: int = strawberry.field(description="Pieces that go.")
    unchanged_rows: int = strawberry.field(description="Rows that say what is so already.")
    changes: int = strawberry.field(description="Changes in all.")


@strawberry.type(description="A CSV file that was brought to change products and stock.")
class Import:
    id: strawberry.ID = strawberry.field(description="As `POST /uploads/products` answered it.")
    file_name: str = strawberry.field(description="As the sender called it.")
    created_at: datetime = strawberry.field(description="When it was brought.")
    actor: str = strawberry.field(description="E-mail of who brought it.")
    state: ImportState = strawberry.field(description="How far it has come.")
    rows: int = strawberry.field(description="Rows without the header.")
    rows_done: int = strawberry.field(description="How many of them are worked through, while it runs.")
    problem_count: int = strawberry.field(description="Problems in all.")
    problems: list[ImportProblem] = strawberry.field(description="The first 500, in the order of the file.")
    summary: ImportSummary | None = strawberry.field(description="Null until it has been looked at.")
    changes: list[ImportChange] = strawberry.field(description="The first 500, in the order of the file.")
    finished_at: datetime | None = strawberry.field(description="When it was done, refused or discarded.")

    @classmethod
    def of(cls, row: models.Import) -> "Import":
        """From the row of an import."""
        return cls(
            id=strawberry.ID(str(row.id)),
            file_name=row.file_name,
            created_at=row.created_at,
            actor=row.actor_email,
            state=_STATES[row.state],
            rows=row.rows,
            rows_done=row.rows_done,
            problem_count=row.problem_count,
            problems=[ImportProblem(**each) for each in row.problems],
            summary=ImportSummary(**row.summary) if row.summary else None,
            changes=[ImportChange(**each) for each in row.changes],
            finished_at=row.finished_at,
        )


_STATES = {state.value: state for state in ImportState}


@strawberry.input(description="Narrows stock levels. Members combine with and; what is left out narrows nothing.")
class StockFilter:
    search: str | None = strawberry.field(
        default=None, description="Part of a product's name, or the beginning of a SKU."
    )
    level: StockLevelKind = strawberry.field(default=StockLevelKind.ALL, description="How much is left.")
    gender: Gender | None = strawberry.field(default=None, description="Whom it is cut for.")
    include_retired: bool = strawberry.field(default=False, description="Products that are no longer sold, too.")


@strawberry.input(description="Narrows the stock ledger. Members combine with and; what is left out narrows nothing.")
class StockMovementFilter:
    variant_id: strawberry.ID | None = strawberry.field(default=None, description="One variant's history.")
    reasons: list[StockReason] | None = strawberry.field(default=None, description="Any of these.")
    search: str | None = strawberry.field(
        default=None, description="An order's number (\"M-10012\"), part of a product's name, or a SKU's beginning."
    )


@strawberry.type
class InventoryAdminFields:
    """Inventory's fields of the back office."""

    @strawberry.field(
        description="How many pieces there are of every variant.",
        permission_classes=[AdminOnly],
    )
    async def stock(
        self,
        info: Info,
        filter: Annotated[StockFilter | None, strawberry.argument(description="Which; all when left out.")] = None,
        sort: Annotated[StockSort, strawberry.argument(description="In which order.")] = StockSort.SKU,
        first: First = 50,
        after: After = None,
    ) -> Connection[StockLevel]:
        threshold = (await shop.current(info.context)).low_stock_threshold
        first, wanted = page_size(first), _wanted(filter or StockFilter(), threshold)
        place = decode_cursor(after, integer_key(bits=32), str)
        async with reading(info.context) as session:
            found = await queries.levels(session, wanted, _SORTS[sort.value], first + 1, place)
            total = await queries.count_levels(session, wanted)
        nodes = [StockLevel.of(level, threshold) for level in found[:first]]
        places = [(node.stock, node.item.sku) for node in nodes]
        return Connection.of(nodes, places, has_next=len(found) > first, has_previous=place is not None, total=total)

    @strawberry.field(
        description="How many pieces there are of one variant. A made-up id is a NOT_FOUND error.",
        permission_classes=[AdminOnly],
    )
    async def stock_level(
        self, info: Info, variant_id: Annotated[strawberry.ID, strawberry.argument(description="The variant's id.")]
    ) -> StockLevel:
        [level] = await _levels(info, [parse_id(variant_id, "This item")])
        return level

    @strawberry.field(
        description="The stock ledger, newest first: every piece that came or went. With `variantId` it explains that "
        "variant's number from its opening to today.",
        permission_classes=[AdminOnly],
    )
    async def stock_movements(
        self,
        info: Info,
        filter: Annotated[
            StockMovementFilter | None, strawberry.argument(description="Which; all when left out.")
        ] = None,
        first: First = 50,
        after: After = None,
    ) -> Connection[StockMovement]:
        first, told = page_size(first), _told(filter or StockMovementFilter())
        place = decode_cursor(after, UUID)
        async with reading(info.context) as session:
            found = await queries.movements(session, told, first + 1, place[0] if place else None)
            total = await queries.count_movements(session, told)
        nodes = [StockMovement.of(movement) for movement in found[:first]]
        places = [(node.id,) for node in nodes]
        return Connection.of(nodes, places, has_next=len(found) > first, has_previous=place is not None, total=total)

    @strawberry.field(
        description="What open checkouts hold, the longest held first.",
        permission_classes=[AdminOnly],
    )
    async def stock_reservations(
        self,
        info: Info,
        search: Annotated[
            str | None, strawberry.argument(description="Part of an e-mail or name, or a SKU's beginning.")
        ] = None,
        first: First = 50,
        after: After = None,
    ) -> Connection[StockReservation]:
        first, words = page_size(first), search or ""
        place = decode_cursor(after, UUID, UUID)
        async with reading(info.context) as session:
            found = await queries.reservations(session, words, first + 1, place)
            total = await queries.count_reservations(session, words)
        nodes = [StockReservation.of(held) for held in found[:first]]
        places = [tuple(node.id.split(".")) for node in nodes]
        return Connection.of(nodes, places, has_next=len(found) > first, has_previous=place is not None, total=total)

    @strawberry.field(
        description="Files that were brought to change products and stock, newest first.",
        permission_classes=[AdminOnly],
    )
    async def imports(self, info: Info, first: First = 20, after: After = None) -> Connection[Import]:
        first, place = page_size(first), decode_cursor(after, UUID)
        async with reading(info.context) as session:
            found = await imports.page(session, first + 1, place[0] if place else None)
            total = await imports.count(session)
        nodes = [Import.of(row) for row in found[:first]]
        places = [(node.id,) for node in nodes]
        return Connection.of(nodes, places, has_next=len(found) > first, has_previous=place is not None, total=total)

    @strawberry.field(
        name="import",
        description="One file; ask again while it is CHECKING or RUNNING. A made-up id is a NOT_FOUND error.",
        permission_classes=[AdminOnly],
    )
    async def one_import(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="The import's id.")]
    ) -> Import:
        return await _import(info, parse_id(id, "This import"))

    @strawberry.field(description="The stockroom in four numbers.", permission_classes=[AdminOnly])
    async def stock_summary(self, info: Info) -> StockSummary:
        threshold = (await shop.current(info.context)).low_stock_threshold
        async with reading(info.context) as session:
            counted = await queries.counts(session, threshold)
        return StockSummary(threshold=threshold, low=counted.low, sold_out=counted.sold_out, reserved=counted.reserved)


@strawberry.input(description="A change of one variant's stock: either `by` or `to`.")
class StockChange:
    variant_id: strawberry.ID = strawberry.field(description="The variant's id.")
    by: int | None = strawberry.field(default=None, description="So many pieces more, or with a minus less.")
    to: int | None = strawberry.field(
        default=None, description="Exactly so many that can be bought, beside what open checkouts hold."
    )


@strawberry.type(description="Stock has changed.")
class StockAdjusted:
    levels: list[StockLevel] = strawberry.field(description="The changed variants, in the order they were given.")


@strawberry.type(description="Fewer pieces can be taken: the rest is not there, or open checkouts hold it.")
class NotEnoughStock(UserError):
    free: int = strawberry.field(default=0, description="Pieces that can be taken.")


@strawberry.type(description="An import is not in the state that this needs; look at it again.")
class ImportNotReady(UserError): ...


ImportResult = Annotated[
    Import | ImportNotReady,
    strawberry.union("ImportResult", description="The import, or why nothing has happened to it."),
]
AdjustStockResult = Annotated[
    StockAdjusted | NotEnoughStock | InvalidInput,
    strawberry.union("AdjustStockResult", description="The new levels, or why nothing has changed."),
]


@strawberry.type
class InventoryMutations:
    """Stock corrections and imports."""

    @strawberry.mutation(
        description="Changes stock by hand, all of it or nothing. Each variant gets a row in the ledger and one in the "
        "audit log; people who wait for a sold-out one are written to. A made-up id is a NOT_FOUND error.",
        permission_classes=[AdminOnly],
    )
    async def adjust_stock(
        self,
        info: Info,
        changes: Annotated[list[StockChange], strawberry.argument(description="1 to 100, each variant once.")],
        reason: Annotated[AdjustmentReason, strawberry.argument(description="Why.")],
        note: Annotated[str, strawberry.argument(description="What else there is to say, up to 500 characters.")] = "",
    ) -> AdjustStockResult:
        wanted = [service.StockAdjustment(parse_id(each.variant_id, "This item"), each.by, each.to) for each in changes]
        try:
            async with transaction(info.context) as session:
                await service.adjust(session, wanted, cast(service.ByHand, reason.value), note, info.context.signed_in)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        except errors.NotEnoughStock as error:
            return NotEnoughStock(message=str(error), free=error.free)
        await listing.after_change(info.context)
        return StockAdjusted(levels=await _levels(info, [change.variant_id for change in wanted]))

    @strawberry.mutation(
        description="Lets an import that is READY be done; ask `admin { import }` how far it has come. Starting one "
        "that runs changes nothing. One that makes new products is the primary admin's: a FORBIDDEN error otherwise.",
        permission_classes=[AdminOnly],
    )
    async def start_import(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="The import's id.")]
    ) -> ImportResult:
        import_id = parse_id(id, "This import")
        try:
            async with transaction(info.context) as session:
                await imports.start(session, import_id, info.context.signed_in)
        except errors.ImportNotReady as error:
            return ImportNotReady(message=str(error))
        return await _import(info, import_id)

    @strawberry.mutation(
        description="Forgets the file of an import that is not to be done. One that is RUNNING is ended, and nothing "
        "of it holds; one that is DONE cannot be discarded.",
        permission_classes=[AdminOnly],
    )
    async def discard_import(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="The import's id.")]
    ) -> ImportResult:
        import_id = parse_id(id, "This import")
        try:
            async with transaction(info.context) as session:
                await imports.discard(session, import_id)
        except errors.ImportNotReady as error:
            return ImportNotReady(message=str(error))
        return await _import(info, import_id)


async def _import(info: Info, import_id: UUID) -> Import:
    """Raises NotFound."""
    async with reading(info.context) as session:
        return Import.of(await imports.one(session, import_id))


async def _levels(info: Info, ids: Sequence[UUID]) -> list[StockLevel]:
    """In the given order. Raises NotFound."""
    threshold = (await shop.current(info.context)).low_stock_threshold
    async with reading(info.context) as session:
        found = await queries.levels_by_id(session, ids)
    if len(found) < len(set(ids)):
        raise refusals.NotFound("This item")
    return [StockLevel.of(found[each], threshold) for each in ids]


def _wanted(filter: StockFilter, threshold: int) -> queries.StockLevelFilter:
    at_most = {StockLevelKind.ALL: None, StockLevelKind.LOW: threshold, StockLevelKind.SOLD_OUT: 0}[filter.level]
    return queries.StockLevelFilter(
        search=filter.search or "",
        at_most=at_most,
        gender=filter.gender.value if filter.gender else None,
        include_retired=filter.include_retired,
    )


def _told(filter: StockMovementFilter) -> queries.MovementFilter:
    return queries.MovementFilter(
        variant_id=parse_id(filter.variant_id, "This item") if filter.variant_id else None,
        reasons=[reason.value for reason in filter.reasons or ()],
        search=filter.search or "",
    )
