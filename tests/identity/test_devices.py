"""Browsers that are known to have signed in to an account before."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from server.identity import authentication, devices, password_reset, profiles
from server.identity.models import KnownDevice
from server.identity.sessions import token_hash
from server.platform.core.db import Sessions, begin
from tests.identity.conftest import OTHER_PASSWORD, PASSWORD, MakeUser, Outbox, RunJobs, Visit, link_in

ANN, BOB = "ann@minimal.test", "bob@minimal.test"


async def is_known(sessions: Sessions, token: str | None, email: str = ANN) -> bool:
    async with sessions() as session:
        return await devices.find(session, token, email) is not None


async def test_signing_in_makes_a_known_device_of_which_only_a_hash_is_kept(
    visit: Visit, make_user: MakeUser, sessions: Sessions
) -> None:
    await make_user(ANN)
    context = await visit()

    await authentication.sign_in(context, ANN, PASSWORD)

    async with sessions() as session:
        device = (await session.scalars(select(KnownDevice))).one()
    assert context.device is not None
    assert device.token_hash == token_hash(context.device)
    assert timedelta(days=364) < device.expires_at - datetime.now(UTC) <= timedelta(days=365)
    assert await is_known(sessions, context.device)
    assert not await is_known(sessions, context.device, BOB)


@pytest.mark.spec("guards.device")
async def test_a_planted_device_cookie_is_worth_nothing_once_somebody_signs_in_with_it(
    visit: Visit, make_user: MakeUser, sessions: Sessions
) -> None:
    for email in (ANN, BOB):
        await make_user(email)
    thief = await visit()
    await authentication.sign_in(thief, BOB, PASSWORD)
    planted = thief.device

    victim = await visit(device=planted)
    await authentication.sign_in(victim, ANN, PASSWORD)

    assert [await is_known(sessions, planted, email) for email in (ANN, BOB)] == [False, False]
    assert [await is_known(sessions, victim.device, email) for email in (ANN, BOB)] == [True, True]


async def test_a_device_is_known_for_a_year(visit: Visit, make_user: MakeUser, sessions: Sessions) -> None:
    await make_user(ANN)
    context = await visit()
    await authentication.sign_in(context, ANN, PASSWORD)
    async with begin(sessions) as session:
        await session.execute(update(KnownDevice).values(expires_at=datetime.now(UTC)))

    assert not await is_known(sessions, context.device)


async def test_an_account_keeps_its_twenty_newest_devices(
    visit: Visit, make_user: MakeUser, sessions: Sessions
) -> None:
    user = await make_user(ANN)
    tokens = []
    for _ in range(22):
        async with begin(sessions) as session:
            tokens.append(await devices.remember(session, user.id, None, knows_password=True))

    assert [await is_known(sessions, token) for token in tokens] == [False] * 2 + [True] * 20


async def test_a_device_keeps_its_twenty_newest_accounts(make_user: MakeUser, sessions: Sessions) -> None:
    emails, token = [f"shopper{number}@minimal.test" for number in range(22)], None
    for email in emails:
        user = await make_user(email)
        async with begin(sessions) as session:
            token = await devices.remember(session, user.id, token, knows_password=True)

    assert [await is_known(sessions, token, email) for email in emails] == [False] * 2 + [True] * 20
    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(KnownDevice)) == 20


async def test_a_new_password_leaves_the_device_that_set_it(
    visit: Visit, make_user: MakeUser, sessions: Sessions
) -> None:
    await make_user(ANN)
    here, elsewhere = await visit(), await visit()
    for context in (elsewhere, here):
        await authentication.sign_in(context, ANN, PASSWORD)

    await profiles.update_profile(here, None, None, OTHER_PASSWORD)

    assert await is_known(sessions, here.device)
    assert not await is_known(sessions, elsewhere.device)


@pytest.mark.spec("guards.proof")
async def test_a_reset_forgets_every_browser_but_the_one_that_set_the_password(
    visit: Visit, make_user: MakeUser, sessions: Sessions, run_jobs: RunJobs, outbox: Outbox
) -> None:
    await make_user(ANN)
    here, elsewhere = await visit(), await visit()
    await authentication.sign_in(elsewhere, ANN, PASSWORD)
    await password_reset.forgot_password(here, ANN)
    await run_jobs()

    await password_reset.reset_password(here, link_in((await outbox(ANN))[0]), OTHER_PASSWORD)

    assert await is_known(sessions, here.device)
    assert not await is_known(sessions, elsewhere.device)


async def test_made_up_device_cookies_are_unknown(sessions: Sessions, make_user: MakeUser) -> None:
    await make_user(ANN)

    assert [await is_known(sessions, token) for token in (None, "", "made-up", "\udcff", "x" * 5_000)] == [False] * 5
    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(KnownDevice)) == 0
