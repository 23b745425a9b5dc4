"""Mails are sent at least once, each under one Message-ID, whatever dies in between."""

import asyncio
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import func, select, text, update

from server.mail import service as mail
from server.mail.gateway import NotSent, SmtpServer
from server.mail.messages import PasswordChanged
from server.mail.models import Mail
from server.platform.core import failed_jobs, jobs
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.models import FailedJob, Job
from server.platform.core.resources import Resources
from tests.due_jobs import run_due
from tests.mail.conftest import MailServer
from tests.mail.outbox import SENDER, SHOP, make_due, put, the_mail


def env(sessions: Sessions, server: MailServer) -> JobEnvironment:
    return JobEnvironment(sessions, Resources(SmtpServer(server.url, SENDER)))


async def send_due(sessions: Sessions, server: MailServer) -> None:
    await run_due(Worker(env(sessions, server), mail.HANDLERS))


async def test_a_mail_is_sent_after_the_commit_and_marked(sessions: Sessions, mail_server: MailServer) -> None:
    await put(sessions)

    await send_due(sessions, mail_server)

    [message] = mail_server.messages
    row = await the_mail(sessions)
    assert message["Message-ID"] == row.message_id
    assert row.sent_at is not None
    assert (row.text_body, row.html_body) == ("", "")
    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Job)) == 0


async def test_a_rolled_back_transaction_mails_nothing(sessions: Sessions, mail_server: MailServer) -> None:
    async with sessions() as session:
        await mail.enqueue(session, PasswordChanged(), key="k", to="ann@minimal.test", shop_url=SHOP)
        await session.rollback()

    await send_due(sessions, mail_server)

    assert mail_server.messages == []


async def test_one_key_is_one_mail(sessions: Sessions, mail_server: MailServer) -> None:
    results = [await put(sessions), await put(sessions, to="other@minimal.test"), await put(sessions, key="another")]

    await send_due(sessions, mail_server)

    assert results == [True, False, True]
    assert len(mail_server.messages) == 2


async def test_one_key_enqueued_at_once_by_many_is_one_mail(sessions: Sessions) -> None:
    results = await asyncio.gather(*(put(sessions) for _ in range(10)))

    assert sorted(results) == [False] * 9 + [True]


async def test_a_mail_that_was_not_taken_for_now_is_tried_again_and_never_lost(
    sessions: Sessions, mail_server: MailServer
) -> None:
    await put(sessions)
    mail_server.refusal = "451 later"
    waits = []
    for _ in range(14):
        await send_due(sessions, mail_server)
        async with sessions() as session:
            waits.append((await session.scalars(select(Job.run_at))).one() - datetime.now(UTC))
        await make_due(sessions)
    mail_server.refusal = None

    await send_due(sessions, mail_server)

    assert len(mail_server.messages) == 1
    assert waits[0] <= timedelta(seconds=1) < waits[3] < waits[5]
    assert max(waits) <= timedelta(minutes=5)


@pytest.mark.parametrize(
    ("command", "reason"),
    [("RCPT", "MailRejected: recipient refused: 550"), ("DATA", "MailRejected: SMTPDataError 550")],
)
async def test_a_mail_that_is_refused_for_good_is_given_up_at_once_and_listed(
    sessions: Sessions, mail_server: MailServer, command: str, reason: str
) -> None:
    await put(sessions, to="nobody@minimal.test")
    await put(sessions, key="another")
    mail_server.refusals = {(command, "nobody@minimal.test"): "550 never heard of nobody@minimal.test"}

    for _ in range(3):
        await send_due(sessions, mail_server)
        await make_due(sessions)

    async with sessions() as session:
        [failed] = await failed_jobs.page(session, 10)
        assert await session.scalar(select(func.count()).select_from(Job)) == 0
    assert (failed.kind, failed.attempts, failed.error) == ("mail", 1, reason)
    assert [message["To"] for message in mail_server.messages] == ["ann@minimal.test"]
    assert mail_server.asked.count(("RCPT", "nobody@minimal.test")) == 1


async def test_mail_that_cannot_be_built_is_given_up_at_once(sessions: Sessions, mail_server: MailServer) -> None:
    await put(sessions, to="x@[1")

    await send_due(sessions, mail_server)

    async with sessions() as session:
        [failed] = await failed_jobs.page(session, 10)
    assert (failed.kind, failed.attempts) == ("mail", 1)
    assert failed.error == "MailRejected: the mail cannot be built: AttributeError"


async def test_a_recipient_that_is_refused_for_now_is_asked_again(sessions: Sessions, mail_server: MailServer) -> None:
    await put(sessions)
    mail_server.refusals = {("RCPT", "ann@minimal.test"): "450 greylisted"}
    await send_due(sessions, mail_server)
    mail_server.refusals = {}
    await make_due(sessions)

    await send_due(sessions, mail_server)

    assert len(mail_server.messages) == 1
    assert mail_server.asked.count(("RCPT", "ann@minimal.test")) == 2


async def test_a_refusal_that_is_about_the_shop_is_no_verdict_on_the_mail(
    sessions: Sessions, mail_server: MailServer
) -> None:
    await put(sessions)
    mail_server.refusals = {("MAIL", "shop@minimal.test"): "550 you are on a list"}
    await send_due(sessions, mail_server)
    mail_server.refusals = {}
    await make_due(sessions)

    await send_due(sessions, mail_server)

    assert len(mail_server.messages) == 1


