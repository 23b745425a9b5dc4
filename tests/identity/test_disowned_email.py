"""What becomes of an account whose address is somebody else's."""

import asyncio

from sqlalchemy import select

from server.identity import accounts
from server.identity.models import Passkey, User
from server.platform.core.db import Sessions, begin
from tests.identity.conftest import MakeUser
from tests.statements import ended_or_blocked

SHOP = "http://localhost"
FORMER = "former@minimal.test"


async def give_up(sessions: Sessions, account: User, former: str | None) -> None:
    async with begin(sessions) as session:
        user = await accounts.locked(session, account.id)
        await accounts.give_up_email(session, user, former, has_bought=False, shop_url=SHOP)


async def test_a_former_address_that_is_taken_in_this_moment_is_not_given_back(
    make_user: MakeUser, sessions: Sessions
) -> None:
    account = await make_user()
    async with sessions() as other:
        other.add(User(email=FORMER, name="Somebody Else", password_hash="x"))
        await other.flush()
        giving_up = asyncio.create_task(give_up(sessions, account, FORMER))
        await ended_or_blocked(giving_up, sessions)
        await other.commit()
    await giving_up

    async with sessions() as session:
        assert [user.name for user in await session.scalars(select(User))] == ["Somebody Else"]


async def test_an_account_with_a_passkey_is_kept_without_an_address(make_user: MakeUser, sessions: Sessions) -> None:
    account = await make_user()
    async with begin(sessions) as session:
        session.add(Passkey(user_id=account.id, credential_id=b"c", public_key=b"k", name="Phone"))

    await give_up(sessions, account, None)

    async with sessions() as session:
        user = (await session.scalars(select(User))).one()
    assert user.email.endswith(accounts.NO_MAILBOX)
    assert user.password_hash is None
