"""The outbox: mails are stored in the transaction of the change that they report, and sent after the commit."""

from datetime import timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import urljoin, urlsplit

from sqlalchemy import Text, cast, delete, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.crash_points import CrashPoint
from server.mail.gateway import MailRejected, SmtpServer
from server.mail.messages import Message
from server.mail.models import Mail
from server.mail.rendering import render
from server.mail.unconfirmed import for_unconfirmed
from server.platform.core import failed_jobs, jobs
from server.platform.core.db import begin
from server.platform.core.jobs import GivenUp, JobKind
from server.platform.core.models import Job
from server.shop import service as shop

JOB = "mail"
KEPT = timedelta(days=30)


async def enqueue(
    session: AsyncSession, message: Message, *, key: str, to: str, shop_url: str, is_confirmed: bool = False
) -> bool:
    """Puts a mail into the outbox, once per `key` ("order:{id}:confirmation"). Returns whether it was new.

    `is_confirmed` when the recipient has shown that the address is theirs; otherwise text that people typed is repeated
    in part only.

    Links in the mail begin with `shop_url` (settings.public_url). The Message-ID derives from the key, so that mail
    programs can recognize a mail that was sent twice after a crash.
    """
    message = message if is_confirmed else for_unconfirmed(message)
    shop_name = await shop.name(session)
    text, html = render(message, shop_url, shop_name)
    mail = insert(Mail).values(
        key=key,
        message_id=f"<{sha256(key.encode()).hexdigest()[:40]}@{urlsplit(shop_url).hostname}>",
        recipient=to,
        subject=message.subject_of(shop_name),
        text_body=text,
        html_body=html,
        unsubscribe_url=urljoin(f"{shop_url}/", message.unsubscribe) if message.unsubscribe else None,
    )
    # The Message-ID derives from the key, so a simultaneous duplicate can violate either of the two constraints.
    mail_id = await session.scalar(mail.on_conflict_do_nothing().returning(Mail.id))
    if mail_id is not None:
        await jobs.enqueue(session, JOB, {"mail_id": str(mail_id)}, key=f"{JOB}:{mail_id}")
    return mail_id is not None


async def deliver(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Sends one mail of the outbox, at least once. Raises NotSent for a retry, GivenUp when that is pointless.

    The bodies are emptied after sending, since their links may be as good as a password.
    """
    mail_id = jobs.job_id(payload, "mail_id")
    async with env.sessions() as session:
        mail = await session.scalar(select(Mail).where(Mail.id == mail_id, Mail.sent_at.is_(None)))
    if mail is None:
        return
    CrashPoint.MAIL_BEFORE_SEND.reach()
    try:
        await env.resources.get(SmtpServer).send(mail)
    except MailRejected as error:
        raise GivenUp from error
    CrashPoint.MAIL_SENT.reach()
    async with begin(env.sessions) as session:
        sent = {"sent_at": func.now(), "text_body": "", "html_body": "", "unsubscribe_url": None}
        await session.execute(update(Mail).where(Mail.id == mail_id).values(**sent))
    CrashPoint.MAIL_NOTED.reach()


HANDLERS = {JOB: JobKind(deliver, attempts=jobs.ATTEMPTS_OF_A_DAY)}


async def tidy(env: jobs.JobEnvironment) -> None:
    """Deletes mails that were sent, or failed for good, a month ago."""
    old = func.now() - KEPT
    is_open = select(Job.id).where(Job.key == literal(f"{JOB}:").concat(cast(Mail.id, Text))).exists()
    async with begin(env.sessions) as session:
        await session.execute(delete(Mail).where(Mail.sent_at < old))
        await session.execute(delete(Mail).where(Mail.sent_at.is_(None), Mail.created_at < old, ~is_open))
        await failed_jobs.forget(session, [JOB], KEPT)
