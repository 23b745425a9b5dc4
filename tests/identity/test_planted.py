"""What a stranger has put into an account that the owner of its mailbox takes over."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import Table, func, select, update

from server import tables
from server.identity import devices, verification
from server.identity import service as identity
from server.identity.gateway import GoogleIdentity
from server.identity.models import (
    EmailVerification,
    Passkey,
    PasswordReset,
    RecoveryCode,
    SignInChallenge,
    TotpSecret,
    User,
)
from server.identity.sessions import token_hash
from server.mail.models import Mail
from server.orders.models import Checkout, Order
from server.platform.core.db import Base, begin
from server.platform.core.security import device_cookie_name
from server.wiring import ACCOUNT_CONTENTS
from server.wishlist.models import StockAlert, WishlistItem
from tests.api.conftest import ADDRESS, Shop
from tests.api.conftest import shop as shop

assert tables.ALL_MODELS
EMAIL = "shopper@shop.test"
TOKEN = "the-mailed-token"
PLANTED = {"addresses", "carts", "wishlist_items", "stock_alerts"}
"""Tables whose rows go; of a cart its lines and its code."""
CREDENTIALS = {
    "sessions",
    "known_devices",
    "passkeys",
    "totp_secrets",
    "recovery_codes",
    "sign_in_challenges",
    "password_resets",
    "email_verifications",
}
"""Tables whose rows end with every proof of the e-mail address."""
RECORDS = {"orders", "checkouts"}
"""Tables whose rows stay: what was bought, and payments that were begun."""
OF_ADMINS = {"order_notes", "audit_entries", "document_versions", "imports", "stock_movements"}
"""Tables that name the admin who did something."""
ADMIN_REQUEST = "The request for admin access"
REMOVED = ["Delivery addresses", "The cart", "The wishlist", "Requests for mails about sold-out items", ADMIN_REQUEST]


def tables_of_accounts() -> set[str]:
    """Tables with a column that refers to an account, by a foreign key or by its name."""
    return {
        table.name
        for table in Base.metadata.sorted_tables
        for column in table.columns
        if column.name in ("user_id", "actor_id", "author_id", "started_by_id")
        or any(key.target_fullname == "users.id" for key in column.foreign_keys)
    }


async def plant(shop: Shop, *, confirmed: bool = False, role: str = "user") -> UUID:
    """Fills the shopper's account with a row of every kind. Its fixture has an address, a cart and a session."""
    owner, people, soon = shop.people.shopper, shop.people, datetime.now(UTC) + timedelta(hours=1)
    bought = {"user_id": owner, "email": EMAIL, "shipping_address": ADDRESS, "currency": "USD", "total_cents": 8_900}
    begun = {"purpose": "registration", "webauthn_challenge": b"x", "expires_at": soon}
    async with begin(shop.sessions) as session:
        facts = {"admin_requested_at": func.now(), "google_sub": "666", "role": role}
        verified_at = func.now() if confirmed else None
        await session.execute(update(User).where(User.id == owner).values(email_verified_at=verified_at, **facts))
        session.add_all(
            [
                WishlistItem(user_id=owner, product_id=people.product),
                StockAlert(user_id=owner, variant_id=people.variants[0], email=EMAIL),
                StockAlert(user_id=owner, variant_id=people.variants[1], email="third@shop.test", mailed_at=func.now()),
                Passkey(user_id=owner, credential_id=b"x", public_key=b"x", name="Phone"),
                TotpSecret(user_id=owner, sealed=b"x", confirmed_at=func.now()),
                RecoveryCode(user_id=owner, code_hash=b"x"),
                SignInChallenge(user_id=owner, token_hash=b"x", **begun),
                PasswordReset(user_id=owner, token_hash=token_hash(TOKEN), expires_at=soon),
                EmailVerification(user_id=owner, token_hash=token_hash(TOKEN), email=EMAIL, expires_at=soon),
                Order(payment_status="paid", **bought),
                Checkout(fingerprint="x", expires_at=soon, check_at=soon, **bought),
            ]
        )
    return owner


async def known_browser(shop: Shop) -> str:
    """The device cookie of a browser that has signed in to the account."""
    async with begin(shop.sessions) as session:
        return await devices.remember(session, shop.people.shopper, None, knows_password=True)


