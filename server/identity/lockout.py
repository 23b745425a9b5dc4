"""Mails an account that failed sign-ins have locked it."""

from datetime import timedelta
from secrets import SystemRandom
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.models import User
from server.mail import service as mail
from server.mail.messages import SignInLocked
from server.platform.core import clock, jobs
from server.platform.core.db import begin

JOB = "sign-in-locked"
REPORTED_WITHIN = timedelta(seconds=3)
"""The job runs at a random moment, so that no response time reveals whether the account exists."""
_random = SystemRandom()


async def report(session: AsyncSession, email: str, *, shop_url: str) -> None:
    """Enqueues the report; the job finds out whether the e-mail has an account."""
    payload = {"email": email, "shop_url": shop_url}
    await jobs.enqueue(session, JOB, payload, key=f"{JOB}:{email}", delay=REPORTED_WITHIN * _random.random())


async def mail_report(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Job: mails the report, once a day for each account."""
    email, today = payload["email"], clock.now().date()
    async with begin(env.sessions) as session:
        user_id = await session.scalar(select(User.id).where(User.email == email))
        if user_id:
            key = f"{JOB}:{user_id}:{today}"
            await mail.enqueue(session, SignInLocked(), key=key, to=email, shop_url=payload["shop_url"])


HANDLERS = {JOB: jobs.JobKind(mail_report)}
