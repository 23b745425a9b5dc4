"""Links that verify an e-mail address. Opening one also requires a credential of the account."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Select, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import sessions
from server.identity.errors import LinkExpired
from server.identity.models import EmailVerification, User
from server.mail import service as mail
from server.mail.messages import VerifyEmail, Welcome
from server.platform.core import clock

WORKS_FOR = timedelta(days=7)


async def ask_to_verify(
    session: AsyncSession, user: User, *, shop_url: str, is_new: bool, previous_email: str | None = None
) -> None:
    """Mails the account's address a verification link; older links end.

    `previous_email` is the account's earlier verified address; one that is already stored stays.
    """
    token = sessions.new_token()
    token_hash = sessions.token_hash(token)
    link: dict[str, Any] = {
        "token_hash": token_hash,
        "email": user.email,
        "expires_at": clock.now() + WORKS_FOR,
    }
    row = insert(EmailVerification).values(user_id=user.id, previous_email=previous_email, **link)
    link["previous_email"] = func.coalesce(row.excluded.previous_email, EmailVerification.previous_email)
    await session.execute(row.on_conflict_do_update(index_elements=[EmailVerification.user_id], set_=link))
    path = f"/verify-email?token={token}"
    message = Welcome(verify_path=path) if is_new else VerifyEmail(verify_path=path)
    await mail.enqueue(session, message, key=f"verify:{token_hash.hex()}", to=user.email, shop_url=shop_url)


async def account_of(session: AsyncSession, token: str) -> User:
    """The account whose present address the link was sent to. Raises LinkExpired."""
    user = await session.scalar(_accounts(token))
    if user is None:
        raise LinkExpired
    return user


async def confirm(session: AsyncSession, token: str) -> User:
    """Marks the link's address as verified; idempotent. Raises LinkExpired."""
    user = await session.scalar(_accounts(token).with_for_update(of=User))
    if user is None:
        raise LinkExpired
    user.email_verified_at = user.email_verified_at or clock.now()
    await session.flush()
    return user


async def use_up(session: AsyncSession, token: str) -> tuple[User, str | None]:
    """The account of a link whose recipient disowns it, locked, and its earlier verified address.

    Raises LinkExpired, also when the address has been confirmed.
    """
    statement = _accounts(token).add_columns(EmailVerification.previous_email)
    row = (
        await session.execute(statement.where(User.email_verified_at.is_(None)).with_for_update(of=User))
    ).one_or_none()
    if row is None:
        raise LinkExpired
    await forget(session, row.User.id)
    return row.User, row.previous_email


async def forget(session: AsyncSession, user_id: UUID) -> None:
    """Ends the account's verification link."""
    await session.execute(delete(EmailVerification).where(EmailVerification.user_id == user_id))


def _accounts(token: str) -> Select[User]:
    link = EmailVerification
    return (
        select(User)
        .join(link, (link.user_id == User.id) & (link.email == User.email))
        .where(link.token_hash == sessions.token_hash(token), link.expires_at > func.now())
        .execution_options(populate_existing=True)
    )
