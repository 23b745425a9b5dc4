"""Links sent by mail."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from server.config import Settings
from server.identity import authentication, email_confirmation, password_reset, profiles, recovery, verification
from server.identity import service as identity
from server.identity.errors import InvalidCredentials, LinkExpired
from server.identity.models import EmailVerification, PasswordReset, User
from server.identity.sessions import token_hash
from server.mail.messages import PasswordChanged, PasswordResetLink
from server.platform.core import jobs
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import InvalidInput, TooManyRequests
from server.platform.core.jobs import JobEnvironment
from server.platform.core.models import Job
from server.platform.core.resources import Resources
from tests.identity.conftest import PASSWORD, MakeUser, Outbox, RunJobs, SignIn, Visit, link_in

NEW_PASSWORD = "Linen?Shirt42"


async def ask(visit: Visit, run_jobs: RunJobs, email: str = "ann@minimal.test") -> None:
    await password_reset.forgot_password(await visit(), email)
    await run_jobs()


async def test_a_reset_link_sets_a_password_that_signs_in(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox
) -> None:
    await make_user()
    await ask(visit, run_jobs, "Ann@Minimal.test")
    link, *_ = await outbox("ann@minimal.test")

    await password_reset.reset_password(await visit(), link_in(link), NEW_PASSWORD)

    assert link.subject == PasswordResetLink.subject
    assert f"http://localhost:22500/reset-password?token={link_in(link)}" in link.html_body
    assert await authentication.sign_in(await visit(), "ann@minimal.test", NEW_PASSWORD)
    with pytest.raises(InvalidCredentials):
        await authentication.sign_in(await visit(), "ann@minimal.test", PASSWORD)
    assert [mail.subject for mail in await outbox("ann@minimal.test")][1:] == [PasswordChanged.subject]


@pytest.mark.spec("guards.proof")
async def test_a_reset_ends_every_session_the_askers_own_too(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox, sign_in: SignIn
) -> None:
    user = await make_user()
    here, there = await sign_in(user), await sign_in(user)
    await ask(visit, run_jobs)
    [link] = await outbox("ann@minimal.test")

    await password_reset.reset_password(here, link_in(link), NEW_PASSWORD)

    assert here.viewer is None
    assert [cookie.value for cookie in here.cookies] == [None, here.device]
    assert (await visit(there.token)).viewer is None


async def test_a_reset_link_works_once(visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox) -> None:
    await make_user()
    await ask(visit, run_jobs)
    [link] = await outbox("ann@minimal.test")
    await password_reset.reset_password(await visit(), link_in(link), NEW_PASSWORD)

    with pytest.raises(LinkExpired) as refusal:
        await password_reset.reset_password(await visit(), link_in(link), PASSWORD.replace("&", "*"))

    assert refusal.value.status == 400


async def test_a_reset_link_is_checked_without_being_used(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox, sessions: Sessions
) -> None:
    await make_user()
    await ask(visit, run_jobs)
    [link] = await outbox("ann@minimal.test")

    for _ in range(3):
        await password_reset.check_link(await visit(), link_in(link))
    await password_reset.reset_password(await visit(), link_in(link), NEW_PASSWORD)

    await ask(visit, run_jobs)
    expired, *_ = await outbox("ann@minimal.test")
    async with begin(sessions) as session:
        await session.execute(update(PasswordReset).values(expires_at=func.now()))
    for token in (link_in(link), link_in(expired), "made-up", ""):
        with pytest.raises(LinkExpired):
            await password_reset.check_link(await visit(), token)


async def test_made_up_reset_links_are_checked_so_many_times_and_no_more(visit: Visit) -> None:
    context = await visit()
    context.resources.get(Settings).limits.sign_in_failures_per_address = 2

    for number, refusal in enumerate((LinkExpired, LinkExpired, TooManyRequests)):
        with pytest.raises(refusal):
            await password_reset.check_link(context, f"made-up-{number}")


async def test_a_newer_link_voids_the_older(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox
) -> None:
    await make_user()
    await ask(visit, run_jobs)
    await ask(visit, run_jobs)
    older, newer = await outbox("ann@minimal.test")

    with pytest.raises(LinkExpired):
        await password_reset.reset_password(await visit(), link_in(older), NEW_PASSWORD)
    await password_reset.reset_password(await visit(), link_in(newer), NEW_PASSWORD)


@pytest.mark.spec("guards.link")
async def test_a_link_works_for_an_hour(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox, sessions: Sessions
) -> None:
    await make_user()
    await ask(visit, run_jobs)
    [link] = await outbox("ann@minimal.test")
    async with begin(sessions) as session:
        expires_at = (await session.scalars(select(PasswordReset.expires_at))).one()
        await session.execute(update(PasswordReset).values(expires_at=datetime.now(UTC)))

    with pytest.raises(LinkExpired):
        await password_reset.reset_password(await visit(), link_in(link), NEW_PASSWORD)

    assert timedelta(minutes=59) < expires_at - datetime.now(UTC) <= timedelta(hours=1)


async def test_only_a_hash_of_the_link_is_kept_outside_the_mail(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox, sessions: Sessions
) -> None:
    await make_user()
    await ask(visit, run_jobs)
    [link] = await outbox("ann@minimal.test")

    async with sessions() as session:
        stored = (await session.scalars(select(PasswordReset.token_hash))).one()

    assert stored == token_hash(link_in(link))
    assert link_in(link) not in link.key


async def test_asking_does_the_same_for_an_unknown_email_up_to_the_answer(
    visit: Visit, make_user: MakeUser, sessions: Sessions, run_jobs: RunJobs, outbox: Outbox
) -> None:
    await make_user()
    for email in ("ann@minimal.test", "nobody@minimal.test"):
        await password_reset.forgot_password(await visit(), email)

    async with sessions() as session:
        left_to_do = (await session.scalars(select(Job.kind))).all()
    await run_jobs()

    assert left_to_do == ["password-reset", "password-reset"]
    assert len(await outbox("ann@minimal.test")) == 1
    assert await outbox("nobody@minimal.test") == []


async def test_a_reset_mail_is_sent_after_a_random_delay(visit: Visit, make_user: MakeUser, sessions: Sessions) -> None:
    await make_user()
    before = datetime.now(UTC)
    for number in range(20):
        await password_reset.forgot_password(await visit(), f"somebody{number}@minimal.test")
    after = datetime.now(UTC)

    async with sessions() as session:
        moments = (await session.scalars(select(Job.run_at).order_by(Job.run_at))).all()

    assert len(set(moments)) == 20
    assert before < moments[0]
    assert moments[-1] < after + jobs.HIDDEN_WITHIN
    assert moments[-1] - moments[0] > jobs.HIDDEN_WITHIN / 3


async def test_a_sixth_reset_request_a_day_gets_the_same_answer_and_no_mail(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox
) -> None:
    await make_user()

    for _ in range(7):
        await ask(visit, run_jobs)

    assert len(await outbox("ann@minimal.test")) == 5


async def test_a_stranger_uses_up_nobody_elses_requests(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox
) -> None:
    await make_user()
    for _ in range(7):
        await ask(visit, run_jobs)

    await password_reset.forgot_password(await visit(ip="198.51.100.7"), "ann@minimal.test")
    await run_jobs()

    *_, newest = await outbox("ann@minimal.test")
    assert len(await outbox("ann@minimal.test")) == 6
    await password_reset.reset_password(await visit(), link_in(newest), NEW_PASSWORD)


async def test_a_known_device_has_requests_of_its_own_in_the_same_network(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox
) -> None:
    await make_user()
    owner = await visit()
    await authentication.sign_in(owner, "ann@minimal.test", PASSWORD)
    for _ in range(7):
        await ask(visit, run_jobs)

    await password_reset.forgot_password(await visit(device=owner.device), "ann@minimal.test")
    await run_jobs()

    assert len(await outbox("ann@minimal.test")) == 6


async def test_many_networks_neither_void_a_reset_link_nor_block_a_new_one(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox, sessions: Sessions
) -> None:
    await make_user()
    for number in range(30):
        await password_reset.forgot_password(await visit(ip=f"198.51.100.{number}"), "ann@minimal.test")
        await run_jobs()
    *_, last = flood = await outbox("ann@minimal.test")
    async with sessions() as session:
        stored = (await session.scalars(select(PasswordReset.token_hash))).one()
    async with begin(sessions) as session:
        await session.execute(update(PasswordReset).values(expires_at=datetime.now(UTC)))
    await password_reset.forgot_password(await visit(ip="203.0.113.1"), "ann@minimal.test")
    await run_jobs()

    assert len(flood) == 10
    assert stored == token_hash(link_in(last))
    assert len(await outbox("ann@minimal.test")) == 11


async def test_one_address_cannot_ask_for_everybody(visit: Visit) -> None:
    context = await visit()
    context.resources.get(Settings).limits.sign_in_failures_per_address = 2
    await password_reset.forgot_password(context, "a@minimal.test")
    await password_reset.forgot_password(context, "b@minimal.test")

    with pytest.raises(TooManyRequests):
        await password_reset.forgot_password(context, "c@minimal.test")


async def test_a_job_that_runs_twice_mails_one_link_and_leaves_it_valid(
    visit: Visit, make_user: MakeUser, outbox: Outbox, sessions: Sessions, resources: Resources
) -> None:
    await make_user()
    payload = {"request": "r", "email": "ann@minimal.test", "shop_url": "http://localhost:22500"}

    for _ in range(2):
        await recovery.mail_reset_link(JobEnvironment(sessions, resources), payload)

    [link] = await outbox("ann@minimal.test")
    await password_reset.reset_password(await visit(), link_in(link), NEW_PASSWORD)


@pytest.mark.parametrize("email", ["", "nobody", "a@b"])
async def test_asking_needs_a_valid_email(visit: Visit, email: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await password_reset.forgot_password(await visit(), email)

    assert refusal.value.errors == {"email": "Please enter a valid email"}


async def test_a_weak_password_does_not_use_the_link_up(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox
) -> None:
    await make_user()
    await ask(visit, run_jobs)
    [link] = await outbox("ann@minimal.test")

    with pytest.raises(InvalidInput) as refusal:
        await password_reset.reset_password(await visit(), link_in(link), "Linen#42")
    await password_reset.reset_password(await visit(), link_in(link), NEW_PASSWORD)

    assert list(refusal.value.errors) == ["newPassword"]


@pytest.mark.parametrize("token", ["", "made-up", "x" * 5_000, "a\x00b"])
async def test_made_up_links_are_refused_and_counted(visit: Visit, token: str) -> None:
    context = await visit()
    context.resources.get(Settings).limits.sign_in_failures_per_address = 1

    with pytest.raises(LinkExpired):
        await password_reset.reset_password(context, token, NEW_PASSWORD)
    with pytest.raises(TooManyRequests):
        await password_reset.reset_password(context, token, NEW_PASSWORD)


async def test_a_reset_proves_the_address(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox, sessions: Sessions
) -> None:
    await make_user(verified=False)
    await ask(visit, run_jobs)
    [link] = await outbox("ann@minimal.test")

    await password_reset.reset_password(await visit(), link_in(link), NEW_PASSWORD)

    async with sessions() as session:
        assert await session.scalar(select(User.email_verified_at)) is not None


async def test_a_verification_link_may_be_opened_twice(visit: Visit, outbox: Outbox, sessions: Sessions) -> None:
    await authentication.sign_up(await visit(), "Ann Shopper", "ann@minimal.test", PASSWORD)
    [mail] = await outbox("ann@minimal.test")

    for _ in range(2):
        async with begin(sessions) as session:
            await verification.confirm(session, link_in(mail))

    async with sessions() as session:
        assert await session.scalar(select(User.email_verified_at)) is not None


async def test_a_link_to_an_older_address_proves_nothing(visit: Visit, outbox: Outbox, sessions: Sessions) -> None:
    context = await visit()
    await authentication.sign_up(context, "Ann Shopper", "ann@minimal.test", PASSWORD)
    [mail] = await outbox("ann@minimal.test")
    await profiles.update_profile(context, None, "new@minimal.test", None)

    with pytest.raises(LinkExpired):
        async with begin(sessions) as session:
            await verification.confirm(session, link_in(mail))


async def test_what_has_expired_is_forgotten(
    visit: Visit, make_user: MakeUser, run_jobs: RunJobs, sessions: Sessions, resources: Resources
) -> None:
    await authentication.sign_up(await visit(), "Ann Shopper", "ann@minimal.test", PASSWORD)
    await ask(visit, run_jobs)
    async with begin(sessions) as session:
        await session.execute(update(PasswordReset).values(expires_at=datetime.now(UTC)))

    await identity.tidy(JobEnvironment(sessions, resources))

    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(PasswordReset)) == 0
        assert await session.scalar(select(func.count()).select_from(EmailVerification)) == 1


async def test_a_new_confirmation_link_is_mailed_and_the_older_ends(
    visit: Visit, make_user: MakeUser, outbox: Outbox, sign_in: SignIn, sessions: Sessions
) -> None:
    user = await make_user()
    async with begin(sessions) as session:
        await session.execute(update(User).values(email_verified_at=None))
    context = await sign_in(user)

    await email_confirmation.send_link(context)
    await email_confirmation.send_link(context)

    first, second = (link_in(mail) for mail in await outbox("ann@minimal.test"))
    with pytest.raises(LinkExpired):
        await email_confirmation.confirm(context, first, None)
    await email_confirmation.confirm(context, second, None)
    await email_confirmation.send_link(context)
    assert len(await outbox("ann@minimal.test")) == 2


async def test_confirmation_links_are_mailed_as_often_as_the_email_may_change(
    make_user: MakeUser, sign_in: SignIn
) -> None:
    context = await sign_in(await make_user())
    context.resources.get(Settings).limits.email_changes_per_hour = 2

    for _ in range(2):
        await email_confirmation.send_link(context)
    with pytest.raises(TooManyRequests):
        await email_confirmation.send_link(context)