async def prove_by(shop: Shop, how: str, device: str | None) -> None:
    """Proves the e-mail address from a browser with this device cookie."""
    if how == "reset":
        client = shop.clients["visitor"]
        if device:
            client.cookies.set(device_cookie_name(shop.app.state.shop.settings), device)
        body = {"resetToken": TOKEN, "newPassword": "Linen?Shirt42"}
        assert (await client.post("/api/auth/reset-password", json=body)).status_code == 204
        return
    async with begin(shop.sessions) as session:
        if how == "link":
            await verification.confirm(session, TOKEN)
            return
        google = GoogleIdentity("1001", EMAIL, "Ann", datetime.now(UTC) + timedelta(hours=1))
        await identity.account_of_google(
            session, google, device=device, contents=ACCOUNT_CONTENTS, shop_url="http://localhost:23200"
        )


async def rows_of(shop: Shop, names: set[str]) -> dict[str, int]:
    """How many rows the account has, by table; of a cart its lines. Tables without any are missing."""
    counted = {}
    async with shop.sessions() as session:
        for name in names:
            table: Table = Base.metadata.tables[name]
            own = select(func.count()).select_from(table).where(table.c.user_id == shop.people.shopper)
            if name == "carts":
                lines = Base.metadata.tables["cart_lines"]
                own = own.join(lines, lines.c.cart_id == table.c.id)
            counted[name] = await session.scalar(own) or 0
    return {name: count for name, count in counted.items() if count}


async def has_asked_for_admin_access(shop: Shop) -> bool:
    async with shop.sessions() as session:
        query = select(User.admin_requested_at).where(User.id == shop.people.shopper)
        return await session.scalar(query) is not None


async def mailed(shop: Shop) -> str:
    async with shop.sessions() as session:
        return "".join(await session.scalars(select(Mail.text_body).where(Mail.recipient == EMAIL)))


def test_every_table_of_accounts_says_what_a_takeover_does_to_it() -> None:
    assert tables_of_accounts() == PLANTED | CREDENTIALS | RECORDS | OF_ADMINS


@pytest.mark.parametrize("how", ["reset", "google", "link"])
@pytest.mark.parametrize("confirmed", [True, False])
@pytest.mark.parametrize("is_known", [True, False])
async def test_only_an_unconfirmed_address_proven_from_elsewhere_empties_the_account(
    shop: Shop, how: str, confirmed: bool, is_known: bool
) -> None:
    await plant(shop, confirmed=confirmed)
    before = await rows_of(shop, PLANTED)
    if how == "google" and confirmed:
        async with begin(shop.sessions) as session:
            await session.execute(update(User).values(google_sub=None))
    device = await known_browser(shop) if is_known else None

    await prove_by(shop, how, device)

    empties = how != "link" and not confirmed and not is_known
    assert await rows_of(shop, PLANTED) == ({} if empties else before)
    assert await has_asked_for_admin_access(shop) is not empties
    assert await rows_of(shop, RECORDS) == {"orders": 1, "checkouts": 1}
    text = await mailed(shop)
    assert [name for name in REMOVED if f"- {name}" in text] == (REMOVED if empties else [])


async def test_a_planted_row_of_every_table_is_there_before(shop: Shop) -> None:
    await plant(shop)
    await known_browser(shop)

    assert set(await rows_of(shop, PLANTED | CREDENTIALS)) == PLANTED | CREDENTIALS


@pytest.mark.parametrize("how", ["reset", "google"])
@pytest.mark.parametrize("role", ["user", "admin"])
async def test_a_proof_by_mail_ends_all_credentials_but_an_admins_second_factor(
    shop: Shop, how: str, role: str
) -> None:
    await plant(shop, role=role)

    await prove_by(shop, how, None)

    # A reset makes its own browser a known device.
    left = set(await rows_of(shop, CREDENTIALS)) - {"known_devices"}
    assert left == ({"passkeys", "totp_secrets", "recovery_codes"} if role == "admin" else set())
    async with shop.sessions() as session:
        assert await session.scalar(select(User.google_sub).where(User.email == EMAIL)) == (
            "1001" if how == "google" else None
        )


async def test_an_unsubscribe_link_mailed_before_still_works(shop: Shop) -> None:
    await plant(shop)

    await prove_by(shop, "reset", None)

    async with shop.sessions() as session:
        assert (await session.scalars(select(StockAlert.email))).all() == ["third@shop.test"]


async def test_an_empty_account_is_told_of_nothing_removed(shop: Shop) -> None:
    await plant(shop)
    await prove_by(shop, "google", None)
    async with begin(shop.sessions) as session:
        soon = datetime.now(UTC) + timedelta(hours=1)
        await session.execute(update(User).where(User.email == EMAIL).values(email_verified_at=None))
        session.add(PasswordReset(user_id=shop.people.shopper, token_hash=token_hash(TOKEN), expires_at=soon))

    await prove_by(shop, "reset", None)

    assert (await mailed(shop)).count("may be another person's") == 1
