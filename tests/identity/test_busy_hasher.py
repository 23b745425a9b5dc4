"""Attempts that a busy shop refuses with 503: they are repeated, so they do not use up a limit."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from threading import Event

import pytest
from sqlalchemy import select

from server.identity import authentication, password_reset, passwords, profiles
from server.identity.passwords import PasswordHashing
from server.platform.core.context import Context
from server.platform.core.db import Sessions
from server.platform.core.errors import Unavailable
from server.platform.core.models import RateLimit
from tests.identity.conftest import PASSWORD, MakeUser, Outbox, RunJobs, SignIn, link_in

NEW = "Corduroy&Coat9"


@asynccontextmanager
async def occupied(hashing: PasswordHashing) -> AsyncIterator[None]:
    """Its only thread works on another client's password for the time of the block."""
    done = Event()
    working = asyncio.create_task(hashing._run(done.wait, "another"))
    await asyncio.sleep(0)
    try:
        yield
    finally:
        done.set()
        await working


async def counted(sessions: Sessions) -> dict[str, int]:
    """Hits by limit, without those of hashes: they count what may have been hashed."""
    async with sessions() as session:
        rows = (await session.execute(select(RateLimit.bucket, RateLimit.hits))).all()
    return {row.bucket.partition(":")[0]: row.hits for row in rows if not row.bucket.startswith("hashes")}


CASES: dict[str, tuple[set[str], Callable[[Context, str], Awaitable[object]]]] = {
    "sign up": (
        {"sign-up"},
        lambda context, _: authentication.sign_up(context, "Eve Shopper", "eve@minimal.test", PASSWORD),
    ),
    "sign in": (
        {"address", "sign-in", "sign-in-day"},
        lambda context, _: authentication.sign_in(context, "ann@minimal.test", PASSWORD),
    ),
    "change e-mail and password": (
        {"email-change", "sign-up", "password-change", "password-change-hour"},
        lambda context, _: profiles.update_profile(context, None, "new@minimal.test", NEW),
    ),
    "set a password by mail": ({"address"}, lambda context, token: password_reset.reset_password(context, token, NEW)),
}


@pytest.mark.parametrize("case", CASES)
async def test_attempt_whose_hash_comes_too_late_uses_up_no_limit(
    make_user: MakeUser,
    sign_in: SignIn,
    outbox: Outbox,
    run_jobs: RunJobs,
    sessions: Sessions,
    monkeypatch: pytest.MonkeyPatch,
    case: str,
) -> None:
    limits, attempt = CASES[case]
    context, hashing = await sign_in(await make_user()), PasswordHashing(threads=1)
    context.resources.add(hashing, PasswordHashing)
    await password_reset.forgot_password(context, "ann@minimal.test")
    await run_jobs()
    token = link_in((await outbox("ann@minimal.test"))[-1])
    monkeypatch.setattr(passwords, "LONGEST_WAIT", 0.05)

    async with occupied(hashing):
        with pytest.raises(Unavailable):
            await attempt(context, token)
    refused = await counted(sessions)
    monkeypatch.undo()
    await attempt(context, token)

    assert {name: refused[name] for name in limits} == dict.fromkeys(limits, 0)


async def test_a_wrong_present_password_counts_even_when_hashing_times_out(
    make_user: MakeUser, sign_in: SignIn, sessions: Sessions
) -> None:
    class Late(PasswordHashing):
        async def hash(self, password: str, client: Hashable = None) -> str:
            raise Unavailable

    context = await sign_in(await make_user())
    context.resources.add(Late(), PasswordHashing)

    with pytest.raises(Unavailable):
        await profiles.update_profile(context, None, None, NEW)

    assert await counted(sessions) == {"password-change": 1, "password-change-hour": 1}
