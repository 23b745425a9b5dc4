"""Accounts: how they begin, what their owners change, what others read of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from server.core import notify
from server.core.errors import Unauthenticated
from server.identity import recovery, sessions
from server.identity.errors import EmailTaken, InvalidCredentials
from server.identity.models import User
from server.mail import service as mail
from server.mail.messages import EmailChanged, PasswordChanged


@dataclass(frozen=True)
class Changes:
    """What a profile edit really changes; None for what stays. Values have passed the rules."""

    name: str | None = None
    email: str | None = None
    password_hash: str | None = None

    @property
    def ends_sessions(self) -> bool:
        return self.email is not None or self.password_hash is not None


async def create(
    session: AsyncSession,
    *,
    name: str,
    email: str,
    password_hash: str | None,
    google_sub: str | None = None,
    email_verified: bool = False,
) -> User:
    """A new account with the role user. `email` is lower-cased. Raises EmailTaken."""
    values = {
        "name": name,
        "email": email,
        "password_hash": password_hash,
        "google_sub": google_sub,
        "email_verified_at": datetime.now(UTC) if email_verified else None,
    }
    user: User | None = await session.scalar(insert(User).values(**values).on_conflict_do_nothing().returning(User))
    if user is None:
        raise EmailTaken
    return user


async def by_email(session: AsyncSession, email: str) -> User | None:
    return await session.scalar(select(User).where(User.email == email))


async def by_ids(session: AsyncSession, ids: Sequence[UUID]) -> Mapping[UUID, User]:
    found = await session.scalars(select(User).where(User.id.in_(ids)))
    return {user.id: user for user in found}


async def own_account(session: AsyncSession, user_id: UUID) -> User:
    """The account behind a viewer. Raises Unauthenticated when it was deleted meanwhile."""
    user = await session.get(User, user_id)
    if user is None:
        raise Unauthenticated
    return user


async def locked(session: AsyncSession, user_id: UUID) -> User:
    """The account, kept from changing until the transaction ends. Raises Unauthenticated when it is gone."""
    statement = select(User).where(User.id == user_id).with_for_update().execution_options(populate_existing=True)
    user = await session.scalar(statement)
    if user is None:
        raise Unauthenticated
    return user


async def confirm_credentials(session: AsyncSession, user: User, new_hash: str | None) -> None:
    """Holds the account as it was when its password was checked; takes a hash with today's costs, if given.

    Raises InvalidCredentials when the password has changed since, so that no session survives a reset.
    """
    now = await locked(session, user.id)
    if now.password_hash != user.password_hash or now.email != user.email:
        raise InvalidCredentials
    if new_hash:
        now.password_hash = new_hash


async def change_profile(session: AsyncSession, user_id: UUID, changes: Changes, *, shop_url: str) -> User:
    """Changes the account. A new e-mail or password ends all its sessions and is told to the old address.

    Raises EmailTaken.
    """
    user = await locked(session, user_id)
    old_email = user.email
    user.name = changes.name or user.name
    if changes.email:
        await _change_email(session, user, changes.email, shop_url)
    if changes.password_hash:
        user.password_hash = changes.password_hash
        await recovery.forget(session, user.id)
        await tell_password_changed(session, user.id, old_email, shop_url)
    if changes.ends_sessions:
        await sessions.end_all(session, user.id)
    await session.flush()
    return user


async def _change_email(session: AsyncSession, user: User, email: str, shop_url: str) -> None:
    old_email = user.email
    user.email, user.email_verified_at = email, None
    try:
        await session.flush()
    except IntegrityError as error:
        raise EmailTaken from error
    await recovery.forget(session, user.id)
    await recovery.ask_to_verify(session, user, shop_url=shop_url, is_new=False)
    key = f"email-changed:{user.id}:{sessions.new_token()}"
    await mail.enqueue(session, EmailChanged(), key=key, to=old_email, shop_url=shop_url)


async def tell_password_changed(session: AsyncSession, user_id: UUID, email: str, shop_url: str) -> None:
    key = f"password-changed:{user_id}:{sessions.new_token()}"
    await mail.enqueue(session, PasswordChanged(), key=key, to=email, shop_url=shop_url)


async def request_admin_access(session: AsyncSession, user_id: UUID) -> None:
    """Puts the account among the pending requests; asking twice, or as an admin, changes nothing."""
    asking = update(User).where(User.id == user_id, User.role == "user", User.admin_requested_at.is_(None))
    asked = await session.scalar(asking.values(admin_requested_at=datetime.now(UTC)).returning(User.id))
    if asked is not None:
        await notify.announce(session, "admin_requested", str(asked))
