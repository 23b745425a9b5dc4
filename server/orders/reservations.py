"""Reserving and releasing stock, each by one statement; the SQL function `change_stock` decides who gets the last item.

A reservation writes nothing into the stock ledger; the order that follows does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.stock import Reason, StockMove
from server.platform.core.viewer import Viewer


@dataclass(frozen=True)
class ReservationLine:
    """Items of one variant to reserve, with the copy of its facts that the order will keep."""

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
    discount_cents: int = 0
    tax_cents: int = 0


@dataclass(frozen=True)
class NewCheckout:
    """The columns of a new checkout, without its lines."""

    user_id: UUID
    email: str
    fingerprint: str
    total_cents: int
    currency: str
    shipping_address: dict[str, Any]
    expires_at: datetime
    check_at: datetime
    discount_code: str | None = None
    discount_cents: int = 0
    shipping_cents: int = 0
    tax_cents: int = 0
    tax_included: bool = False
    tax_basis_points: int = 0
    tax_name: str = ""
    delivery_name: str = ""
    delivery_min_days: int | None = None
    delivery_max_days: int | None = None


@dataclass(frozen=True)
class Shortage:
    """A variant whose stock is too low; `available` items are left."""

    variant_id: UUID
    available: int


# `change_stock`, the catalogue's function, locks the variants and decides; nothing is written unless it grants every
# line. Stock reserved by the replaced checkout counts as available.
_RESERVE = text(
    """
    WITH wanted AS (
        SELECT * FROM jsonb_to_recordset(CAST(:lines AS jsonb)) AS line (
            variant_id uuid, product_id uuid, position int, quantity int, unit_price_cents bigint,
            list_price_cents bigint, discount_cents bigint, tax_cents bigint,
            name text, color text, size text, sku text, image_id uuid
        )
    ),
    held AS (SELECT variant_id, quantity FROM checkout_lines WHERE checkout_id = CAST(:replaced AS uuid)),
    moved AS (
        SELECT array_agg(variant_id) AS ids, array_agg(coalesce(wanted.quantity, 0)) AS taken,
            array_agg(coalesce(held.quantity, 0)) AS returned
        FROM wanted FULL JOIN held USING (variant_id)
    ),
    variant AS MATERIALIZED (SELECT changed.* FROM moved, change_stock(ids, taken, returned) AS changed),
    made AS (
        INSERT INTO checkouts (
            user_id, email, fingerprint, total_cents, currency, shipping_address, expires_at, check_at,
            discount_code, discount_cents, shipping_cents, tax_cents, tax_included, tax_basis_points, tax_name,
            delivery_name, delivery_min_days, delivery_max_days
        )
        SELECT CAST(:user_id AS uuid), CAST(:email AS text), CAST(:fingerprint AS text), CAST(:total_cents AS bigint),
            CAST(:currency AS text), CAST(:shipping_address AS jsonb), CAST(:expires_at AS timestamptz),
            CAST(:check_at AS timestamptz), CAST(:discount_code AS text), CAST(:discount_cents AS bigint),
            CAST(:shipping_cents AS bigint), CAST(:tax_cents AS bigint), CAST(:tax_included AS boolean),
            CAST(:tax_basis_points AS int), CAST(:tax_name AS text), CAST(:delivery_name AS text),
            CAST(:delivery_min_days AS int), CAST(:delivery_max_days AS int)
        WHERE (SELECT bool_and(granted) FROM variant)
        RETURNING id
    ),
    copied AS (
        INSERT INTO checkout_lines (
            checkout_id, variant_id, product_id, position, quantity, unit_price_cents, list_price_cents,
            discount_cents, tax_cents, name, color, size, sku, image_id
        )
        SELECT made.id, variant_id, product_id, position, quantity, unit_price_cents, list_price_cents,
            discount_cents, tax_cents, name, color, size, sku, image_id
        FROM made, wanted
    )
    SELECT wanted.variant_id, variant.available, (SELECT id FROM made) AS checkout_id
    FROM wanted LEFT JOIN variant USING (variant_id)
    WHERE variant.granted OR variant.available IS NULL OR variant.available < wanted.quantity
    """
)

_GIVE_BACK = text(
    """
    SELECT change_stock(array_agg(variant_id), array_agg(0), array_agg(quantity))
    FROM checkout_lines WHERE checkout_id = :checkout
    """
)

_TAKE_AGAIN = text(
    """
    SELECT coalesce(bool_and(changed.granted), false)
    FROM (
        SELECT array_agg(variant_id) AS ids, array_agg(quantity) AS taken, array_agg(0) AS returned
        FROM checkout_lines WHERE checkout_id = :checkout
    ) AS held, change_stock(held.ids, held.taken, held.returned) AS changed
    """
)

# The ledger's movements say what an order has already put back, less what was taken again, so no item is put back
# twice. Movements of the sale itself are not read: orders older than the ledger have none.
_PUT_BACK = text(
    """
    WITH asked AS (
        SELECT CAST(key AS uuid) AS line_id, CAST(value AS int) AS quantity
        FROM jsonb_each_text(CAST(:lines AS jsonb))
    ),
    sold AS (
        SELECT variant_id, sum(order_lines.quantity)::int AS sold,
            sum(coalesce(asked.quantity, 0))::int AS wanted
        FROM order_lines LEFT JOIN asked ON asked.line_id = order_lines.id
        WHERE order_id = :order AND variant_id IS NOT NULL GROUP BY variant_id
    ),
    back AS (
        SELECT variant_id, sum(quantity)::int AS quantity FROM stock_movements
        WHERE order_id = :order AND reason <> 'sale' GROUP BY variant_id
    ),
    due AS (
        SELECT variant_id, least(sold.wanted, sold.sold - coalesce(back.quantity, 0)) AS quantity
        FROM sold LEFT JOIN back USING (variant_id)
    ),
    moved AS (
        SELECT array_agg(variant_id) AS ids, array_agg(0) AS taken, array_agg(quantity) AS returned
        FROM due WHERE quantity > 0
    ),
    variant AS MATERIALIZED (SELECT changed.* FROM moved, change_stock(ids, taken, returned) AS changed)
    INSERT INTO stock_movements (variant_id, quantity, reason, order_id, actor_id, actor_email)
    SELECT variant_id, due.quantity, :reason, CAST(:order AS uuid), CAST(:actor_id AS uuid), :actor_email
    FROM variant JOIN due USING (variant_id)
    RETURNING variant_id, quantity
    """
)

_TAKE_LINES = text(
    """
    WITH asked AS (
        SELECT CAST(key AS uuid) AS line_id, CAST(value AS int) AS quantity
        FROM jsonb_each_text(CAST(:lines AS jsonb))
    ),
    due AS (
        SELECT variant_id, sum(asked.quantity)::int AS quantity
        FROM order_lines JOIN asked ON asked.line_id = order_lines.id
        WHERE order_id = :order AND variant_id IS NOT NULL GROUP BY variant_id
    ),
    moved AS (
        SELECT array_agg(variant_id) AS ids, array_agg(quantity) AS taken, array_agg(0) AS returned FROM due
    ),
    variant AS MATERIALIZED (SELECT changed.* FROM moved, change_stock(ids, taken, returned) AS changed)
    INSERT INTO stock_movements (variant_id, quantity, reason, order_id)
    SELECT variant_id, -due.quantity, :reason, CAST(:order AS uuid)
    FROM variant JOIN due USING (variant_id) WHERE granted
    RETURNING variant_id
    """
)

_SELL = text(
    """
    INSERT INTO stock_movements (variant_id, quantity, reason, order_id)
    SELECT variants.id, -checkout_lines.quantity, 'sale', CAST(:order AS uuid)
    FROM checkout_lines JOIN variants ON variants.id = checkout_lines.variant_id
    WHERE checkout_id = :checkout ORDER BY variants.id
    """
)


async def reserve(
    session: AsyncSession, purchase: NewCheckout, lines: Sequence[ReservationLine], *, replaced: UUID | None = None
) -> UUID | list[Shortage]:
    """Reserves the stock of every line and creates the checkout; or changes nothing and returns the shortages.

    One statement. Items that the `replaced` checkout reserves move to the new one or back into stock; the caller has
    closed that checkout in this transaction.
    """
    facts = {**asdict(purchase), "shipping_address": orjson.dumps(purchase.shipping_address).decode()}
    copies = orjson.dumps([asdict(line) for line in lines], default=str).decode()
    rows = (await session.execute(_RESERVE, {**facts, "lines": copies, "replaced": replaced})).all()
    checkout_id: UUID | None = next((row.checkout_id for row in rows), None)
    if checkout_id is not None:
        return checkout_id
    return [Shortage(row.variant_id, row.available or 0) for row in rows]


async def give_back(session: AsyncSession, checkout_id: UUID) -> None:
    """Puts a checkout's items back into stock; the caller makes sure that this happens once."""
    await session.execute(_GIVE_BACK, {"checkout": checkout_id})


