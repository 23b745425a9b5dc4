"""Links that end the back-in-stock alerts of an address, which work without signing in."""

from datetime import timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.mail import service as mail
from server.mail.messages import UnsubscribeLink
from server.platform.core import clock, failed_jobs, jobs
from server.platform.core.db import begin
from server.wishlist.models import StockAlert

JOB = "unsubscribe-link"
LINK_WORKS_FOR = timedelta(days=60)
FAILED_JOBS_KEPT = timedelta(days=1)
"""Failed jobs contain an e-mail."""


def new_token() -> str:
    """What a link carries."""
    return token_urlsafe(32)


def hash_of(token: str) -> bytes:
    """As the alert that the link was mailed for has it."""
    return sha256(token.encode(errors="surrogateescape")).digest()


def path_of(token: str) -> str:
    """The address of the link, below the shop's."""
    return f"/unsubscribe?token={token}"


async def is_link(session: AsyncSession, token: str) -> bool:
    """Whether `unsubscribe` accepts the token."""
    return await session.scalar(select(StockAlert.id).where(StockAlert.token_hash == hash_of(token))) is not None


async def unsubscribe(session: AsyncSession, token: str) -> bool:
    """Ends all alerts of the address that the token was mailed to; idempotent. False for an unknown token.

    Later alerts to the same address work again.
    """
    linked = update(StockAlert).where(StockAlert.token_hash == hash_of(token))
    ended = linked.values(mailed_at=func.coalesce(StockAlert.mailed_at, func.now())).returning(StockAlert.email)
    email = await session.scalar(ended)
    if email is None:
        return False
    await forget(session, email)
    return True


async def forget(session: AsyncSession, email: str) -> None:
    """Ends all alerts of an address."""
    await session.execute(delete(StockAlert).where(StockAlert.email == email, StockAlert.mailed_at.is_(None)))


async def request_link(session: AsyncSession, email: str, *, shop_url: str) -> None:
    """Enqueues a job, which finds out whether an alert waits, so that the response takes equally long."""
    payload = {"request": new_token(), "email": email, "shop_url": shop_url}
    await jobs.enqueue_hidden(session, JOB, payload)


async def mail_link(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Job: mails a link, if an alert waits; once per request, however often the job runs.

    The link is the alert's, until the alert itself is mailed with another one.
    """
    token, to, shop_url = new_token(), payload["email"], payload["shop_url"]
    message, key = UnsubscribeLink(unsubscribe_path=path_of(token)), f"{JOB}:{payload['request']}"
    waiting = select(StockAlert.id).where(StockAlert.email == to, StockAlert.mailed_at.is_(None))
    async with begin(env.sessions) as session:
        alert_id = await session.scalar(waiting.order_by(StockAlert.id).limit(1).with_for_update())
        if alert_id and await mail.enqueue(session, message, key=key, to=to, shop_url=shop_url):
            linked = update(StockAlert).where(StockAlert.id == alert_id)
            await session.execute(linked.values(token_hash=hash_of(token)))


HANDLERS = {JOB: jobs.JobKind(mail_link)}


async def tidy(env: jobs.JobEnvironment) -> None:
    """Deletes alerts whose link has expired."""
    async with begin(env.sessions) as session:
        await session.execute(delete(StockAlert).where(StockAlert.mailed_at < clock.now() - LINK_WORKS_FOR))
        await failed_jobs.forget(session, HANDLERS, FAILED_JOBS_KEPT)
