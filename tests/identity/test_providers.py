"""Linking a Google account to the own one, and ending that."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import select

from server.identity import authentication, providers
from server.identity.errors import GoogleRefused, GoogleTaken, LastCredential
from server.identity.gateway import GoogleVerifier
from server.identity.models import Passkey, User
from server.mail.messages import GoogleLinked, GoogleUnlinked
from server.platform.core.context import Context
from server.platform.core.db import Sessions, begin
from tests.identity.conftest import PASSWORD, MakeUser, Outbox, SignIn, Visit
from tests.identity.google_keys import CLIENT_ID, Key, serving


@pytest.fixture(scope="module")
def key() -> Key:
    return Key("current")


@pytest.fixture(scope="module")
def verifier(key: Key) -> Iterator[GoogleVerifier]:
    with serving(key) as certificates:
        yield GoogleVerifier(CLIENT_ID, certificates.url)


@pytest.fixture
async def ann(make_user: MakeUser, sign_in: SignIn, verifier: GoogleVerifier) -> Context:
    context = await sign_in(await make_user(verified=True))
    context.resources.add(verifier)
    return context


async def subjects(outbox: Outbox) -> list[str]:
    return [mail.subject for mail in await outbox("ann@minimal.test")]


async def test_a_linked_google_account_signs_in_whatever_its_email_and_is_told(
    ann: Context, key: Key, visit: Visit, outbox: Outbox
) -> None:
    await providers.link_google(ann, key.token(email="ann@gmail.test"))

    viewer = await authentication.sign_in_with_google(await visit(), key.token(email="ann@gmail.test", jti="2"))

    assert viewer.user_id == ann.signed_in.user_id
    assert await subjects(outbox) == [GoogleLinked.subject]


async def test_linking_again_changes_nothing(ann: Context, key: Key, outbox: Outbox) -> None:
    for number in range(2):
        await providers.link_google(ann, key.token(jti=str(number)))

    assert len(await subjects(outbox)) == 1


async def test_a_google_account_signs_in_to_one_account(
    ann: Context, key: Key, make_user: MakeUser, sign_in: SignIn
) -> None:
    await providers.link_google(ann, key.token())
    bob = await sign_in(await make_user("bob@minimal.test"))

    with pytest.raises(GoogleTaken):
        await providers.link_google(bob, key.token(jti="2"))


async def test_a_token_links_once(ann: Context, key: Key) -> None:
    token = key.token()
    await providers.link_google(ann, token)
    await providers.unlink_google(ann)

    with pytest.raises(GoogleRefused):
        await providers.link_google(ann, token)


async def test_an_ended_link_signs_in_no_more_and_is_told(ann: Context, key: Key, visit: Visit, outbox: Outbox) -> None:
    await providers.link_google(ann, key.token(email="ann@gmail.test"))

    for _ in range(2):
        await providers.unlink_google(ann)

    viewer = await authentication.sign_in_with_google(await visit(), key.token(email="ann@gmail.test", jti="2"))
    assert viewer.user_id != ann.signed_in.user_id
    assert (await subjects(outbox))[1:] == [GoogleUnlinked.subject]
    assert await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)


async def test_a_passkey_is_another_way_in(
    visit: Visit, key: Key, verifier: GoogleVerifier, sessions: Sessions
) -> None:
    context = await visit()
    context.resources.add(verifier)
    viewer = await authentication.sign_in_with_google(context, key.token())
    async with begin(sessions) as session:
        session.add(Passkey(user_id=viewer.user_id, credential_id=b"c", public_key=b"k", name="Phone"))

    await providers.unlink_google(replace(context, viewer=replace(viewer, used_second_factor=True)))

    async with sessions() as session:
        assert await session.scalar(select(User.google_sub)) is None


async def test_the_last_way_in_stays(visit: Visit, key: Key, verifier: GoogleVerifier) -> None:
    context = await visit()
    context.resources.add(verifier)
    await authentication.sign_in_with_google(context, key.token())

    with pytest.raises(LastCredential):
        await providers.unlink_google(context)

    assert await authentication.sign_in_with_google(context, key.token(jti="2"))
