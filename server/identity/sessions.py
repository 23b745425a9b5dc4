"""Signed-in browsers. A session is a random token; the database keeps only its SHA-256."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from uuid import UUID

from sqlalchemy import delete, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.core.errors import NotFound
from server.core.viewer import Role, Viewer
from server.identity.models import Session

LIFETIME = timedelta(hours=24)

_VIEWER = text(
    """
    WITH seen AS (
        UPDATE sessions SET last_seen_at = now()
        WHERE token_hash = :token_hash AND expires_at > now() AND last_seen_at < now() - interval '5 minutes'
    )
    SELECT users.id AS user_id, sessions.id AS session_id, email, name, role, is_primary, expires_at
    FROM sessions JOIN users ON users.id = sessions.user_id
    WHERE token_hash = :token_hash AND expires_at > now()
    """
)


def new_token() -> str:
    """256 random bits, as text for a cookie or a link."""
    return token_urlsafe(32)


def token_hash(token: str) -> bytes:
    return sha256(token.encode(errors="surrogateescape")).digest()


async def viewer_of_token(session: AsyncSession, token: str) -> Viewer | None:
    """Who a session's token stands for, in one statement; None when it is unknown or has expired."""
    row = (await session.execute(_VIEWER, {"token_hash": token_hash(token)})).one_or_none()
    if row is None:
        return None
    return Viewer(row.user_id, row.session_id, row.email, row.name, Role(row.role), row.is_primary, row.expires_at)


async def start(session: AsyncSession, user_id: UUID, *, ip: str, user_agent: str, instead_of: str | None) -> str:
    """A new session's token. `instead_of` is the token that the browser had before; it ends."""
    if instead_of:
        await end(session, instead_of)
    token = new_token()
    expires_at = datetime.now(UTC) + LIFETIME
    session.add(
        Session(token_hash=token_hash(token), user_id=user_id, expires_at=expires_at, ip=ip, user_agent=user_agent)
    )
    await session.flush()
    return token


async def end(session: AsyncSession, token: str) -> None:
    """Ends one session; an unknown token ends none."""
    await session.execute(delete(Session).where(Session.token_hash == token_hash(token)))


async def end_all(session: AsyncSession, user_id: UUID) -> None:
    """Signs an account out everywhere."""
    await session.execute(delete(Session).where(Session.user_id == user_id))


async def end_other(session: AsyncSession, viewer: Viewer, session_id: UUID) -> None:
    """Ends another session of the viewer. Raises NotFound for any but those."""
    others = delete(Session).where(Session.user_id == viewer.user_id, Session.id != viewer.session_id)
    if await session.scalar(others.where(Session.id == session_id).returning(Session.id)) is None:
        raise NotFound("This session")


async def of_viewer(session: AsyncSession, viewer: Viewer) -> Sequence[Session]:
    """The viewer's sessions: this one first, then the most recently used."""
    own = select(Session).where(Session.user_id == viewer.user_id, Session.expires_at > datetime.now(UTC))
    found = await session.scalars(own.order_by((Session.id == viewer.session_id).desc(), Session.last_seen_at.desc()))
    return found.all()


async def of_users(session: AsyncSession, user_ids: Sequence[UUID]) -> dict[UUID, list[Session]]:
    """Live sessions by account, the most recently used first. Accounts without any are missing."""
    live = select(Session).where(Session.user_id.in_(user_ids), Session.expires_at > datetime.now(UTC))
    found: dict[UUID, list[Session]] = {}
    for row in await session.scalars(live.order_by(Session.last_seen_at.desc(), Session.id)):
        found.setdefault(row.user_id, []).append(row)
    return found
