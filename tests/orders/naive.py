"""A naive reservation (read, then write), kept to show the race that it has."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from uuid import UUID

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Variant
from server.orders.models import Checkout, CheckoutLine
from server.orders.reservations import NewCheckout, ReservationLine, Shortage


async def reserve(
    session: AsyncSession, purchase: NewCheckout, lines: Sequence[ReservationLine], *, replaced: UUID | None = None
) -> UUID | list[Shortage]:
    """Reads the stock, thinks, writes it: two shoppers read the same number."""
    for line in lines:
        stock = (await session.scalars(select(Variant.stock).where(Variant.id == line.variant_id))).one()
        if stock < line.quantity:
            return [Shortage(line.variant_id, stock)]
        await asyncio.sleep(0.005)
        await session.execute(update(Variant).where(Variant.id == line.variant_id).values(stock=stock - line.quantity))
    return await _write_down(session, purchase, lines)


async def reserve_in_the_order_of_the_cart(
    session: AsyncSession, purchase: NewCheckout, lines: Sequence[ReservationLine], *, replaced: UUID | None = None
) -> UUID | list[Shortage]:
    """Oversells nothing, but two shoppers with the same things the other way round wait for each other."""
    for line in lines:
        taken = update(Variant).where(Variant.id == line.variant_id, Variant.stock >= line.quantity)
        taken = taken.values(stock=Variant.stock - line.quantity)
        if await session.scalar(taken.returning(Variant.id)) is None:
            return [Shortage(line.variant_id, 0)]
        await asyncio.sleep(0.05)
    return await _write_down(session, purchase, lines)


async def _write_down(session: AsyncSession, purchase: NewCheckout, lines: Sequence[ReservationLine]) -> UUID:
    checkout_id = (await session.scalars(insert(Checkout).values(**asdict(purchase)).returning(Checkout.id))).one()
    await session.execute(insert(CheckoutLine), [{"checkout_id": checkout_id, **asdict(line)} for line in lines])
    return checkout_id