async def test_a_mail_that_is_never_taken_is_given_up_after_about_a_day(
    sessions: Sessions, mail_server: MailServer
) -> None:
    await put(sessions)
    mail_server.refusal = "451 later"
    async with begin(sessions) as session:
        await session.execute(update(Job).values(attempts=jobs.ATTEMPTS_OF_A_DAY - 1))

    await send_due(sessions, mail_server)

    waits = [min(2.0**attempt, jobs.LONGEST_WAIT.total_seconds()) for attempt in range(jobs.ATTEMPTS_OF_A_DAY)]
    assert 24 < sum(waits) / 3600 < 26
    async with sessions() as session:
        [failed] = await failed_jobs.page(session, 10)
    assert (failed.attempts, failed.error) == (jobs.ATTEMPTS_OF_A_DAY, "NotSent: SMTPDataError 451")


async def test_a_mail_that_failed_is_sent_when_it_is_started_again(sessions: Sessions, mail_server: MailServer) -> None:
    await put(sessions)
    mail_server.refusal = "550 never heard of them"
    await send_due(sessions, mail_server)
    mail_server.refusal = None
    async with begin(sessions) as session:
        [failed] = await failed_jobs.page(session, 10)
        await jobs.restart(session, failed.id)

    await send_due(sessions, mail_server)

    assert len(mail_server.messages) == 1
    async with sessions() as session:
        assert await failed_jobs.count(session) == 0


async def test_a_mail_server_that_is_away_loses_nothing(sessions: Sessions, mail_server: MailServer) -> None:
    await put(sessions)
    nowhere = JobEnvironment(sessions, Resources(SmtpServer("smtp://127.0.0.1:9", SENDER)))
    await run_due(Worker(nowhere, mail.HANDLERS))
    async with sessions() as session:
        reason = (await session.scalars(select(Job.last_error))).one()
    await make_due(sessions)

    await send_due(sessions, mail_server)

    assert len(mail_server.messages) == 1
    assert reason == "NotSent: SMTPConnectError"


async def test_a_mail_sent_twice_after_a_kill_keeps_its_message_id(
    sessions: Sessions, mail_server: MailServer, database_url: str
) -> None:
    await put(sessions)
    command = [sys.executable, "-m", "tests.mail.one_worker", database_url, mail_server.url]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
    mail_server.on_taken = lambda: os.kill(process.pid, signal.SIGKILL)
    try:
        await asyncio.to_thread(process.wait, 20)
    finally:
        process.kill()
    mail_server.on_taken = None
    unmarked = await the_mail(sessions)

    await send_due(sessions, mail_server)
    sent_during_lease = len(mail_server.messages)
    async with begin(sessions) as session:
        await session.execute(update(Job).values(leased_until=func.now() - text("interval '1 second'")))
    await send_due(sessions, mail_server)

    first, second = mail_server.messages
    assert process.returncode == -signal.SIGKILL
    assert unmarked.sent_at is None
    assert sent_during_lease == 1
    assert first["Message-ID"] == second["Message-ID"] == unmarked.message_id
    assert first.as_bytes() == second.as_bytes()
    assert (await the_mail(sessions)).sent_at is not None


async def test_a_process_killed_after_marking_sends_no_repeat(sessions: Sessions, mail_server: MailServer) -> None:
    await put(sessions)
    row = await the_mail(sessions)
    await mail.deliver(env(sessions, mail_server), {"mail_id": str(row.id)})

    await send_due(sessions, mail_server)

    assert len(mail_server.messages) == 1


async def test_two_workers_send_each_mail_once(sessions: Sessions, mail_server: MailServer) -> None:
    for number in range(30):
        await put(sessions, key=str(number))

    for _ in range(3):
        await asyncio.gather(*(send_due(sessions, mail_server) for _ in range(2)))

    ids = [message["Message-ID"] for message in mail_server.messages]
    assert (len(ids), len(set(ids))) == (30, 30)


async def test_mails_sent_a_month_ago_are_forgotten_and_waiting_ones_kept(
    sessions: Sessions, mail_server: MailServer
) -> None:
    for key in ("old", "new", "waiting"):
        await put(sessions, key=key)
    async with begin(sessions) as session:
        for key, days in (("old", 31), ("new", 29)):
            await session.execute(
                update(Mail).where(Mail.key == key).values(sent_at=datetime.now(UTC) - timedelta(days=days))
            )

    await mail.tidy(env(sessions, mail_server))

    async with sessions() as session:
        assert set(await session.scalars(select(Mail.key))) == {"new", "waiting"}


async def test_mails_that_failed_a_month_ago_are_removed_and_unsent_ones_stay(
    sessions: Sessions, mail_server: MailServer
) -> None:
    await put(sessions, key="refused", to="nobody@minimal.test")
    mail_server.refusal = "550 never heard of them"
    await send_due(sessions, mail_server)
    await put(sessions, key="waiting")
    async with begin(sessions) as session:
        await session.execute(update(Mail).values(created_at=func.now() - timedelta(days=31)))
        await session.execute(update(FailedJob).values(failed_at=func.now() - timedelta(days=31)))

    await mail.tidy(env(sessions, mail_server))

    async with sessions() as session:
        assert list(await session.scalars(select(Mail.key))) == ["waiting"]
        assert await failed_jobs.count(session) == 0


async def test_a_reason_for_failure_names_nobody(mail_server: MailServer) -> None:
    row = Mail(
        id=uuid4(),
        recipient="ann@minimal.test",
        message_id="<1@localhost>",
        subject="s",
        text_body="t",
        html_body="h",
        created_at=datetime.now(UTC),
    )
    mail_server.refusal = "550 ann@minimal.test is unknown here"

    with pytest.raises(NotSent) as refusal:
        await SmtpServer(mail_server.url, SENDER).send(row)

    assert str(refusal.value) == "SMTPDataError 550"
