"""Manual stock changes, each with its reason."""

from collections.abc import Sequence
from typing import Literal, NamedTuple
from uuid import UUID

from sqlalchemy import ARRAY, Integer, Uuid, any_, func, literal, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.catalog import service as catalog
from server.catalog import stock
from server.catalog.drafts import MOST_STOCK
from server.catalog.models import Variant
from server.catalog.stock import StockMove
from server.inventory.errors import NotEnoughStock
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.text import trimmed
from server.platform.core.viewer import Viewer

MOST_CHANGES = 100
LONGEST_NOTE = 500

ByHand = Literal["received", "counted", "damaged", "adjustment"]


class StockAdjustment(NamedTuple):
    """Either a relative change (`by`), or the new stock (`to`)."""

    variant_id: UUID
    by: int | None = None
    to: int | None = None


async def adjust(
    session: AsyncSession, changes: Sequence[StockAdjustment], reason: ByHand, note: str, actor: Viewer
) -> None:
    """Applies all changes or none; back-in-stock alerts are mailed.

    Items reserved by open checkouts are not available. Raises InvalidInput, NotFound, or NotEnoughStock.
    """
    _check(changes)
    note = trimmed(note, "note", LONGEST_NOTE)
    by_variant = {change.variant_id: change for change in changes}
    ids = any_(literal(list(by_variant), ARRAY(Uuid())))
    locked = select(Variant.id, Variant.sku, Variant.stock).where(Variant.id == ids).order_by(Variant.id)
    rows = (await session.execute(locked.with_for_update(key_share=True))).all()
    if len(rows) < len(by_variant):
        raise NotFound("This item")
    after = {row.id: _after(row.sku, row.stock, by_variant[row.id]) for row in rows}
    moves = [StockMove(row.id, after[row.id] - row.stock) for row in rows if after[row.id] != row.stock]
    await put(session, moves)
    await stock.record(session, moves, reason, note=note, actor=actor)
    await catalog.announce_restock(session, [row.id for row in rows if row.stock == 0 < after[row.id]])
    for row in rows:
        if after[row.id] != row.stock:
            subject = audit.AuditSubject("variant", row.id, row.sku)
            new = {"stock": after[row.id], "reason": reason, **({"note": note} if note else {})}
            await audit.record(session, actor, "stock adjusted", subject, before={"stock": row.stock}, after=new)


async def put(session: AsyncSession, moves: Sequence[StockMove]) -> None:
    """Changes the stock of variants that the caller has locked, in one statement, and writes the ledger."""
    if not moves:
        return
    values = func.unnest(
        literal([move.variant_id for move in moves], ARRAY(Uuid())),
        literal([move.quantity for move in moves], ARRAY(Integer())),
    ).table_valued("id", "quantity")
    places = values.render_derived(name="moves")
    more = update(Variant).where(Variant.id == places.c.id).values(stock=Variant.stock + places.c.quantity)
    await session.execute(more.execution_options(synchronize_session=False))


def _check(changes: Sequence[StockAdjustment]) -> None:
    """Raises InvalidInput."""
    if not 1 <= len(changes) <= MOST_CHANGES:
        raise InvalidInput({"changes": f"1 to {MOST_CHANGES} items at once"})
    if len({change.variant_id for change in changes}) < len(changes):
        raise InvalidInput({"changes": "An item is named twice"})
    for change in changes:
        if (change.by is None) == (change.to is None):
            raise InvalidInput({"changes": "Say either by how many pieces, or to how many"})
        if not -MOST_STOCK <= (change.by or 0) <= MOST_STOCK or not 0 <= (change.to or 0) <= MOST_STOCK:
            raise InvalidInput({"changes": f"From 0 to {MOST_STOCK:,} pieces"})


def _after(sku: str, before: int, change: StockAdjustment) -> int:
    """The new stock. Raises NotEnoughStock or InvalidInput."""
    after = before + change.by if change.by is not None else change.to or 0
    if after < 0:
        raise NotEnoughStock(sku, before)
    if after > MOST_STOCK:
        raise InvalidInput({"changes": f"At most {MOST_STOCK:,} pieces of an item"})
    return after
