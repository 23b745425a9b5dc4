"""What admins do with accounts. The primary admin is one marked row, which no other admin can change."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.identity.errors import EmailNotConfirmed
from server.identity.models import Session, User
from server.platform.core.errors import Forbidden, NotFound
from server.platform.core.text import search_terms
from server.platform.core.viewer import Viewer

NOT_THE_PRIMARY = "You lack privileges to use these controls"


@dataclass(frozen=True)
class UserFilter:
    """Which accounts: name or e-mail contains `search`, one role, all except one."""

    search: str | None = None
    role: str | None = None
    but: UUID | None = None


async def users(
    session: AsyncSession, criteria: UserFilter, *, limit: int, after: tuple[datetime, UUID] | None = None
) -> Sequence[User]:
    """Accounts, newest first; `after` is a row's (created_at, id)."""
    page = select(User).where(*_conditions(criteria)).order_by(User.created_at.desc(), User.id.desc()).limit(limit)
    if after:
        page = page.where(tuple_(User.created_at, User.id) < after)
    return (await session.scalars(page)).all()


async def user_count(session: AsyncSession, criteria: UserFilter) -> int:
    """How many accounts match."""
    return await session.scalar(select(func.count()).select_from(User).where(*_conditions(criteria))) or 0


async def all_user_ids(session: AsyncSession, *, limit: int | None, offset: int) -> Sequence[UUID]:
    """Ids of all accounts, newest first."""
    listed = select(User.id).order_by(User.created_at.desc(), User.id.desc()).limit(limit).offset(offset)
    return (await session.scalars(listed)).all()


async def admin_requests(session: AsyncSession) -> Sequence[User]:
    """Accounts that asked for admin access and are not admins yet, longest waiting first."""
    pending = select(User).where(User.admin_requested_at.is_not(None), User.role == "user")
    return (await session.scalars(pending.order_by(User.admin_requested_at, User.id))).all()


async def admin_request_count(session: AsyncSession) -> int:
    """How many `admin_requests` there are."""
    pending = select(func.count()).where(User.admin_requested_at.is_not(None), User.role == "user")
    return await session.scalar(pending) or 0


async def toggle_admin(
    session: AsyncSession, actor: Viewer | None, user_id: UUID, *, accept_unconfirmed: bool = True
) -> User:
    """Makes a user an admin, which grants a pending request, or an admin a user.

    Raises NotFound, Forbidden, and EmailNotConfirmed for a new admin with such an address, unless that is accepted.
    """
    user = await locked(session, user_id)
    if user.role == "user" and user.email_verified_at is None and not accept_unconfirmed:
        raise EmailNotConfirmed(user.email)
    before = _role_of(user)
    user.role = "user" if user.role == "admin" else "admin"
    user.admin_requested_at = None
    await session.flush()
    action = "made admin" if user.role == "admin" else "removed from admin"
    await audit.record(session, actor, action, subject(user), before=before, after=_role_of(user))
    return user


async def reject_admin_request(session: AsyncSession, actor: Viewer | None, user_id: UUID) -> User:
    """Removes the account from the pending requests, if it is there. Raises NotFound, Forbidden."""
    user = await locked(session, user_id)
    if user.admin_requested_at is not None:
        before = _role_of(user)
        user.admin_requested_at = None
        await session.flush()
        await audit.record(session, actor, "admin request rejected", subject(user), before=before, after=_role_of(user))
    return user


async def delete_user(session: AsyncSession, actor: Viewer | None, user_id: UUID) -> None:
    """Deletes another account. Raises NotFound, Forbidden."""
    user = await locked(session, user_id)
    before = {"name": user.name, "email": user.email, "role": user.role}
    await audit.record(session, actor, "deleted", subject(user), before=before)
    await erase(session, user_id)


async def erase(session: AsyncSession, user_id: UUID) -> None:
    """Deletes an account with its sessions, addresses and cart. Its orders stay, without the buyer.

    Raises NotFound, Forbidden.
    """
    user = await locked(session, user_id)
    await session.execute(delete(User).where(User.id == user.id))


async def sign_out_user(session: AsyncSession, actor: Viewer, user_id: UUID, session_id: UUID | None = None) -> User:
    """Ends one or all sessions of another account; only the primary admin may end an admin's.

    Raises NotFound, also for another account's session, and Forbidden.
    """
    user = await _row(session, user_id)
    if user.role == "admin" and not actor.is_primary:
        raise Forbidden(NOT_THE_PRIMARY)
    ended = delete(Session).where(Session.user_id == user.id).returning(Session.user_agent)
    if session_id is not None:
        ended = ended.where(Session.id == session_id)
    browsers = (await session.scalars(ended)).all()
    if session_id is not None and not browsers:
        raise NotFound("This session")
    if browsers:
        await audit.record(session, actor, "signed out", subject(user), before={"browsers": sorted(browsers)})
    return user


async def make_primary_admin(session: AsyncSession, email: str) -> User:
    """Makes the account with this e-mail the only primary admin; the former one stays an admin. Raises NotFound."""
    held = select(User.email).where(User.is_primary).with_for_update()
    holder = await session.scalar(held)
    await session.execute(update(User).where(User.is_primary, User.email != email).values(is_primary=False))
    promoted = {"role": "admin", "is_primary": True, "admin_requested_at": None}
    user: User | None = await session.scalar(update(User).where(User.email == email).values(**promoted).returning(User))
    if user is None:
        raise NotFound("This account")
    if holder != email:
        before, after = {"primary_admin": holder}, {"primary_admin": email}
        await audit.record(session, None, "made primary admin", subject(user), before=before, after=after)
    return user


async def locked(session: AsyncSession, user_id: UUID) -> User:
    """An account that admins may change, locked. Raises NotFound, Forbidden."""
    user = await _row(session, user_id)
    if user.is_primary:
        raise Forbidden(NOT_THE_PRIMARY)
    return user


def subject(user: User) -> audit.AuditSubject:
    """An account as the audit log names it."""
    return audit.AuditSubject("user", user.id, user.email)


def _role_of(user: User) -> dict[str, object]:
    return {"role": user.role, "admin_request": user.admin_requested_at is not None}


async def _row(session: AsyncSession, user_id: UUID) -> User:
    user = await session.scalar(select(User).where(User.id == user_id).with_for_update())
    if user is None:
        raise NotFound("This user")
    return user


def _conditions(criteria: UserFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if words := search_terms(criteria.search):
        conditions.append(
            or_(User.name.icontains(words, autoescape=True), User.email.icontains(words, autoescape=True))
        )
    if criteria.role:
        conditions.append(User.role == criteria.role)
    if criteria.but:
        conditions.append(User.id != criteria.but)
    return conditions