async def sell(session: AsyncSession, checkout_id: UUID, order_id: UUID) -> None:
    """Records in the ledger that a checkout's items are sold; the caller makes sure that this happens once.

    Stock does not change: it decreased when the items were reserved.
    """
    await session.execute(_SELL, {"checkout": checkout_id, "order": order_id})


async def put_back_lines(
    session: AsyncSession,
    order_id: UUID,
    pieces: Mapping[UUID, int],
    reason: Reason,
    *,
    actor: Viewer | None = None,
) -> list[StockMove]:
    """Puts items of order lines back into stock. Returns the movement of each variant.

    Never more than the order still has. The caller has locked the order.
    """
    facts = {
        "order": order_id,
        "lines": orjson.dumps({str(line): quantity for line, quantity in pieces.items()}).decode(),
        "reason": reason,
        "actor_id": actor.user_id if actor else None,
        "actor_email": actor.email if actor else "",
    }
    return [StockMove(*row) for row in await session.execute(_PUT_BACK, facts)]


async def take_lines(session: AsyncSession, order_id: UUID, pieces: Mapping[UUID, int], reason: Reason) -> bool:
    """Takes items of order lines that were put back out of stock again; False, with no effect, without enough stock.

    The caller has locked the order.
    """
    lines = orjson.dumps({str(line): quantity for line, quantity in pieces.items()}).decode()
    taken = await session.execute(_TAKE_LINES, {"order": order_id, "lines": lines, "reason": reason})
    return taken.first() is not None


async def take_again(session: AsyncSession, checkout_id: UUID) -> bool:
    """Reserves a released checkout's items once more; False, with no effect, when the stock does not suffice."""
    return bool(await session.scalar(_TAKE_AGAIN, {"checkout": checkout_id}))
