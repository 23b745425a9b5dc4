"""A whole shop in this process, with a signed-in account of every role."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from sqlalchemy import text
from starlette.applications import Starlette

from server import wiring
from server.app import create_app
from server.cart.models import Cart, CartLine
from server.catalog.models import Product, ProductColor, Variant
from server.config import Settings
from server.identity.models import Address, User
from server.operations.models import Heartbeat
from server.orders.models import Order, OrderLine
from server.platform.core.db import Sessions, begin
from server.platform.core.models import Job, RateLimit
from tests.analytics.caught_up import facts_caught_up
from tests.session_tokens import session_token

QUIET_TABLES = {"alembic_version", RateLimit.__tablename__, Heartbeat.__tablename__}
NOT_COMPARED = {Job.__tablename__: "WHERE kind <> 'sign-in-failed'"}
"""A wrong password is noted for the audit log, whoever's it was; rate limits count it too."""
ADDRESS = {
    "name": "Ada Lovelace",
    "address1": "12 St James's Square",
    "address2": "",
    "city": "London",
    "country": "United Kingdom",
    "postalCode": "SW1Y 4JH",
    "phone": "+44 20 7946 0958",
    "isDefault": True,
}
PRICE = 8_900
SOLD: dict[str, Any] = {
    "name": "Oxford Shirt",
    "color": "Sky",
    "unit_price_cents": PRICE,
    "list_price_cents": PRICE,
}
"""What a checkout's or an order's line copies of the one product."""


@dataclass(frozen=True)
class People:
    """Ids of what stands in the shop, by whose it is."""

    shopper: UUID
    other: UUID
    admin: UUID
    primary: UUID
    address: UUID
    others_address: UUID
    product: UUID
    variants: list[UUID]
    others_order: UUID


@dataclass
class Shop:
    """One client a role; `visitor` has no cookie."""

    app: Starlette
    sessions: Sessions
    people: People
    clients: dict[str, httpx.AsyncClient]

    async def snapshot(self) -> dict[str, str]:
        """A checksum of each table, to show that nothing was left behind; one statement for all of them.

        Whatever the order of the rows: to sort each table took ten times as long.
        """
        async with self.sessions() as session:
            names = await session.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
            sums = " UNION ALL ".join(
                f"SELECT '{name}' AS name, count(*) || ' rows ' ||"
                " coalesce(sum(hashtextextended(t::text, 0)), 0) AS checksum"
                f" FROM {name} t {NOT_COMPARED.get(name, '')}"
                for name in sorted(names)
                if name not in QUIET_TABLES
            )
            return {row.name: row.checksum for row in await session.execute(text(sums))}


@pytest.fixture
async def shop(
    database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Shop]:
    """It does nothing by itself: that would pass for what a request has left behind."""
    monkeypatch.setattr(wiring, "PERIODIC", [])
    settings = Settings(  # type: ignore[call-arg]
        _env_file=None, port=23_200, outside_port=23_201, database_url=database_url, shop_data=tmp_path
    )
    people, tokens = await furnish(sessions)
    await facts_caught_up(sessions)
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        clients = {role: client_of(app, tokens.get(role)) for role in ("visitor", *tokens)}
        yield Shop(app, sessions, people, clients)
        for client in clients.values():
            await client.aclose()


def client_of(app: Starlette, token: str | None) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="http://localhost:23200",
        headers={"content-type": "application/json", "sec-fetch-site": "same-origin"},
        cookies={"accessToken-23200": token} if token else None,
    )


async def furnish(sessions: Sessions) -> tuple[People, dict[str, str]]:
    """Four accounts, a product of two sizes, a cart, an order of somebody else's."""
    async with begin(sessions) as session:
        shopper = User(email="shopper@shop.test", name="Ada Lovelace")
        other = User(email="other@shop.test", name="Grace Hopper")
        admin = User(email="admin@shop.test", name="Alan Turing", role="admin")
        primary = User(email="owner@shop.test", name="Edsger Dijkstra", role="admin", is_primary=True)
        session.add_all([shopper, other, admin, primary])
        product = Product(
            name="Oxford Shirt",
            title="Oxford Shirt",
            subtitle="Washed cotton oxford",
            description="One pocket.",
            gender="men",
            subcategory="shirts",
            price_cents=PRICE,
        )
        session.add(product)
        await session.flush()
        color = ProductColor(product_id=product.id, name="Sky", hex="#b7d0ea", position=0)
        addresses = [
            Address(
                user_id=user.id,
                name=user.name,
                address1="1 Main Street",
                city="London",
                country="GB",
                phone="1",
                is_default=True,
            )
            for user in (shopper, other)
        ]
        session.add_all([color, *addresses])
        await session.flush()
        variants = [
            Variant(product_id=product.id, color_id=color.id, size=size, sku=f"OX-{size}", stock=5)
            for size in ("S", "M")
        ]
        cart = Cart(user_id=shopper.id)
        order = Order(
            user_id=other.id,
            email=other.email,
            payment_status="paid",
            total_cents=PRICE,
            currency="USD",
            shipping_address=ADDRESS,
        )
        session.add_all([*variants, cart, order])
        await session.flush()
        session.add_all(
            [
                CartLine(cart_id=cart.id, variant_id=variants[0].id, quantity=1, seen_price_cents=PRICE),
                OrderLine(
                    order_id=order.id,
                    position=0,
                    product_id=product.id,
                    variant_id=variants[0].id,
                    size="S",
                    sku="OX-S",
                    quantity=1,
                    **SOLD,
                ),
            ]
        )
        tokens = {
            role: await session_token(session, user.id)
            for role, user in (("shopper", shopper), ("other", other), ("admin", admin), ("primary", primary))
        }
    people = People(
        shopper=shopper.id,
        other=other.id,
        admin=admin.id,
        primary=primary.id,
        address=addresses[0].id,
        others_address=addresses[1].id,
        product=product.id,
        variants=[variant.id for variant in variants],
        others_order=order.id,
    )
    return people, tokens
