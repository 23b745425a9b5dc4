"""Signing in with a password, the sessions that come of it, and how often one may guess."""

import asyncio
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from argon2 import PasswordHasher, extract_parameters
from sqlalchemy import delete, func, select, update

from server.config import Settings
from server.identity import authentication
from server.identity import service as identity
from server.identity.errors import InvalidCredentials
from server.identity.models import Session, User
from server.identity.passwords import PasswordHashing
from server.identity.sessions import viewer_of_token
from server.mail.messages import SignInLocked
from server.platform.core.context import Context
from server.platform.core.db import Sessions, begin, create_engine, sessionmaker
from server.platform.core.errors import InvalidInput, NotFound, TooManyRequests, Unavailable
from server.platform.core.models import RateLimit
from tests.identity.conftest import OTHER_PASSWORD, PASSWORD, MakeUser, Outbox, RunJobs, SignIn, Visit
from tests.statements import counted_statements


@pytest.mark.spec("constants.session.length")
async def test_signing_in_starts_a_session_of_24_hours(visit: Visit, make_user: MakeUser) -> None:
    user = await make_user()
    before = datetime.now(UTC)

    viewer = await authentication.sign_in(await visit(), " ANN@minimal.test", PASSWORD)

    assert viewer.user_id == user.id
    assert timedelta(hours=24) <= viewer.expires_at - before < timedelta(hours=24, seconds=5)


@pytest.mark.spec("errors.signin")
@pytest.mark.parametrize(("email", "password"), [("ann@minimal.test", OTHER_PASSWORD), ("bob@minimal.test", PASSWORD)])
async def test_a_wrong_password_and_an_unknown_email_are_refused_alike(
    visit: Visit, make_user: MakeUser, email: str, password: str
) -> None:
    await make_user("ann@minimal.test")
    context = await visit()

    with pytest.raises(InvalidCredentials) as refusal:
        await authentication.sign_in(context, email, password)

    assert str(refusal.value) == "Invalid credentials"
    assert refusal.value.status == 401
    assert context.cookies == []


async def test_an_account_without_a_password_is_refused_as_well(visit: Visit, sessions: Sessions) -> None:
    async with begin(sessions) as session:
        await identity.create(session, name="Ann Google", email="ann@minimal.test", password_hash=None)

    with pytest.raises(InvalidCredentials):
        await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)


async def test_a_password_without_an_account_costs_one_hash_and_never_matches(
    passwords: PasswordHashing,
) -> None:
    costs = extract_parameters(await passwords.hash(PASSWORD))

    assert extract_parameters(passwords.dummy_hash) == costs
    assert passwords.dummy_hash != PasswordHashing().dummy_hash
    assert not (await passwords.verify(passwords.dummy_hash, PASSWORD)).is_right


async def test_signing_in_again_ends_the_session_that_the_browser_had(
    visit: Visit, make_user: MakeUser, sign_in: SignIn, sessions: Sessions
) -> None:
    context = await sign_in(await make_user())
    old_token = context.token
    assert old_token is not None

    await authentication.sign_in(context, "ann@minimal.test", PASSWORD)

    async with sessions() as session:
        assert await viewer_of_token(session, old_token) is None
        assert await session.scalar(select(func.count()).select_from(Session)) == 1
    assert context.token not in (None, old_token)


async def test_the_answer_sets_the_cookie_once_even_when_a_stale_one_was_to_be_deleted(
    visit: Visit, make_user: MakeUser
) -> None:
    await make_user()
    context = await visit()
    await authentication.sign_out(context)

    await authentication.sign_in(context, "ann@minimal.test", PASSWORD)

    assert [(cookie.name, cookie.value) for cookie in context.cookies] == [
        ("accessToken-22500", context.token),
        ("device-22500", context.device),
    ]


async def test_an_expired_session_is_no_session(make_user: MakeUser, sign_in: SignIn, sessions: Sessions) -> None:
    context = await sign_in(await make_user())
    assert context.token is not None
    async with begin(sessions) as session:
        await session.execute(update(Session).values(expires_at=datetime.now(UTC)))

    async with sessions() as session:
        viewer = await viewer_of_token(session, context.token)

    assert viewer is None


