"""What admins do to accounts is written down, and where they may sign somebody out."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select

from server.audit.models import AuditEntry
from server.identity import service as identity
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import Forbidden, NotFound
from server.platform.core.viewer import Viewer
from tests.identity.conftest import MakeUser, SignIn, Visit

Entry = tuple[str, str, str, dict[str, Any], dict[str, Any]]


async def log(sessions: Sessions) -> list[Entry]:
    """Actor, action, whom, before and after, oldest first; the making of the owner left out."""
    async with sessions() as session:
        rows = (await session.scalars(select(AuditEntry).order_by(AuditEntry.id))).all()
    entries = [(row.actor_email, row.action, row.subject_label, row.before, row.after) for row in rows]
    return [entry for entry in entries if entry[1] != "made primary admin"]


@pytest.fixture
async def owner(make_user: MakeUser, sign_in: SignIn, sessions: Sessions) -> Viewer:
    user = await make_user("owner@minimal.test")
    async with begin(sessions) as session:
        await identity.make_primary_admin(session, user.email)
    return (await sign_in(user)).signed_in


async def test_roles_rejections_and_deletions_are_written_down(
    make_user: MakeUser, sessions: Sessions, owner: Viewer
) -> None:
    ann, bob = await make_user(), await make_user("bob@minimal.test", name="Bob Builder")
    async with begin(sessions) as session:
        await identity.request_admin_access(session, ann.id)
        await identity.request_admin_access(session, bob.id)

    async with begin(sessions) as session:
        await identity.toggle_admin(session, owner, ann.id)
        await identity.toggle_admin(session, owner, ann.id)
        await identity.reject_admin_request(session, owner, bob.id)
        await identity.reject_admin_request(session, owner, bob.id)
        await identity.delete_user(session, owner, bob.id)

    by, to = "owner@minimal.test", "ann@minimal.test"
    assert await log(sessions) == [
        (by, "made admin", to, {"role": "user", "admin_request": True}, {"role": "admin", "admin_request": False}),
        (by, "removed from admin", to, {"role": "admin"}, {"role": "user"}),
        (by, "admin request rejected", "bob@minimal.test", {"admin_request": True}, {"admin_request": False}),
        (by, "deleted", "bob@minimal.test",
         {"name": "Bob Builder", "email": "bob@minimal.test", "role": "user"}, {}),
    ]  # fmt: skip


async def test_handing_the_mark_over_is_written_down_once(make_user: MakeUser, sessions: Sessions) -> None:
    for email in ("first@minimal.test", "second@minimal.test"):
        await make_user(email)
        for _ in range(2):
            async with begin(sessions) as session:
                await identity.make_primary_admin(session, email)

    async with sessions() as session:
        rows = (await session.scalars(select(AuditEntry).order_by(AuditEntry.id))).all()
    assert [(row.actor_email, row.before, row.after) for row in rows] == [
        ("command line", {"primary_admin": None}, {"primary_admin": "first@minimal.test"}),
        ("command line", {"primary_admin": "first@minimal.test"}, {"primary_admin": "second@minimal.test"}),
    ]


async def test_what_was_refused_or_rolled_back_is_not_in_the_log(
    make_user: MakeUser, sessions: Sessions, owner: Viewer
) -> None:
    ann = await make_user()

    async def promote_and_overstep() -> None:
        async with begin(sessions) as session:
            await identity.toggle_admin(session, owner, ann.id)
            await identity.delete_user(session, owner, owner.user_id)

    with pytest.raises(Forbidden):
        await promote_and_overstep()

    assert await log(sessions) == []


async def test_an_admin_signs_a_shopper_out_of_one_browser_or_of_all(
    make_user: MakeUser, sign_in: SignIn, visit: Visit, sessions: Sessions, owner: Viewer
) -> None:
    admin = replace(owner, is_primary=False)
    ann = await make_user()
    first, second, third = [await sign_in(ann) for _ in range(3)]

    async with begin(sessions) as session:
        await identity.sign_out_user(session, admin, ann.id, first.signed_in.session_id)
    left = [(await visit(each.token)).viewer is not None for each in (first, second, third)]
    async with begin(sessions) as session:
        await identity.sign_out_user(session, admin, ann.id)
        await identity.sign_out_user(session, admin, ann.id)

    assert left == [False, True, True]
    assert (await visit(second.token)).viewer is None
    assert [(action, before) for _, action, _, before, _ in await log(sessions)] == [
        ("signed out", {"browsers": ["Test browser"]}),
        ("signed out", {"browsers": ["Test browser", "Test browser"]}),
    ]


@pytest.mark.parametrize("whose", ["admin", "owner"])
async def test_an_admins_sessions_are_for_the_primary_admin_to_end(
    make_user: MakeUser, sign_in: SignIn, visit: Visit, sessions: Sessions, owner: Viewer, whose: str
) -> None:
    user = await make_user()
    async with begin(sessions) as session:
        await identity.toggle_admin(session, owner, user.id)
    context = await sign_in(user)
    target = {"admin": user.id, "owner": owner.user_id}[whose]

    with pytest.raises(Forbidden, match="You lack privileges to use these controls"):
        async with begin(sessions) as session:
            await identity.sign_out_user(session, replace(owner, is_primary=False), target)

    assert (await visit(context.token)).viewer is not None
    async with begin(sessions) as session:
        await identity.sign_out_user(session, owner, user.id)
    assert (await visit(context.token)).viewer is None


async def test_nobody_is_signed_out_of_a_session_that_is_not_theirs(
    make_user: MakeUser, sign_in: SignIn, visit: Visit, sessions: Sessions, owner: Viewer
) -> None:
    ann, bob = await make_user(), await make_user("bob@minimal.test")
    bobs = await sign_in(bob)
    pairs: list[tuple[UUID, UUID]] = [(ann.id, bobs.signed_in.session_id), (ann.id, uuid4()), (uuid4(), uuid4())]

    for user_id, session_id in pairs:
        with pytest.raises(NotFound):
            async with begin(sessions) as session:
                await identity.sign_out_user(session, owner, user_id, session_id)

    assert (await visit(bobs.token)).viewer is not None
    assert await log(sessions) == []


async def test_users_are_listed_by_role_and_without_who_asks(
    make_user: MakeUser, sessions: Sessions, owner: Viewer
) -> None:
    ann = await make_user()
    await make_user("bob@minimal.test")
    async with begin(sessions) as session:
        await identity.toggle_admin(session, owner, ann.id)

    async with sessions() as session:
        listed = {
            words: [user.email.partition("@")[0] for user in await identity.users(session, criteria, limit=10)]
            for words, criteria in {
                "all": identity.UserFilter(),
                "admins": identity.UserFilter(role="admin"),
                "others": identity.UserFilter(but=owner.user_id),
                "other admins": identity.UserFilter(role="admin", but=owner.user_id),
            }.items()
        }

    assert listed == {
        "all": ["bob", "ann", "owner"],
        "admins": ["ann", "owner"],
        "others": ["bob", "ann"],
        "other admins": ["ann"],
    }
