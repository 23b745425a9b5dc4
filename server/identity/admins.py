"""What admins do with accounts. The primary admin is one marked row, and nobody's commands touch it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, delete, func, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.core.errors import Forbidden, NotFound
from server.identity.models import User

NOT_THE_PRIMARY = "You lack privileges to use these controls"


@dataclass(frozen=True)
class UserPage:
    users: Sequence[User]
    total: int
    has_next: bool


async def users(
    session: AsyncSession, *, search: str | None = None, first: int, after: tuple[datetime, UUID] | None = None
) -> UserPage:
    """Accounts whose name or e-mail contains `search`, newest first; `after` is a row's (created_at, id)."""
    matching = _matching(search)
    page = matching.order_by(User.created_at.desc(), User.id.desc()).limit(first + 1)
    if after:
        page = page.where(tuple_(User.created_at, User.id) < after)
    found = (await session.scalars(page)).all()
    total = await session.scalar(select(func.count()).select_from(matching.subquery()))
    return UserPage(found[:first], total or 0, len(found) > first)


async def all_users(session: AsyncSession, *, limit: int | None, offset: int) -> Sequence[User]:
    """Newest first."""
    listed = select(User).order_by(User.created_at.desc(), User.id.desc()).limit(limit).offset(offset)
    return (await session.scalars(listed)).all()


async def admin_requests(session: AsyncSession) -> Sequence[User]:
    """Who asked for admin access and is no admin yet, longest waiting first."""
    pending = select(User).where(User.admin_requested_at.is_not(None), User.role == "user")
    return (await session.scalars(pending.order_by(User.admin_requested_at, User.id))).all()


async def admin_request_count(session: AsyncSession) -> int:
    """How many `admin_requests` has."""
    pending = select(func.count()).where(User.admin_requested_at.is_not(None), User.role == "user")
    return await session.scalar(pending) or 0


async def toggle_admin(session: AsyncSession, user_id: UUID) -> User:
    """Makes a user an admin, which grants a pending request, or an admin a user. Raises NotFound, Forbidden."""
    user = await _locked(session, user_id)
    user.role = "user" if user.role == "admin" else "admin"
    user.admin_requested_at = None
    await session.flush()
    return user


async def reject_admin_request(session: AsyncSession, user_id: UUID) -> User:
    """Takes the account off the pending requests; one that did not ask stays as it is. Raises NotFound, Forbidden."""
    user = await _locked(session, user_id)
    user.admin_requested_at = None
    await session.flush()
    return user


async def delete_user(session: AsyncSession, user_id: UUID) -> None:
    """Deletes the account with its sessions, addresses and cart. Its orders stay, without the buyer.

    Raises NotFound, Forbidden.
    """
    user = await _locked(session, user_id)
    await session.execute(delete(User).where(User.id == user.id))


async def make_primary_admin(session: AsyncSession, email: str) -> User:
    """Hands the primary admin's mark to the account with this e-mail; who had it stays an admin. Raises NotFound."""
    await session.execute(update(User).where(User.is_primary, User.email != email).values(is_primary=False))
    promoted = {"role": "admin", "is_primary": True, "admin_requested_at": None}
    user: User | None = await session.scalar(update(User).where(User.email == email).values(**promoted).returning(User))
    if user is None:
        raise NotFound("This account")
    return user


async def _locked(session: AsyncSession, user_id: UUID) -> User:
    user = await session.scalar(select(User).where(User.id == user_id).with_for_update())
    if user is None:
        raise NotFound("This user")
    if user.is_primary:
        raise Forbidden(NOT_THE_PRIMARY)
    return user


def _matching(search: str | None) -> Select[User]:
    words = (search or "").strip()
    if not words:
        return select(User)
    return select(User).where(
        or_(User.name.icontains(words, autoescape=True), User.email.icontains(words, autoescape=True))
    )