@pytest.mark.parametrize("token", ["", "made-up", "\udcff", "x" * 5_000])
async def test_a_made_up_token_is_nobody(sessions: Sessions, token: str) -> None:
    async with sessions() as session:
        assert await viewer_of_token(session, token) is None


async def test_who_asks_is_found_with_one_statement(make_user: MakeUser, sign_in: SignIn, sessions: Sessions) -> None:
    context = await sign_in(await make_user())
    assert context.token is not None

    async with begin(sessions) as session:
        with counted_statements() as statements:
            await viewer_of_token(session, context.token)

    assert len(statements) == 1


async def test_a_promotion_counts_at_the_next_request(
    visit: Visit, make_user: MakeUser, sign_in: SignIn, sessions: Sessions
) -> None:
    context = await sign_in(await make_user())
    async with begin(sessions) as session:
        await identity.toggle_admin(session, None, context.signed_in.user_id)

    later = await visit(context.token)

    assert (context.signed_in.is_admin, later.signed_in.is_admin) == (False, True)


async def test_being_seen_is_noted_every_five_minutes(
    visit: Visit, make_user: MakeUser, sign_in: SignIn, sessions: Sessions
) -> None:
    context = await sign_in(await make_user())
    long_ago = datetime.now(UTC) - timedelta(minutes=6)
    async with begin(sessions) as session:
        await session.execute(update(Session).values(last_seen_at=long_ago))

    await visit(context.token)
    async with sessions() as session:
        [row] = await identity.sessions_of(session, context.signed_in)

    assert row.last_seen_at > long_ago + timedelta(minutes=5)


async def test_signing_out_ends_this_session_and_no_other(visit: Visit, make_user: MakeUser, sign_in: SignIn) -> None:
    user = await make_user()
    here, there = await sign_in(user), await sign_in(user)
    token = here.token

    await authentication.sign_out(here)

    assert (await visit(token)).viewer is None
    assert (await visit(there.token)).viewer is not None
    assert [cookie.value for cookie in here.cookies] == [None]


async def test_own_sessions_are_listed_this_one_first_and_others_can_be_ended(
    visit: Visit, make_user: MakeUser, sign_in: SignIn, sessions: Sessions
) -> None:
    user = await make_user()
    here, there = await sign_in(user), await sign_in(user)
    async with begin(sessions) as session:
        listed = await identity.sessions_of(session, here.signed_in)
        await identity.end_other_session(session, here.signed_in, listed[1].id)

    assert [row.id for row in listed] == [here.signed_in.session_id, there.signed_in.session_id]
    assert (await visit(there.token)).viewer is None
    assert (await visit(here.token)).viewer is not None


async def test_neither_the_current_session_nor_a_strangers_is_ended(
    make_user: MakeUser, sign_in: SignIn, visit: Visit, sessions: Sessions
) -> None:
    here, stranger = await sign_in(await make_user()), await sign_in(await make_user("bob@minimal.test"))

    for session_id in (here.signed_in.session_id, stranger.signed_in.session_id):
        with pytest.raises(NotFound):
            async with begin(sessions) as session:
                await identity.end_other_session(session, here.signed_in, session_id)

    assert (await visit(here.token)).viewer is not None
    assert (await visit(stranger.token)).viewer is not None


async def test_ten_failures_lock_an_account_for_five_minutes_even_for_the_right_password(
    visit: Visit, make_user: MakeUser
) -> None:
    await make_user()
    for number in range(10):
        with pytest.raises(InvalidCredentials):
            await authentication.sign_in(await visit(ip=f"192.0.2.{number}"), "ann@minimal.test", OTHER_PASSWORD)

    with pytest.raises(TooManyRequests) as refusal:
        await authentication.sign_in(await visit(ip="192.0.2.99"), "Ann@minimal.test", PASSWORD)

    assert 290 <= refusal.value.retry_after <= 300


async def fail(visit: Visit, times: int, email: str = "ann@minimal.test") -> None:
    for number in range(times):
        with pytest.raises(InvalidCredentials):
            await authentication.sign_in(await visit(ip=f"192.0.2.{number}"), email, OTHER_PASSWORD)


