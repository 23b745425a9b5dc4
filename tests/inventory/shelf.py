"""Fixtures of a product whose stock is in the ledger from the beginning, and functions that change it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.catalog import stock
from server.catalog.models import StockMovement, Variant
from server.catalog.stock import StockMove
from server.orders import checkouts
from server.orders import service as orders
from server.orders.checkouts import Buyer
from server.orders.models import Checkout
from server.orders.service import PaymentState, ProviderPayment, SettledCheckout
from server.platform.core.viewer import Role, Viewer
from tests.cart.stock import Goods, Shopper, make_product

ADMIN = Viewer(
    user_id=uuid4(),
    session_id=uuid4(),
    email="admin@shop.test",
    name="Alan Turing",
    role=Role.ADMIN,
    is_primary=False,
    expires_at=datetime.now(UTC) + timedelta(hours=1),
)
OWNER = replace(ADMIN, user_id=uuid4(), email="owner@shop.test", name="Edsger Dijkstra", is_primary=True)


async def make_shelf(session: AsyncSession, **product: Any) -> Goods:
    """As `make_product`, with openings."""
    goods = await make_product(session, **product)
    rows = await session.execute(select(Variant.id, Variant.stock).where(Variant.product_id == goods.product_id))
    await stock.record(session, [StockMove(*row) for row in rows], "opening")
    await session.commit()
    return goods


async def ledger_of(session: AsyncSession, variant_id: UUID) -> list[tuple[str, int]]:
    """Reason and pieces, oldest first, read anew."""
    await session.rollback()
    rows = select(StockMovement.reason, StockMovement.quantity).where(StockMovement.variant_id == variant_id)
    return [(reason, pieces) for reason, pieces in await session.execute(rows.order_by(StockMovement.id))]


async def check_out(session: AsyncSession, shopper: Shopper, quantities: Mapping[UUID, int]) -> Checkout:
    """The shopper's cart made to be this, and held for a payment."""
    for variant_id, pieces in quantities.items():
        await cart.add_line(session, shopper.id, variant_id, pieces)
    reservation = await checkouts.reserve(session, Buyer(shopper.id, shopper.email), None)
    await checkouts.attach_session(session, reservation.checkout.id, f"cs_{reservation.checkout.id.hex}", "secret")
    await session.commit()
    return reservation.checkout


async def settle(session: AsyncSession, checkout: Checkout, state: PaymentState = PaymentState.PAID) -> SettledCheckout:
    """News of the checkout's payment, as the provider's webhook brings it."""
    payment = ProviderPayment(
        f"cs_{checkout.id.hex}", checkout.id, state, checkout.total_cents, checkout.currency, f"pi_{checkout.id.hex}"
    )
    settled = await orders.settle(session, payment, shop_url="http://localhost")
    await session.commit()
    return settled
