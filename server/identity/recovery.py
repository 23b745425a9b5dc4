"""Links sent by mail: they prove an address, or set a new password."""

from datetime import UTC, datetime, timedelta
from secrets import SystemRandom
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.core import jobs
from server.core.db import begin
from server.identity import sessions
from server.identity.errors import LinkExpired
from server.identity.models import EmailVerification, PasswordReset, User
from server.mail import service as mail
from server.mail.messages import PasswordReset as PasswordResetMail
from server.mail.messages import VerifyEmail, Welcome

RESET_WORKS_FOR = timedelta(hours=1)
VERIFICATION_WORKS_FOR = timedelta(days=7)
MAILED_WITHIN = timedelta(seconds=3)
"""A reset's mail is work that only a known e-mail causes: at once it would slow the very next answer, and tell."""
_dice = SystemRandom()


async def ask_to_verify(session: AsyncSession, user: User, *, shop_url: str, is_new: bool) -> None:
    """Mails the account's address a link that proves it; older links end."""
    token = sessions.new_token()
    token_hash = sessions.token_hash(token)
    link = {
        "token_hash": token_hash,
        "email": user.email,
        "expires_at": datetime.now(UTC) + VERIFICATION_WORKS_FOR,
    }
    statement = insert(EmailVerification).values(user_id=user.id, **link)
    await session.execute(statement.on_conflict_do_update(index_elements=[EmailVerification.user_id], set_=link))
    path = f"/verify-email?token={token}"
    message = Welcome(verify_path=path) if is_new else VerifyEmail(verify_path=path)
    await mail.enqueue(session, message, key=f"verify:{token_hash.hex()}", to=user.email, shop_url=shop_url)


async def verify_email(session: AsyncSession, token: str) -> None:
    """Marks the address that the link was sent to as its account's own. May be opened twice. Raises LinkExpired."""
    link = (
        select(EmailVerification.user_id, EmailVerification.email)
        .where(EmailVerification.token_hash == sessions.token_hash(token), EmailVerification.expires_at > func.now())
        .subquery()
    )
    proven = update(User).where(User.id == link.c.user_id, User.email == link.c.email)
    verified_at = func.coalesce(User.email_verified_at, func.now())
    if await session.scalar(proven.values(email_verified_at=verified_at).returning(User.id)) is None:
        raise LinkExpired


async def request_reset(session: AsyncSession, email: str, *, shop_url: str) -> None:
    """Leaves it to a job, at some moment soon, whether there is such an account: no answer takes longer if there is."""
    payload = {"request": sessions.new_token(), "email": email, "shop_url": shop_url}
    run_at = datetime.now(UTC) + MAILED_WITHIN * _dice.random()
    await jobs.enqueue(session, "password-reset", payload, run_at=run_at)


async def mail_reset_link(env: jobs.Env, payload: dict[str, Any]) -> None:
    """Mails a reset link, if the account exists: once per request, however often the job runs."""
    token = sessions.new_token()
    message = PasswordResetMail(reset_path=f"/reset-password?token={token}")
    key, to, shop_url = f"password-reset:{payload['request']}", payload["email"], payload["shop_url"]
    async with begin(env.sessions) as session:
        user_id = await session.scalar(select(User.id).where(User.email == to).with_for_update())
        if user_id and await mail.enqueue(session, message, key=key, to=to, shop_url=shop_url):
            link = {"token_hash": sessions.token_hash(token), "expires_at": datetime.now(UTC) + RESET_WORKS_FOR}
            statement = insert(PasswordReset).values(user_id=user_id, **link)
            await session.execute(statement.on_conflict_do_update(index_elements=[PasswordReset.user_id], set_=link))


HANDLERS: dict[str, jobs.Handler] = {"password-reset": mail_reset_link}


async def check_reset_link(session: AsyncSession, token: str) -> None:
    """Raises LinkExpired unless `reset` would accept the token now."""
    if await session.scalar(select(PasswordReset.user_id).where(*_is_good(token))) is None:
        raise LinkExpired


async def reset_password(session: AsyncSession, token: str, password_hash: str) -> User:
    """Uses a link up: sets the password, ends all sessions and, since the link came by mail, proves the address.

    Raises LinkExpired.
    """
    account = select(User).join(PasswordReset, PasswordReset.user_id == User.id).where(*_is_good(token))
    user = await session.scalar(account.with_for_update(of=User))
    used = delete(PasswordReset).where(*_is_good(token)).returning(PasswordReset.user_id)
    if user is None or await session.scalar(used) is None:
        raise LinkExpired
    user.password_hash = password_hash
    user.email_verified_at = user.email_verified_at or datetime.now(UTC)
    await session.flush()
    await sessions.end_all(session, user.id)
    return user


async def forget(session: AsyncSession, user_id: UUID) -> None:
    """Ends a reset link that may be on its way."""
    await session.execute(delete(PasswordReset).where(PasswordReset.user_id == user_id))


def _is_good(token: str) -> tuple[Any, ...]:
    return PasswordReset.token_hash == sessions.token_hash(token), PasswordReset.expires_at > func.now()
