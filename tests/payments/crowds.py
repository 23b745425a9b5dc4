"""Shoppers with a cart each."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.cart.models import Cart, CartLine
from server.identity.models import Address, User
from tests.cart.stock import Shopper

HOME = {
    "name": "Ada Lovelace",
    "address1": "1 Quiet Street",
    "address2": "",
    "city": "London",
    "country": "GB",
    "postalCode": "N1 9GU",
    "phone": "020 7946 0000",
}


async def with_carts(session: AsyncSession, carts: Sequence[Sequence[UUID]]) -> list[Shopper]:
    """Shoppers with an address and one piece each of these variants in their carts, put in in this order."""
    users = [User(email=f"buyer{each}@minimal.test", name="Ada Lovelace") for each in range(len(carts))]
    session.add_all(users)
    await session.flush()
    where = {"name": "Ada Lovelace", "address1": "1 Quiet Street", "city": "London", "country": "GB", "phone": "1"}
    addresses = [Address(user_id=user.id, **where) for user in users]
    new_carts = [Cart(user_id=user.id) for user in users]
    session.add_all([*addresses, *new_carts])
    await session.flush()
    began = datetime.now(UTC)
    session.add_all(
        CartLine(
            cart_id=cart.id,
            variant_id=variant,
            quantity=1,
            seen_price_cents=4900,
            added_at=began + timedelta(milliseconds=place),
        )
        for cart, variants in zip(new_carts, carts, strict=True)
        for place, variant in enumerate(variants)
    )
    await session.commit()
    return [Shopper(user.id, user.email, address.id) for user, address in zip(users, addresses, strict=True)]
