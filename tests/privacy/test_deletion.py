"""Account deletion."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from server.identity.models import (
    Address,
    KnownDevice,
    Passkey,
    RecoveryCode,
    Session,
    SignInChallenge,
    TotpSecret,
    User,
)
from server.identity.passwords import PasswordHashing
from server.mail.messages import AccountDeleted
from server.mail.models import Mail
from server.orders.models import Checkout, Order
from server.platform.core.db import begin
from tests.api.asking import ask
from tests.api.conftest import ADDRESS, Shop

PASSWORD = "CorrectHorse7!"
DELETE = """
mutation ($password: String) {
  deleteAccount(password: $password) {
    __typename
    ... on UserError { message field }
    ... on TooManyAttempts { retryAfter }
  }
}
"""


GO_WITH_THE_ACCOUNT = (Address, Session, KnownDevice, Passkey, TotpSecret, RecoveryCode, SignInChallenge)


async def delete(shop: Shop, role: str, password: str | None = None) -> dict[str, object]:
    result: dict[str, object] = (await ask(shop, role, DELETE, password=password))["deleteAccount"]
    return result


async def set_password(shop: Shop) -> None:
    hashed = await PasswordHashing(threads=1).hash(PASSWORD)
    async with begin(shop.sessions) as session:
        await session.execute(update(User).values(password_hash=hashed))


async def test_the_account_goes_with_its_sessions_addresses_and_cart(shop: Shop) -> None:
    owner = shop.people.shopper
    soon = datetime.now(UTC) + timedelta(minutes=5)
    begun = {"purpose": "registration", "webauthn_challenge": b"x", "expires_at": soon}
    async with begin(shop.sessions) as session:
        session.add_all(
            [
                KnownDevice(user_id=owner, token_hash=b"x", knows_password=True, expires_at=soon),
                Passkey(user_id=owner, credential_id=b"x", public_key=b"x", name="Phone"),
                TotpSecret(user_id=owner, sealed=b"x"),
                RecoveryCode(user_id=owner, code_hash=b"x"),
                SignInChallenge(user_id=owner, token_hash=b"x", **begun),
            ]
        )

    await set_password(shop)

    gone = await delete(shop, "shopper", PASSWORD)

    async with shop.sessions() as session:
        left = [
            await session.scalar(select(func.count()).where(table.user_id == shop.people.shopper))
            for table in GO_WITH_THE_ACCOUNT
        ]
        account = await session.get(User, shop.people.shopper)
    answer = await shop.clients["shopper"].get("/api/cart")
    assert gone == {"__typename": "Success"}
    assert account is None
    assert set(left) == {0}
    assert answer.status_code == 401


async def test_orders_stay_as_they_are_without_the_account(shop: Shop) -> None:
    await delete(shop, "other")

    async with shop.sessions() as session:
        order = await session.get_one(Order, shop.people.others_order)
    assert (order.user_id, order.email, order.total_cents) == (None, "other@shop.test", 8_900)
    assert order.shipping_address == ADDRESS


async def test_a_new_account_with_the_same_address_gets_no_old_orders(shop: Shop) -> None:
    await delete(shop, "other")
    async with begin(shop.sessions) as session:
        session.add(User(email="other@shop.test", name="Somebody Else", email_verified_at=datetime.now(UTC)))

    async with shop.sessions() as session:
        linked = await session.scalar(select(func.count()).where(Order.user_id.is_not(None)))
    assert linked == 0


async def test_a_mail_says_that_it_is_done(shop: Shop) -> None:
    await delete(shop, "shopper")

    async with shop.sessions() as session:
        mails = (await session.execute(select(Mail.recipient, Mail.subject))).all()
    assert [tuple(mail) for mail in mails] == [("shopper@shop.test", AccountDeleted.subject)]


async def test_the_cookie_is_deleted(shop: Shop) -> None:
    answer = await shop.clients["shopper"].post("/graphql", json={"query": DELETE})

    assert "max-age=0" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize("password", [None, "", "WrongHorse7!", "x" * 100_000])
async def test_a_wrong_password_deletes_nothing(shop: Shop, password: str | None) -> None:
    await set_password(shop)

    refused = await delete(shop, "shopper", password)

    async with shop.sessions() as session:
        assert await session.get(User, shop.people.shopper) is not None
    assert refused == {"__typename": "InvalidCredentials", "message": "Invalid credentials", "field": "password"}


async def test_the_right_password_deletes(shop: Shop) -> None:
    await set_password(shop)

    assert await delete(shop, "shopper", PASSWORD) == {"__typename": "Success"}


async def test_guessing_is_limited_together_with_sign_in(shop: Shop) -> None:
    await set_password(shop)
    for _ in range(10):
        await delete(shop, "shopper", "WrongHorse7!")

    refused = await delete(shop, "shopper", PASSWORD)
    entered = await shop.clients["visitor"].post(
        "/api/auth/signin", json={"email": "shopper@shop.test", "password": PASSWORD}
    )

    assert refused["__typename"] == "TooManyAttempts"
    assert entered.status_code == 429


async def test_the_primary_admin_stays(shop: Shop) -> None:
    refused = await delete(shop, "primary")

    async with shop.sessions() as session:
        assert await session.get(User, shop.people.primary) is not None
    assert refused["__typename"] == "PrimaryAdminStays"


async def test_an_admin_may_leave(shop: Shop) -> None:
    assert await delete(shop, "admin") == {"__typename": "Success"}


@pytest.mark.parametrize("underway", ["checkout", "order"])
async def test_an_account_stays_while_its_money_is_on_its_way(shop: Shop, underway: str) -> None:
    now = datetime.now(UTC)
    async with begin(shop.sessions) as session:
        if underway == "order":
            await session.execute(update(Order).values(payment_status="processing"))
        else:
            session.add(
                Checkout(
                    user_id=shop.people.other,
                    email="other@shop.test",
                    status="processing",
                    fingerprint="x",
                    total_cents=4_900,
                    currency="usd",
                    shipping_address=ADDRESS,
                    expires_at=now,
                    check_at=now,
                )
            )

    refused = await delete(shop, "other")

    async with shop.sessions() as session:
        assert await session.get(User, shop.people.other) is not None
    assert refused["__typename"] == "PaymentUnderway"
