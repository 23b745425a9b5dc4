"""Password reset links."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import sessions
from server.identity.errors import LinkExpired
from server.identity.models import PasswordReset, User
from server.mail import service as mail
from server.mail.messages import PasswordResetLink
from server.platform.core import clock, jobs
from server.platform.core.db import begin

JOB = "password-reset"
RESET_WORKS_FOR = timedelta(hours=1)


async def request_reset(session: AsyncSession, email: str, *, shop_url: str, unless_open: bool = False) -> None:
    """Enqueues a job, which finds out whether the account exists, so that the response takes equally long.

    `unless_open` mails nothing while the account's last link is valid.
    """
    payload = {
        "request": sessions.new_token(),
        "email": email,
        "shop_url": shop_url,
        "unless_open": unless_open,
    }
    await jobs.enqueue_hidden(session, JOB, payload)


async def mail_reset_link(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Job: mails a reset link, if the account exists; once per request, however often the job runs."""
    token = sessions.new_token()
    message = PasswordResetLink(reset_path=f"/reset-password?token={token}")
    key, to, shop_url = f"password-reset:{payload['request']}", payload["email"], payload["shop_url"]
    async with begin(env.sessions) as session:
        user_id = await session.scalar(select(User.id).where(User.email == to).with_for_update())
        if user_id and payload.get("unless_open") and await _has_open_link(session, user_id):
            return
        if user_id and await mail.enqueue(session, message, key=key, to=to, shop_url=shop_url):
            link = {"token_hash": sessions.token_hash(token), "expires_at": clock.now() + RESET_WORKS_FOR}
            statement = insert(PasswordReset).values(user_id=user_id, **link)
            await session.execute(statement.on_conflict_do_update(index_elements=[PasswordReset.user_id], set_=link))


HANDLERS = {JOB: jobs.JobKind(mail_reset_link)}


async def check_reset_link(session: AsyncSession, token: str) -> None:
    """Raises LinkExpired unless `use_reset_link` would accept the token now."""
    if await session.scalar(select(PasswordReset.user_id).where(*_is_good(token))) is None:
        raise LinkExpired


async def use_reset_link(session: AsyncSession, token: str) -> User:
    """Uses a link; returns its account, locked. Raises LinkExpired."""
    account = select(User).join(PasswordReset, PasswordReset.user_id == User.id).where(*_is_good(token))
    user = await session.scalar(account.with_for_update(of=User))
    used = delete(PasswordReset).where(*_is_good(token)).returning(PasswordReset.user_id)
    if user is None or await session.scalar(used) is None:
        raise LinkExpired
    return user


async def forget(session: AsyncSession, user_id: UUID) -> None:
    """Ends the account's reset link."""
    await session.execute(delete(PasswordReset).where(PasswordReset.user_id == user_id))


async def _has_open_link(session: AsyncSession, user_id: UUID) -> bool:
    is_open = select(PasswordReset.user_id).where(
        PasswordReset.user_id == user_id, PasswordReset.expires_at > func.now()
    )
    return await session.scalar(is_open) is not None


def _is_good(token: str) -> tuple[Any, ...]:
    return PasswordReset.token_hash == sessions.token_hash(token), PasswordReset.expires_at > func.now()
