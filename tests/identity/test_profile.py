"""What people change about their own accounts."""

import asyncio
import contextlib
from collections.abc import Hashable

import pytest
from sqlalchemy import delete, func, select

from server.config import Settings
from server.identity import authentication, password_reset, profiles, verification
from server.identity import service as identity
from server.identity.errors import EmailTaken, InvalidCredentials
from server.identity.models import PasswordReset, Session, User
from server.identity.passwords import PasswordHashing, PasswordVerdict
from server.mail.messages import EmailChanged, PasswordChanged, VerifyEmail
from server.mail.models import Mail
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import InvalidInput, TooManyRequests, Unauthenticated
from server.platform.core.models import RateLimit
from tests.identity.conftest import OTHER_PASSWORD, PASSWORD, MakeUser, Outbox, RunJobs, SignIn, Visit, link_in


async def stored(sessions: Sessions) -> User:
    async with sessions() as session:
        return (await session.scalars(select(User))).one()


async def test_a_new_name_keeps_the_session(make_user: MakeUser, sign_in: SignIn, visit: Visit) -> None:
    context = await sign_in(await make_user())

    await profiles.update_profile(context, " Ann Renamed ", None, None)

    assert context.signed_in.name == "Ann Renamed"
    assert (await visit(context.token)).signed_in.name == "Ann Renamed"
    assert context.cookies == []


async def test_the_same_values_change_nothing(make_user: MakeUser, sign_in: SignIn, outbox: Outbox) -> None:
    context = await sign_in(await make_user(verified=True))

    user = await profiles.update_profile(context, "Ann Shopper", "ANN@minimal.test", PASSWORD)

    assert context.viewer is not None
    assert user.email_verified_at is not None
    assert await outbox("ann@minimal.test") == []


async def test_an_empty_password_is_none(make_user: MakeUser, sign_in: SignIn) -> None:
    context = await sign_in(await make_user())

    await profiles.update_profile(context, None, None, "")

    assert context.viewer is not None


async def test_a_new_password_signs_out_everywhere_and_is_told(
    make_user: MakeUser, sign_in: SignIn, visit: Visit, outbox: Outbox, sessions: Sessions
) -> None:
    user = await make_user()
    here, there = await sign_in(user), await sign_in(user)

    await profiles.update_profile(here, None, None, OTHER_PASSWORD)

    assert here.viewer is None
    assert [cookie.value for cookie in here.cookies] == [None]
    assert (await visit(there.token)).viewer is None
    assert [mail.subject for mail in await outbox("ann@minimal.test")] == [PasswordChanged.subject]
    with pytest.raises(InvalidCredentials):
        await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)
    assert await authentication.sign_in(await visit(), "ann@minimal.test", OTHER_PASSWORD)


@pytest.mark.spec("states.profile.signin")
async def test_a_new_email_ends_all_sessions_notifies_the_old_one_and_must_be_verified(
    make_user: MakeUser, sign_in: SignIn, visit: Visit, outbox: Outbox, sessions: Sessions
) -> None:
    context = await sign_in(await make_user(verified=True))

    await profiles.update_profile(context, None, "New@Minimal.test", None)

    assert context.viewer is None
    assert [mail.subject for mail in await outbox("ann@minimal.test")] == [EmailChanged.subject]
    [proof] = await outbox("new@minimal.test")
    assert proof.subject == VerifyEmail.subject
    assert (await stored(sessions)).email_verified_at is None
    async with begin(sessions) as session:
        await verification.confirm(session, link_in(proof))
    assert (await stored(sessions)).email_verified_at is not None
    assert await authentication.sign_in(await visit(), "new@minimal.test", PASSWORD)


async def test_both_at_once_are_told_to_the_old_address(make_user: MakeUser, sign_in: SignIn, outbox: Outbox) -> None:
    context = await sign_in(await make_user())

    await profiles.update_profile(context, None, "new@minimal.test", OTHER_PASSWORD)

    subjects = [mail.subject for mail in await outbox("ann@minimal.test")]
    assert subjects == [EmailChanged.subject, PasswordChanged.subject]


async def test_a_change_ends_a_reset_link_on_its_way(
    make_user: MakeUser, sign_in: SignIn, visit: Visit, run_jobs: RunJobs, sessions: Sessions
) -> None:
    context = await sign_in(await make_user())
    await password_reset.forgot_password(await visit(), "ann@minimal.test")
    await run_jobs()

    await profiles.update_profile(context, None, "new@minimal.test", None)

    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(PasswordReset)) == 0


async def test_somebody_elses_email_is_taken_and_nothing_changes(
    make_user: MakeUser, sign_in: SignIn, visit: Visit, outbox: Outbox
) -> None:
    await make_user("bob@minimal.test")
    context = await sign_in(await make_user())

    with pytest.raises(EmailTaken):
        await profiles.update_profile(context, "Ann Renamed", "Bob@minimal.test", OTHER_PASSWORD)

    later = await visit(context.token)
    assert later.signed_in.name == "Ann Shopper"
    assert await outbox("ann@minimal.test") == []


async def test_of_two_who_take_one_email_at_once_one_gets_it(
    make_user: MakeUser, sign_in: SignIn, sessions: Sessions
) -> None:
    contexts = [await sign_in(await make_user(email)) for email in ("ann@minimal.test", "bob@minimal.test")]

    results = await asyncio.gather(
        *(profiles.update_profile(context, None, "new@minimal.test", None) for context in contexts),
        return_exceptions=True,
    )

    assert sorted(type(result).__name__ for result in results) == ["EmailTaken", "User"]


