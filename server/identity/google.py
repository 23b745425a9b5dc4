"""Which account a Google identity signs in to."""

from datetime import UTC, datetime

from sqlalchemy import or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import accounts, recovery, sessions
from server.identity.errors import EmailTaken, GoogleRefused
from server.identity.gateway import GoogleIdentity
from server.identity.models import GoogleToken, User
from server.identity.rules import LINE_MOST


async def use_token(session: AsyncSession, token: str, identity: GoogleIdentity) -> None:
    """Raises GoogleRefused when the token was used before."""
    once = insert(GoogleToken).values(token_hash=sessions.token_hash(token), expires_at=identity.expires_at)
    if await session.scalar(once.on_conflict_do_nothing().returning(GoogleToken.token_hash)) is None:
        raise GoogleRefused


async def account_of(session: AsyncSession, identity: GoogleIdentity) -> User:
    """The account of this identity: known by its subject, else linked by its e-mail, else new.

    Whoever signed up with an e-mail without proving it loses the password, the sessions and any reset link when the
    owner comes by way of Google. Raises GoogleRefused when the e-mail's account belongs to another subject.
    """
    existing = await _existing(session, identity)
    if existing is not None:
        return existing
    try:
        return await _new(session, identity)
    except EmailTaken:
        # Another request made the account meanwhile, and has committed: the insert waited for it.
        existing = await _existing(session, identity)
        if existing is None:
            raise GoogleRefused from None
        return existing


async def _existing(session: AsyncSession, identity: GoogleIdentity) -> User | None:
    either = or_(User.google_sub == identity.subject, User.email == identity.email)
    by_subject_first = (User.google_sub == identity.subject).is_(True).desc()
    statement = select(User).where(either).order_by(by_subject_first).limit(1).with_for_update()
    user = await session.scalar(statement)
    if user is None or user.google_sub == identity.subject:
        return user
    if user.google_sub is not None:
        raise GoogleRefused
    if user.email_verified_at is None:
        user.password_hash = None
        user.email_verified_at = datetime.now(UTC)
        await sessions.end_all(session, user.id)
        await recovery.forget(session, user.id)
    user.google_sub = identity.subject
    await session.flush()
    return user


async def _new(session: AsyncSession, identity: GoogleIdentity) -> User:
    name = "".join(char for char in identity.name if char.isprintable()).strip()
    return await accounts.create(
        session,
        name=(name or identity.email.partition("@")[0])[:LINE_MOST],
        email=identity.email,
        password_hash=None,
        google_sub=identity.subject,
        email_verified=True,
    )
