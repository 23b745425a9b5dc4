"""The stock ledger: every change of stock, with its reason."""

from collections.abc import Sequence
from typing import Literal, NamedTuple
from uuid import UUID

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import StockMovement
from server.platform.core.viewer import Viewer

Reason = Literal[
    "opening", "sale", "cancellation", "refund", "return", "received", "counted", "damaged", "adjustment", "import"
]


class StockMove(NamedTuple):
    """A change of one variant's stock: above 0 it increases."""

    variant_id: UUID
    quantity: int


async def record(
    session: AsyncSession,
    moves: Sequence[StockMove],
    reason: Reason,
    *,
    order_id: UUID | None = None,
    note: str = "",
    actor: Viewer | None = None,
) -> None:
    """Writes to the ledger what the caller has changed in `variants.stock` in the same transaction, its rows locked.

    Moves of 0 are left out. Without `actor` the shop itself made the change.
    """
    common = {
        "reason": reason,
        "order_id": order_id,
        "note": note,
        "actor_id": actor.user_id if actor else None,
        "actor_email": actor.email if actor else "",
    }
    rows = [{**move._asdict(), **common} for move in moves if move.quantity]
    if rows:
        await session.execute(insert(StockMovement), rows)
