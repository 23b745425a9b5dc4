"""Mails to buyers: whose address they repeat the typed text to."""

from uuid import uuid4

import pytest
from sqlalchemy import delete, func, select, update

from server.identity.models import User
from server.mail.models import Mail
from server.orders import emails
from server.orders.models import Order
from server.platform.core.db import begin
from tests.api.conftest import ADDRESS, Shop
from tests.api.conftest import shop as shop

SHOP_URL = "http://localhost:23200"
TYPED = {**ADDRESS, "name": "Win https://evil.example", "city": "evil.example", "country": "United Kingdom"}


async def bodies(shop: Shop) -> str:
    return "\n".join(await mails(shop))


async def mails(shop: Shop) -> list[str]:
    """Text and HTML of all mails about the other shopper's order, after one of each kind that an order alone causes."""
    async with begin(shop.sessions) as session:
        order = (await session.scalars(select(Order))).one()
        await emails.send_confirmation(session, order, SHOP_URL)
        await emails.send_failure(session, order, SHOP_URL)
        await emails.send_cancellation(session, order, SHOP_URL, "See https://minimal.example/why.")
        await emails.send_refund(session, uuid4(), order, 100, "As you asked.", SHOP_URL)
    async with shop.sessions() as session:
        rows = (await session.execute(select(Mail.subject, Mail.text_body, Mail.html_body))).all()
    assert len(rows) == 4
    return [f"{row.subject}\n{body}" for row in rows for body in (row.text_body, row.html_body)]


async def test_every_mail_links_to_its_order_and_to_nothing_once_the_account_is_gone(shop: Shop) -> None:
    path = f"/account/orders/{shop.people.others_order}"
    written = await mails(shop)
    assert len(written) == 8
    assert [body for body in written if f"{SHOP_URL}{path}" not in body or "/account" in body.replace(path, "")] == []

    async with begin(shop.sessions) as session:
        await session.execute(delete(Mail))
        await session.execute(update(Order).values(user_id=None))

    assert [body for body in await mails(shop) if "/account" in body] == []


async def buy_with_typed_text(shop: Shop, email: str, *, confirmed: bool) -> None:
    async with begin(shop.sessions) as session:
        await session.execute(update(Order).values(shipping_address=TYPED, email=email))
        if confirmed:
            owner = update(User).where(User.id == shop.people.other)
            await session.execute(owner.values(email_verified_at=func.now()))


@pytest.mark.parametrize("email", ["other@shop.test", "an-earlier-address@shop.test"])
async def test_an_unconfirmed_address_gets_no_typed_link_and_no_name(shop: Shop, email: str) -> None:
    await buy_with_typed_text(shop, email, confirmed=False)

    written = await bodies(shop)

    assert "evil" not in written
    assert "Hello, " in written
    assert "Thank you. Your order is paid" in written
    assert "12 St James's Square" in written
    assert "https://minimal.example/why" in written


async def test_an_account_that_is_gone_counts_as_unconfirmed(shop: Shop) -> None:
    await buy_with_typed_text(shop, "other@shop.test", confirmed=True)
    async with begin(shop.sessions) as session:
        await session.execute(update(Order).values(user_id=None))

    assert "evil" not in await bodies(shop)


@pytest.mark.parametrize("email", ["other@shop.test", "an-earlier-address@shop.test"])
async def test_a_confirmed_address_gets_its_own_words(shop: Shop, email: str) -> None:
    await buy_with_typed_text(shop, email, confirmed=True)

    written = await bodies(shop)

    assert "Thank you, Win https://evil.example." in written
    assert "\nevil.example" in written
