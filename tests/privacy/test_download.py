"""The data export."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select, update

from server.catalog.models import ProductColor
from server.identity.models import Passkey, RecoveryCode, Session, TotpSecret, User
from server.mail import service as mail
from server.mail.messages import PasswordChanged
from server.orders.models import Checkout, Order
from server.payments.models import Refund
from server.platform.core.db import begin
from server.wishlist import service as wishlist
from tests.api.conftest import ADDRESS, Shop
from tests.session_tokens import BROWSER, IP


async def download(shop: Shop, role: str) -> Any:
    answer = await shop.clients[role].get("/account/data")
    assert answer.status_code == 200
    return answer.json()


async def test_the_file_holds_account_addresses_sessions_and_cart(shop: Shop) -> None:
    file = await download(shop, "shopper")

    account, [address], [session], [line] = file["account"], file["addresses"], file["sessions"], file["cart"]
    assert (account["name"], account["email"], account["hasPassword"]) == ("Ada Lovelace", "shopper@shop.test", False)
    assert (address["address1"], address["city"], address["isDefault"]) == ("1 Main Street", "London", True)
    assert (session["isCurrent"], session["userAgent"], session["ip"]) == (True, BROWSER, IP)
    assert (line["product"], line["color"], line["size"], line["quantity"]) == ("Oxford Shirt", "Sky", "S", 1)
    assert line["priceWhenAdded"] == "89.00"
    assert file["orders"] == []


async def test_the_file_holds_orders_with_their_lines_and_refunds(shop: Shop) -> None:
    async with begin(shop.sessions) as session:
        session.add(
            Refund(order_id=shop.people.others_order, payment_intent_id="pi_1", amount_cents=500, reason="Late.")
        )

    file = await download(shop, "other")

    [order] = file["orders"]
    assert (order["number"], order["totalAmount"], order["paymentStatus"]) == ("M-10001", "89.00", "paid")
    assert (order["email"], order["shippingAddress"]["postalCode"]) == ("other@shop.test", "")
    assert order["lines"] == [
        {"product": "Oxford Shirt", "color": "Sky", "size": "S", "sku": "OX-S", "quantity": 1, "price": "89.00"}
    ]
    assert [(refund["amount"], refund["status"]) for refund in order["refunds"]] == [("5.00", "pending")]
    assert file["cart"] == []


async def test_the_file_holds_the_wishlist(shop: Shop) -> None:
    async with begin(shop.sessions) as session:
        color = select(ProductColor.id).where(ProductColor.product_id == shop.people.product)
        await wishlist.add(session, shop.people.other, shop.people.product, await session.scalar(color))

    file = await download(shop, "other")

    assert [(wish["product"], wish["color"]) for wish in file["wishlist"]] == [("Oxford Shirt", "Sky")]


async def test_the_file_holds_payments_that_no_order_came_of(shop: Shop) -> None:
    now = datetime.now(UTC)
    checkout = Checkout(
        user_id=shop.people.other,
        email="other@shop.test",
        status="released",
        fingerprint="x",
        total_cents=4_900,
        currency="usd",
        shipping_address=ADDRESS,
        expires_at=now,
        check_at=now,
    )
    async with begin(shop.sessions) as session:
        session.add(checkout)

    file = await download(shop, "other")

    [begun] = file["unfinishedPayments"]
    assert (begun["status"], begun["totalAmount"], begun["currency"]) == ("released", "49.00", "USD")


async def test_the_file_holds_second_factors_and_nothing_that_proves_them(shop: Shop) -> None:
    owner = shop.people.shopper
    async with begin(shop.sessions) as session:
        session.add_all(
            [
                Passkey(user_id=owner, credential_id=b"credential", public_key=b"public key", name="Phone"),
                TotpSecret(user_id=owner, sealed=b"sealed secret", confirmed_at=datetime.now(UTC)),
                RecoveryCode(user_id=owner, code_hash=b"code hash"),
            ]
        )

    answer = await shop.clients["shopper"].get("/account/data")

    file = answer.json()
    assert [passkey["name"] for passkey in file["secondFactors"]["passkeys"]] == ["Phone"]
    assert (file["secondFactors"]["hasCodes"], file["secondFactors"]["recoveryCodesLeft"]) == (True, 1)
    assert file["sessions"][0]["method"] == "password"
    secrets = (b"credential", b"public key", b"sealed secret", b"code hash")
    assert [secret for secret in secrets if secret.hex() in answer.text or secret.decode() in answer.text] == []


async def test_mails_are_listed_only_for_an_address_that_was_proved(shop: Shop) -> None:
    async with begin(shop.sessions) as session:
        await mail.enqueue(session, PasswordChanged(), key="k", to="shopper@shop.test", shop_url="http://shop.test")

    before = await download(shop, "shopper")
    async with begin(shop.sessions) as session:
        await session.execute(update(User).values(email_verified_at=datetime.now(UTC)))
    after = await download(shop, "shopper")

    assert before["mails"] == []
    [password_mail] = after["mails"]
    assert (password_mail["subject"], password_mail["sentAt"]) == (PasswordChanged.subject, None)


async def test_the_file_is_an_attachment_that_no_cache_keeps_and_holds_no_secret(shop: Shop) -> None:
    answer = await shop.clients["shopper"].get("/account/data")

    async with shop.sessions() as session:
        hashes = (await session.scalars(select(Session.token_hash))).all()
    token = next(iter(shop.clients["shopper"].cookies.values()))
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert answer.headers["content-disposition"] == f'attachment; filename="minimal-my-data-{today}.json"'
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "application/json"
    assert token not in answer.text
    assert not any(stored.hex() in answer.text for stored in hashes)


async def test_another_sites_page_cannot_fetch_it(shop: Shop) -> None:
    for header in ("cross-site", "same-site"):
        answer = await shop.clients["shopper"].get("/account/data", headers={"sec-fetch-site": header})
        assert answer.status_code == 403
        assert answer.json() == {"message": "This request did not come from the shop's own pages."}


async def test_nobody_elses_facts_are_in_it(shop: Shop) -> None:
    answer = await shop.clients["shopper"].get("/account/data")

    async with shop.sessions() as session:
        others = (await session.scalars(select(Order.email))).all()
    assert others == ["other@shop.test"]
    assert "other@shop.test" not in answer.text
    assert "Grace Hopper" not in answer.text