@pytest.mark.spec("guards.limits")
async def test_a_browser_that_signed_in_before_is_not_locked_out_by_strangers(
    visit: Visit, make_user: MakeUser
) -> None:
    await make_user()
    owner = await visit()
    await authentication.sign_in(owner, "ann@minimal.test", PASSWORD)
    await fail(visit, 10)

    with pytest.raises(TooManyRequests):
        await authentication.sign_in(await visit(ip="198.51.100.7"), "ann@minimal.test", PASSWORD)
    viewer = await authentication.sign_in(await visit(device=owner.device), "ann@minimal.test", PASSWORD)

    assert viewer.email == "ann@minimal.test"


async def test_a_network_that_failed_too_often_is_open_to_browsers_that_signed_in_before(
    visit: Visit, make_user: MakeUser
) -> None:
    await make_user()
    owner = await visit()
    owner.resources.get(Settings).limits.sign_in_failures_per_address = 3
    await authentication.sign_in(owner, "ann@minimal.test", PASSWORD)
    for number in range(3):
        with pytest.raises(InvalidCredentials):
            await authentication.sign_in(await visit(), f"nobody{number}@minimal.test", PASSWORD)

    with pytest.raises(TooManyRequests):
        await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)

    assert await authentication.sign_in(await visit(device=owner.device), "ann@minimal.test", PASSWORD)


async def test_a_known_browser_guesses_ten_times_too_and_at_its_own_account_alone(
    visit: Visit, make_user: MakeUser
) -> None:
    await make_user()
    await make_user("bob@minimal.test")
    bob = await visit()
    await authentication.sign_in(bob, "bob@minimal.test", PASSWORD)

    for email in ("bob@minimal.test", "ann@minimal.test"):
        for _ in range(10):
            with pytest.raises(InvalidCredentials):
                await authentication.sign_in(await visit(device=bob.device), email, OTHER_PASSWORD)
        with pytest.raises(TooManyRequests):
            await authentication.sign_in(await visit(device=bob.device), email, PASSWORD)

    assert await authentication.sign_in(await visit(), "bob@minimal.test", PASSWORD)


async def test_a_lock_is_told_by_mail_once_a_day_and_to_nobody_else(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox, sessions: Sessions
) -> None:
    await make_user()
    await fail(visit, 9)
    await run_jobs()
    before = await outbox("ann@minimal.test")
    for _ in range(2):
        await fail(visit, 1)
        await fail(visit, 10, "nobody@minimal.test")
        await run_jobs()
        async with begin(sessions) as session:
            await session.execute(delete(RateLimit))
        await fail(visit, 9)

    assert before == []
    assert [mail.subject for mail in await outbox("ann@minimal.test")] == [SignInLocked.subject]
    assert await outbox("nobody@minimal.test") == []


async def test_an_account_keeps_its_fifty_newest_sessions(
    visit: Visit, make_user: MakeUser, sign_in: SignIn, sessions: Sessions
) -> None:
    user = await make_user()
    oldest, second = await sign_in(user), await sign_in(user)
    for _ in range(49):
        await sign_in(user)

    assert (await visit(oldest.token)).viewer is None
    assert (await visit(second.token)).viewer is not None
    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Session)) == 50


async def test_passwords_are_hashed_so_often_for_one_network_and_no_oftener(visit: Visit, make_user: MakeUser) -> None:
    await make_user()
    (await visit()).resources.get(Settings).limits.sign_in_failures_per_address = 1
    for _ in range(3):
        await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)

    with pytest.raises(TooManyRequests):
        await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)


async def test_successes_do_not_count(visit: Visit, make_user: MakeUser) -> None:
    await make_user()
    context = await visit()
    context.resources.get(Settings).limits.sign_in_failures_per_account = 2

    for _ in range(5):
        await authentication.sign_in(context, "ann@minimal.test", PASSWORD)

    with pytest.raises(InvalidCredentials):
        await authentication.sign_in(context, "ann@minimal.test", OTHER_PASSWORD)


