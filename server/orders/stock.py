"""Taking stock and giving it back: the statements that decide who gets the last piece."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession


@dataclass(frozen=True)
class Wanted:
    """Pieces of one variant to be held, with the copy that the order will keep."""

    variant_id: UUID
    product_id: UUID
    position: int
    quantity: int
    unit_price_cents: int
    list_price_cents: int
    name: str
    color: str
    size: str
    sku: str
    image_id: UUID | None


@dataclass(frozen=True)
class Purchase:
    """What a checkout row says beyond its lines."""

    user_id: UUID
    email: str
    fingerprint: str
    total_cents: int
    currency: str
    shipping_address: dict[str, Any]
    expires_at: datetime
    check_at: datetime


@dataclass(frozen=True)
class Short:
    """A variant of which there is not enough."""

    variant_id: UUID
    available: int


# The rows are locked in the order of their ids, so that two shoppers who want the same things wait for each other
# instead of deadlocking; a lock that had to wait hands over the stock as it is then, not as it was. Nothing is
# written unless every line can be had. What the replaced checkout held counts as there.
_RESERVE = text(
    """
    WITH wanted AS (
        SELECT * FROM jsonb_to_recordset(CAST(:lines AS jsonb)) AS line (
            variant_id uuid, product_id uuid, position int, quantity int, unit_price_cents bigint,
            list_price_cents bigint, name text, color text, size text, sku text, image_id uuid
        )
    ),
    held AS (SELECT variant_id, quantity FROM checkout_lines WHERE checkout_id = CAST(:replaced AS uuid)),
    moved AS (
        SELECT variant_id, coalesce(wanted.quantity, 0) AS wanted, coalesce(held.quantity, 0) AS held
        FROM wanted FULL JOIN held USING (variant_id)
    ),
    locked AS (
        SELECT variants.id, variants.stock + moved.held AS available, moved.wanted, moved.held
        FROM variants JOIN moved ON moved.variant_id = variants.id
        ORDER BY variants.id
        FOR NO KEY UPDATE OF variants
    ),
    verdict AS (
        SELECT count(*) FILTER (WHERE wanted BETWEEN 1 AND available) = (SELECT count(*) FROM wanted) AS granted
        FROM locked
    ),
    taken AS (
        UPDATE variants SET stock = variants.stock + locked.held - locked.wanted
        FROM locked, verdict
        WHERE variants.id = locked.id AND verdict.granted
    ),
    made AS (
        INSERT INTO checkouts (
            user_id, email, fingerprint, total_cents, currency, shipping_address, expires_at, check_at
        )
        SELECT CAST(:user_id AS uuid), CAST(:email AS text), CAST(:fingerprint AS text), CAST(:total_cents AS bigint),
            CAST(:currency AS text), CAST(:shipping_address AS jsonb), CAST(:expires_at AS timestamptz),
            CAST(:check_at AS timestamptz)
        FROM verdict WHERE granted
        RETURNING id
    ),
    copied AS (
        INSERT INTO checkout_lines (
            checkout_id, variant_id, product_id, position, quantity, unit_price_cents, list_price_cents,
            name, color, size, sku, image_id
        )
        SELECT made.id, variant_id, product_id, position, quantity, unit_price_cents, list_price_cents,
            name, color, size, sku, image_id
        FROM made, wanted
    )
    SELECT wanted.variant_id, locked.available, (SELECT id FROM made) AS checkout_id
    FROM wanted LEFT JOIN locked ON locked.id = wanted.variant_id
    WHERE (SELECT granted FROM verdict) OR locked.available IS NULL OR locked.available < wanted.quantity
    """
)

_MOVE = """
    WITH moved AS (SELECT variant_id, quantity FROM checkout_lines WHERE checkout_id = :checkout),
    locked AS (
        SELECT variants.id, variants.stock, moved.quantity
        FROM variants JOIN moved ON moved.variant_id = variants.id
        ORDER BY variants.id
        FOR NO KEY UPDATE OF variants
    )
"""

_GIVE_BACK = text(
    f"""
    {_MOVE}
    UPDATE variants SET stock = variants.stock + locked.quantity FROM locked WHERE variants.id = locked.id
    """  # noqa: S608
)

_PUT_BACK = text(
    """
    WITH moved AS (
        SELECT variant_id, sum(quantity)::int AS quantity FROM order_lines
        WHERE order_id = :order AND variant_id IS NOT NULL GROUP BY variant_id
    ),
    locked AS (
        SELECT variants.id, moved.quantity
        FROM variants JOIN moved ON moved.variant_id = variants.id
        ORDER BY variants.id
        FOR NO KEY UPDATE OF variants
    )
    UPDATE variants SET stock = variants.stock + locked.quantity FROM locked WHERE variants.id = locked.id
    """
)

_TAKE_AGAIN = text(
    f"""
    {_MOVE},
    verdict AS (
        SELECT count(*) FILTER (WHERE quantity <= stock) = (SELECT count(*) FROM moved) AS granted FROM locked
    ),
    taken AS (
        UPDATE variants SET stock = variants.stock - locked.quantity
        FROM locked, verdict
        WHERE variants.id = locked.id AND verdict.granted
    )
    SELECT granted FROM verdict
    """  # noqa: S608
)


async def reserve(
    session: AsyncSession, purchase: Purchase, lines: Sequence[Wanted], *, replaced: UUID | None = None
) -> UUID | list[Short]:
    """Takes the stock of every line and makes the checkout, or does nothing and says which lines are short.

    One statement. Pieces that the `replaced` checkout holds move to the new one or back into stock; the caller has
    closed that checkout in this transaction.
    """
    facts = {**asdict(purchase), "shipping_address": orjson.dumps(purchase.shipping_address).decode()}
    copies = orjson.dumps([asdict(line) for line in lines], default=str).decode()
    rows = (await session.execute(_RESERVE, {**facts, "lines": copies, "replaced": replaced})).all()
    made: UUID | None = next((row.checkout_id for row in rows), None)
    if made is not None:
        return made
    return [Short(row.variant_id, row.available or 0) for row in rows]


async def give_back(session: AsyncSession, checkout_id: UUID) -> None:
    """Puts a checkout's pieces back into stock; the caller sees to it that this happens once."""
    await session.execute(_GIVE_BACK, {"checkout": checkout_id})


async def put_back(session: AsyncSession, order_id: UUID) -> None:
    """Puts an order's pieces back into stock; the caller sees to it that this happens once."""
    await session.execute(_PUT_BACK, {"order": order_id})


async def take_again(session: AsyncSession, checkout_id: UUID) -> bool:
    """Takes a released checkout's pieces once more; False, and nothing taken, when they are gone."""
    return bool(await session.scalar(_TAKE_AGAIN, {"checkout": checkout_id}))
