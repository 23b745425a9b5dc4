"""Making an account."""

import asyncio

import pytest
from sqlalchemy import func, select

from server.config import Settings
from server.identity import authentication, verification
from server.identity.errors import TAKEN, EmailTaken
from server.identity.models import Session, User
from server.identity.sessions import viewer_of_token
from server.platform.core.db import Sessions
from server.platform.core.errors import InvalidInput, TooManyRequests
from tests.identity.conftest import PASSWORD, MakeUser, Outbox, Visit, link_in


@pytest.mark.usefixtures("costly_hashes")
async def test_signing_up_makes_an_account_and_signs_it_in(visit: Visit, sessions: Sessions) -> None:
    context = await visit()

    viewer = await authentication.sign_up(context, "  Ann Shopper ", "Ann@Minimal.TEST", PASSWORD)

    assert (viewer.name, viewer.email, viewer.role.value) == ("Ann Shopper", "ann@minimal.test", "user")
    assert context.viewer == viewer
    assert [cookie.name for cookie in context.cookies] == ["accessToken-22500", "device-22500"]
    async with sessions() as session:
        user = (await session.scalars(select(User))).one()
    assert user.password_hash is not None
    assert user.password_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert user.email_verified_at is None


async def test_the_cookie_holds_the_token_of_which_the_database_keeps_only_a_hash(
    visit: Visit, sessions: Sessions
) -> None:
    context = await visit()
    await authentication.sign_up(context, "Ann Shopper", "ann@minimal.test", PASSWORD)
    token = context.cookies[0].value
    assert token is not None

    async with sessions() as session:
        stored = (await session.scalars(select(Session))).one()
        viewer = await viewer_of_token(session, token)

    assert len(token) == 43
    assert token.encode() not in stored.token_hash
    assert len(stored.token_hash) == 32
    assert viewer == context.viewer


async def test_a_new_account_is_mailed_a_link_that_proves_its_address(
    visit: Visit, outbox: Outbox, sessions: Sessions
) -> None:
    await authentication.sign_up(await visit(), "Ann Shopper", "ann@minimal.test", PASSWORD)

    [mail] = await outbox("ann@minimal.test")
    async with sessions.begin() as session:
        await verification.confirm(session, link_in(mail))

    async with sessions() as session:
        assert await session.scalar(select(User.email_verified_at)) is not None
    assert mail.subject == "Welcome to Minimal"
    assert "http://localhost:22500/verify-email?token=" in mail.text_body


async def test_an_email_is_taken_whatever_its_case(visit: Visit, make_user: MakeUser) -> None:
    await make_user("ann@minimal.test")

    with pytest.raises(EmailTaken) as refusal:
        await authentication.sign_up(await visit(), "Ann Again", "ANN@minimal.test", PASSWORD)

    assert refusal.value.errors == {"email": TAKEN}
    assert refusal.value.status == 409


async def test_of_two_sign_ups_at_once_with_one_email_one_makes_the_account(visit: Visit, sessions: Sessions) -> None:
    contexts = [await visit(), await visit()]

    results = await asyncio.gather(
        *(authentication.sign_up(context, "Ann Shopper", "ann@minimal.test", PASSWORD) for context in contexts),
        return_exceptions=True,
    )

    assert sorted(type(result).__name__ for result in results) == ["EmailTaken", "Viewer"]
    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(User)) == 1
        assert await session.scalar(select(func.count()).select_from(Session)) == 1


async def test_a_refused_sign_up_leaves_nothing_behind(visit: Visit, sessions: Sessions, outbox: Outbox) -> None:
    context = await visit()

    with pytest.raises(InvalidInput):
        await authentication.sign_up(context, "Ann Shopper", "ann@minimal.test", "P@ssw0rd")

    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(User)) == 0
    assert await outbox("ann@minimal.test") == []
    assert context.cookies == []


async def test_one_address_makes_only_so_many_accounts_an_hour(visit: Visit) -> None:
    context = await visit()
    context.resources.get(Settings).limits.sign_ups_per_hour = 2
    for number in range(2):
        await authentication.sign_up(context, "Ann Shopper", f"ann{number}@minimal.test", PASSWORD)

    with pytest.raises(TooManyRequests) as refusal:
        await authentication.sign_up(context, "Ann Shopper", "ann3@minimal.test", PASSWORD)
    elsewhere = await visit(ip="198.51.100.7")
    await authentication.sign_up(elsewhere, "Ann Shopper", "ann4@minimal.test", PASSWORD)

    assert 3_590 <= refusal.value.retry_after <= 3_600
    assert elsewhere.signed_in.email == "ann4@minimal.test"
