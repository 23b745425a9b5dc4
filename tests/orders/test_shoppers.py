"""Which sessions count as buyers for request priorities."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.identity.models import Session
from server.orders import shoppers
from server.orders.models import Checkout
from tests.cart.stock import Shopper, make_product, make_shopper
from tests.session_tokens import session_token


async def token_hash(session: AsyncSession, shopper: Shopper) -> bytes:
    token = await session_token(session, shopper.id)
    return sha256(token.encode()).digest()


def checkout(shopper: Shopper, status: str) -> Checkout:
    soon = datetime.now(UTC) + timedelta(minutes=30)
    return Checkout(
        user_id=shopper.id,
        email="a@b.co",
        fingerprint="",
        total_cents=100,
        currency="usd",
        shipping_address={},
        status=status,
        expires_at=soon,
        check_at=soon,
    )


async def test_a_buyer_has_something_in_the_cart_or_an_open_checkout(session: AsyncSession) -> None:
    filling, paying, paid, idle, gone = [await make_shopper(session) for _ in range(5)]
    goods = await make_product(session)
    await cart.add_line(session, filling.id, goods.variant_id)
    session.add_all([checkout(paying, "open"), checkout(paid, "completed")])
    people = {"filling": filling, "paying": paying, "paid": paid, "idle": idle, "gone": gone}
    hashes = {name: await token_hash(session, each) for name, each in people.items()}
    ended = (
        update(Session).where(Session.user_id == gone.id).values(expires_at=datetime.now(UTC) - timedelta(minutes=1))
    )
    await session.execute(ended)

    sessions = await shoppers.of_sessions(session, [*hashes.values(), b"made up"])

    assert {each.token_hash: (each.user_id, each.is_buying) for each in sessions} == {
        hashes["filling"]: (filling.id, True),
        hashes["paying"]: (paying.id, True),
        hashes["paid"]: (paid.id, False),
        hashes["idle"]: (idle.id, False),
    }
