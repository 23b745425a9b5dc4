"""Inventory in the GraphQL schema, for admins only."""

from collections.abc import Sequence
from typing import Annotated, cast
from uuid import UUID

import strawberry

from server.catalog import listing
from server.catalog.admin.editor import AdjustmentReason
from server.inventory import errors, imports, queries, service
from server.inventory.import_types import Import
from server.inventory.types import (
    SORTS,
    StockFilter,
    StockLevel,
    StockMovement,
    StockMovementFilter,
    StockReservation,
    StockSort,
    StockSummary,
    level_filter,
    movement_filter,
)
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.cursors import decode_cursor, integer_key
from server.platform.core.text import parse_id
from server.platform.gql.pagination import After, Connection, First, connection
from server.platform.gql.permissions import AdminOnly
from server.platform.gql.types import Info, InvalidInput, UserError
from server.shop import service as shop


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
        criteria = level_filter(filter or StockFilter(), await listing.categories(info.context), threshold)
        return await connection(
            info,
            first,
            decode_cursor(after, integer_key(bits=32), str),
            lambda session, limit, place: queries.levels(session, criteria, SORTS[sort.value], limit, place),
            lambda session: queries.count_levels(session, criteria),
            node=lambda level: StockLevel.of(level, threshold),
            place=lambda level: (level.stock, level.item.sku),
        )

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
        criteria = movement_filter(filter or StockMovementFilter())
        return await connection(
            info,
            first,
            decode_cursor(after, UUID),
            lambda session, limit, place: queries.movements(session, criteria, limit, place and place[0]),
            lambda session: queries.count_movements(session, criteria),
            node=StockMovement.of,
            place=lambda movement: (movement.id,),
        )

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
        return await connection(
            info,
            first,
            decode_cursor(after, UUID, UUID),
            lambda session, limit, place: queries.reservations(session, search or "", limit, place),
            lambda session: queries.count_reservations(session, search or ""),
            node=StockReservation.of,
            place=lambda held: (held.checkout_id, held.item.variant_id),
        )

    @strawberry.field(
        description="Files that were brought to change products and stock, newest first.",
        permission_classes=[AdminOnly],
    )
    async def imports(self, info: Info, first: First = 20, after: After = None) -> Connection[Import]:
        return await connection(
            info,
            first,
            decode_cursor(after, UUID),
            lambda session, limit, place: imports.page(session, limit, place and place[0]),
            imports.count,
            node=Import.of,
            place=lambda row: (row.id,),
        )

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
        adjustments = [
            service.StockAdjustment(parse_id(each.variant_id, "This item"), each.by, each.to) for each in changes
        ]
        try:
            async with transaction(info.context) as session:
                await service.adjust(
                    session, adjustments, cast(service.ByHand, reason.value), note, info.context.signed_in
                )
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        except errors.NotEnoughStock as error:
            return NotEnoughStock(message=str(error), free=error.free)
        await listing.after_change(info.context)
        return StockAdjusted(levels=await _levels(info, [change.variant_id for change in adjustments]))

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
    async def cancel_import(
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
        levels = await queries.levels_by_id(session, ids)
    if len(levels) < len(set(ids)):
        raise refusals.NotFound("This item")
    return [StockLevel.of(levels[each], threshold) for each in ids]
