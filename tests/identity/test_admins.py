"""Roles, requests for them, and the one account that nobody touches."""

import asyncio
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select, update

from server.identity import service as identity
from server.identity.models import User
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import Forbidden, NotFound
from tests.identity.conftest import MakeUser, SignIn, Visit


async def request(sessions: Sessions, user_id: UUID) -> None:
    async with begin(sessions) as session:
        await identity.request_admin_access(session, user_id)


async def read(sessions: Sessions, user_id: UUID) -> User | None:
    async with sessions() as session:
        return await session.scalar(select(User).where(User.id == user_id))


@pytest.mark.spec("screens.admin.requests", "states.role.toggle")
async def test_a_request_is_pending_until_it_is_granted(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    await request(sessions, user.id)
    async with sessions() as session:
        pending = await identity.admin_requests(session)

    async with begin(sessions) as session:
        granted = await identity.toggle_admin(session, None, user.id)
        left = await identity.admin_requests(session)

    assert [each.id for each in pending] == [user.id]
    assert (granted.role, granted.admin_requested_at) == ("admin", None)
    assert left == []


@pytest.mark.spec("states.role.toggle")
async def test_a_rejected_request_is_pending_no_more(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    await request(sessions, user.id)

    async with begin(sessions) as session:
        rejected = await identity.reject_admin_request(session, None, user.id)
        left = await identity.admin_requests(session)

    assert (rejected.role, rejected.admin_requested_at) == ("user", None)
    assert left == []


async def test_asking_twice_keeps_the_first_place_in_the_queue(make_user: MakeUser, sessions: Sessions) -> None:
    ann, bob = await make_user(), await make_user("bob@minimal.test")

    for user in (ann, bob, ann):
        await request(sessions, user.id)

    async with sessions() as session:
        assert [user.id for user in await identity.admin_requests(session)] == [ann.id, bob.id]


async def test_an_admin_who_asks_stays_an_admin_without_a_request(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()
    async with begin(sessions) as session:
        await identity.toggle_admin(session, None, user.id)

    await request(sessions, user.id)

    account = await read(sessions, user.id)
    assert account is not None
    assert (account.role, account.admin_requested_at) == ("admin", None)


@pytest.mark.spec("states.role.toggle")
async def test_toggling_twice_leads_back(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()

    roles = []
    for _ in range(2):
        async with begin(sessions) as session:
            roles.append((await identity.toggle_admin(session, None, user.id)).role)

    assert roles == ["admin", "user"]


@pytest.mark.spec("roles.primary")
@pytest.mark.parametrize("verb", [identity.toggle_admin, identity.reject_admin_request, identity.delete_user])
async def test_nobody_demotes_rejects_or_deletes_the_primary_admin(
    make_user: MakeUser, sessions: Sessions, verb: object
) -> None:
    owner = await make_user("owner@minimal.test")
    async with begin(sessions) as session:
        await identity.make_primary_admin(session, "owner@minimal.test")

    with pytest.raises(Forbidden) as refusal:
        async with begin(sessions) as session:
            await verb(session, None, owner.id)  # type: ignore[operator]

    assert str(refusal.value) == "You lack privileges to use these controls"
    account = await read(sessions, owner.id)
    assert account is not None
    assert (account.role, account.is_primary) == ("admin", True)


@pytest.mark.parametrize("verb", [identity.toggle_admin, identity.reject_admin_request, identity.delete_user])
async def test_a_made_up_user_does_not_exist(sessions: Sessions, verb: object) -> None:
    with pytest.raises(NotFound):
        async with begin(sessions) as session:
            await verb(session, None, uuid4())  # type: ignore[operator]


@pytest.mark.spec("entities.user.primary")
async def test_the_mark_is_handed_over_and_stays_one(make_user: MakeUser, sessions: Sessions) -> None:
    first, second = await make_user("first@minimal.test"), await make_user("second@minimal.test")
    async with begin(sessions) as session:
        await identity.make_primary_admin(session, "first@minimal.test")
    await request(sessions, second.id)

    async with begin(sessions) as session:
        await identity.make_primary_admin(session, "second@minimal.test")

    was, now = await read(sessions, first.id), await read(sessions, second.id)
    assert was is not None
    assert now is not None
    assert (was.role, was.is_primary) == ("admin", False)
    assert (now.role, now.is_primary, now.admin_requested_at) == ("admin", True, None)


async def test_handing_the_mark_to_nobody_keeps_it(make_user: MakeUser, sessions: Sessions) -> None:
    owner = await make_user("owner@minimal.test")
    async with begin(sessions) as session:
        await identity.make_primary_admin(session, "owner@minimal.test")

    with pytest.raises(NotFound):
        async with begin(sessions) as session:
            await identity.make_primary_admin(session, "nobody@minimal.test")

    account = await read(sessions, owner.id)
    assert account is not None
    assert account.is_primary


async def test_the_mark_follows_its_owner_to_a_new_email(make_user: MakeUser, sessions: Sessions) -> None:
    owner = await make_user("owner@minimal.test")
    async with begin(sessions) as session:
        await identity.make_primary_admin(session, "owner@minimal.test")
        await identity.change_profile(
            session, owner.id, identity.ProfileChanges(email="new@minimal.test"), shop_url="http://localhost:22500"
        )

    moved = await read(sessions, owner.id)
    assert moved is not None
    assert (moved.email, moved.is_primary) == ("new@minimal.test", True)


async def test_deleting_an_account_ends_its_sessions(
    make_user: MakeUser, sign_in: SignIn, visit: Visit, sessions: Sessions
) -> None:
    context = await sign_in(await make_user())

    async with begin(sessions) as session:
        await identity.delete_user(session, None, context.signed_in.user_id)

    assert (await visit(context.token)).viewer is None


async def test_toggling_and_deleting_at_once_deletes(make_user: MakeUser, sessions: Sessions) -> None:
    user = await make_user()

    async def toggle() -> str:
        async with begin(sessions) as session:
            return (await identity.toggle_admin(session, None, user.id)).role

    async def delete() -> None:
        async with begin(sessions) as session:
            await identity.delete_user(session, None, user.id)

    results = await asyncio.gather(*(toggle() for _ in range(6)), delete(), delete(), return_exceptions=True)

    assert {type(result).__name__ for result in results} <= {"str", "NoneType", "NotFound"}
    assert [type(result).__name__ for result in results[-2:]].count("NotFound") == 1
    assert await read(sessions, user.id) is None


async def test_pages_of_users_go_from_new_to_old_without_gaps_while_people_sign_up(
    make_user: MakeUser, sessions: Sessions
) -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(5):
        await make_user(f"user{number}@minimal.test")
    async with begin(sessions) as session:
        await session.execute(update(User).values(created_at=moment))
        first = await identity.users(session, identity.UserFilter(), limit=2)
    await make_user("late@minimal.test")

    async with sessions() as session:
        last = first[-1]
        second = await identity.users(session, identity.UserFilter(), limit=2, after=(last.created_at, last.id))
        last = second[-1]
        third = await identity.users(session, identity.UserFilter(), limit=2, after=(last.created_at, last.id))
        count = await identity.user_count(session, identity.UserFilter())

    emails = [user.email for page in (first, second, third) for user in page]
    assert emails == [f"user{number}@minimal.test" for number in (4, 3, 2, 1, 0)]
    assert count == 6


async def test_users_are_found_by_part_of_name_or_email(make_user: MakeUser, sessions: Sessions) -> None:
    await make_user("ann@minimal.test", name="Ann Shopper")
    await make_user("bob_b@minimal.test", name="Bob Hopper")

    async with sessions() as session:
        matches = {
            search: [user.email for user in await identity.users(session, identity.UserFilter(search), limit=10)]
            for search in ("SHOPPER", "bob_", "%", " ", "zzz")
        }

    everybody = ["bob_b@minimal.test", "ann@minimal.test"]
    assert matches == {"SHOPPER": everybody[1:], "bob_": everybody[:1], "%": [], " ": everybody, "zzz": []}