@pytest.mark.spec("guards.limits")
async def test_failures_of_one_address_count_over_all_accounts(visit: Visit) -> None:
    context = await visit()
    context.resources.get(Settings).limits.sign_in_failures_per_address = 3
    for number in range(3):
        with pytest.raises(InvalidCredentials):
            await authentication.sign_in(context, f"nobody{number}@minimal.test", PASSWORD)

    with pytest.raises(TooManyRequests):
        await authentication.sign_in(context, "nobody9@minimal.test", PASSWORD)
    with pytest.raises(InvalidCredentials):
        await authentication.sign_in(await visit(ip="198.51.100.7"), "nobody9@minimal.test", PASSWORD)


async def test_guesses_made_at_once_by_two_processes_share_the_count(
    visit: Visit, make_user: MakeUser, database_url: str
) -> None:
    await make_user()
    other_engine = create_engine(database_url)
    here, there = await visit(), await visit()
    there.sessions = sessionmaker(other_engine)

    guesses = [authentication.sign_in(each, "ann@minimal.test", OTHER_PASSWORD) for each in (here, there) * 15]
    results = await asyncio.gather(*guesses, return_exceptions=True)
    await other_engine.dispose()

    kinds = [type(result).__name__ for result in results]
    assert (kinds.count("InvalidCredentials"), kinds.count("TooManyRequests")) == (10, 20)


async def test_a_malformed_sign_in_is_refused_before_it_counts(visit: Visit) -> None:
    context = await visit()
    context.resources.get(Settings).limits.sign_in_failures_per_address = 1

    for _ in range(3):
        with pytest.raises(InvalidInput):
            await authentication.sign_in(context, "nobody", "")


@pytest.mark.spec("guards.limits")
async def test_known_devices_of_one_network_share_a_higher_count_of_hashes(visit: Visit, make_user: MakeUser) -> None:
    await make_user()
    context = await visit()
    await authentication.sign_in(context, "ann@minimal.test", PASSWORD)
    context.resources.get(Settings).limits.sign_in_failures_per_address = 1
    policies = []
    for _ in range(11):
        again = await visit(device=context.device)
        try:
            await authentication.sign_in(again, "ann@minimal.test", PASSWORD)
            context = again
        except TooManyRequests as refusal:
            policies.append(refusal.policy)
    elsewhere = await visit(ip="192.0.2.77", device=context.device)

    assert policies == ["hashes-devices"] * 2
    assert (await authentication.sign_in(elsewhere, "ann@minimal.test", PASSWORD)).email == "ann@minimal.test"


@pytest.mark.usefixtures("costly_hashes")
async def test_a_hash_with_older_costs_is_made_anew_at_sign_in(visit: Visit, sessions: Sessions) -> None:
    old = PasswordHasher(time_cost=1, memory_cost=8_192, parallelism=1).hash(PASSWORD)
    async with begin(sessions) as session:
        await identity.create(session, name="Ann Old", email="ann@minimal.test", password_hash=old)

    await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)

    async with sessions() as session:
        fresh = await session.scalar(select(User.password_hash))
    assert fresh is not None
    assert fresh.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


async def test_a_password_that_changes_while_it_is_checked_starts_no_session(
    visit: Visit, make_user: MakeUser, sessions: Sessions, passwords: PasswordHashing
) -> None:
    user = await make_user()
    changed = await passwords.hash(OTHER_PASSWORD)
    async with begin(sessions) as session:
        await session.execute(update(User).values(password_hash=changed))

    with pytest.raises(InvalidCredentials):
        async with begin(sessions) as session:
            await identity.confirm_credentials(session, user, None)


async def test_a_full_queue_of_hashes_says_so_and_costs_no_attempt(visit: Visit, make_user: MakeUser) -> None:
    await make_user()
    busy = PasswordHashing(threads=1, most_waiting=0)
    context: Context = await visit()
    context.resources.add(busy)
    context.resources.get(Settings).limits.sign_in_failures_per_account = 1

    done = Event()
    hashing = asyncio.create_task(busy._run(done.wait, "another"))
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await authentication.sign_in(context, "ann@minimal.test", PASSWORD)
    done.set()
    await hashing
    viewer = await authentication.sign_in(context, "ann@minimal.test", PASSWORD)

    assert viewer.email == "ann@minimal.test"