@pytest.mark.spec("validation.profile")
async def test_every_broken_rule_of_a_profile_is_named(make_user: MakeUser, sign_in: SignIn) -> None:
    context = await sign_in(await make_user())

    with pytest.raises(InvalidInput) as refusal:
        await profiles.update_profile(context, "Ann", "nobody", "short")

    assert list(refusal.value.errors) == ["name", "email", "password"]
    assert refusal.value.errors["name"] == "Name must be at least 5 characters"


async def test_a_password_that_only_the_reset_screen_allows_may_be_typed_again(
    sign_in: SignIn, sessions: Sessions, passwords: PasswordHashing
) -> None:
    hashed = await passwords.hash("Linen?42 with spaces")
    async with begin(sessions) as session:
        user = await identity.create(session, name="Ann Shopper", email="ann@minimal.test", password_hash=hashed)
    signed_in = await sign_in(user)

    await profiles.update_profile(signed_in, "Ann Renamed", None, "Linen?42 with spaces")

    assert signed_in.signed_in.name == "Ann Renamed"


class Counting(PasswordHashing):
    """Counts what it is asked to hash."""

    def __init__(self) -> None:
        super().__init__()
        self.runs = 0

    async def verify(self, hashed: str, password: str, client: Hashable = None) -> PasswordVerdict:
        self.runs += 1
        return await super().verify(hashed, password, client)

    async def hash(self, password: str, client: Hashable = None) -> str:
        self.runs += 1
        return await super().hash(password, client)


@pytest.mark.parametrize(
    "changes",
    [("Ann", None, OTHER_PASSWORD), (None, "nobody", OTHER_PASSWORD), (None, None, "short"), (None, None, "")],
)
async def test_a_broken_rule_is_refused_before_anything_is_hashed(
    make_user: MakeUser, sign_in: SignIn, changes: tuple[str | None, str | None, str | None]
) -> None:
    context, passwords = await sign_in(await make_user()), Counting()
    context.resources.add(passwords, PasswordHashing)

    with contextlib.suppress(InvalidInput):
        await profiles.update_profile(context, *changes)

    assert passwords.runs == 0


async def test_typed_passwords_are_compared_ten_times_in_five_minutes(make_user: MakeUser, sign_in: SignIn) -> None:
    context, passwords = await sign_in(await make_user()), Counting()
    context.resources.add(passwords, PasswordHashing)

    tried = [profiles.update_profile(context, None, None, "Reset? rule 9") for _ in range(50)]
    outcomes = [type(result).__name__ for result in await asyncio.gather(*tried, return_exceptions=True)]

    assert (outcomes.count("InvalidInput"), outcomes.count("TooManyRequests")) == (10, 40)
    assert passwords.runs == 10


async def test_a_password_changes_ten_times_an_hour(
    make_user: MakeUser, sign_in: SignIn, sessions: Sessions, outbox: Outbox
) -> None:
    user, policies = await make_user(verified=True), []
    for number in range(12):
        async with begin(sessions) as session:
            five_minutes = RateLimit.bucket.startswith("password-change:") | RateLimit.bucket.startswith("hashes")
            await session.execute(delete(RateLimit).where(five_minutes))
        try:
            await profiles.update_profile(await sign_in(user), None, None, f"Corduroy&Coat{number}")
        except TooManyRequests as refusal:
            policies.append(refusal.policy)

    assert policies == ["password-change-hour"] * 2
    assert len(await outbox(user.email)) == 10


async def test_an_account_may_say_and_ask_five_new_emails_an_hour(
    make_user: MakeUser, sign_in: SignIn, sessions: Sessions, visit: Visit
) -> None:
    await make_user("bob@minimal.test")
    user = await make_user()
    outcomes = []
    for number in range(30):
        email = "bob@minimal.test" if number % 2 else f"stranger{number}@minimal.test"
        try:
            await profiles.update_profile(await sign_in(user), None, email, None)
        except (EmailTaken, TooManyRequests) as refusal:
            outcomes.append(type(refusal).__name__)

    assert outcomes == ["EmailTaken"] * 2 + ["TooManyRequests"] * 25
    async with sessions() as session:
        to_strangers = Mail.subject == VerifyEmail.subject
        assert await session.scalar(select(func.count()).where(to_strangers)) == 3


async def test_accounts_of_one_network_share_the_count_of_its_sign_ups(make_user: MakeUser, sign_in: SignIn) -> None:
    contexts = [await sign_in(await make_user(f"ann{number}@minimal.test")) for number in range(4)]
    contexts[0].resources.get(Settings).limits.sign_ups_per_hour = 3
    for number, context in enumerate(contexts[:3]):
        await profiles.update_profile(context, None, f"new{number}@minimal.test", None)

    with pytest.raises(TooManyRequests):
        await profiles.update_profile(contexts[3], None, "new3@minimal.test", None)


async def test_a_deleted_account_changes_nothing(make_user: MakeUser, sign_in: SignIn, sessions: Sessions) -> None:
    context = await sign_in(await make_user())
    async with begin(sessions) as session:
        await identity.delete_user(session, None, context.signed_in.user_id)

    with pytest.raises(Unauthenticated):
        await profiles.update_profile(context, "Ann Renamed", None, OTHER_PASSWORD)

    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Session)) == 0
