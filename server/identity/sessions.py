"""Sessions: signed-in browsers. A session has a random token, of which the database stores only the SHA-256."""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from secrets import token_urlsafe
from uuid import UUID

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.models import Session, SignInChallenge
from server.platform.core import clock
from server.platform.core.db import any_of
from server.platform.core.errors import NotFound
from server.platform.core.statements import PreparedStatement, Statements
from server.platform.core.viewer import IDLE, Role, Viewer

LIFETIME = timedelta(hours=24)
MAX_PER_ACCOUNT = 50

_VIEWER = PreparedStatement(
    text(
        """
        WITH seen AS (
            UPDATE sessions
            SET last_seen_at = now(),
                active_at = CASE
                    WHEN :is_active AND coalesce(active_at, authenticated_at) >= now() - CAST(:idle AS interval)
                    THEN now() ELSE active_at
                END
            WHERE token_hash = :token_hash AND expires_at > now() AND (
                last_seen_at < now() - interval '5 minutes'
                OR :is_active AND coalesce(active_at, authenticated_at)
                BETWEEN now() - CAST(:idle AS interval) AND now() - interval '1 minute'
            )
        )
        SELECT
            users.id AS user_id, sessions.id AS session_id, email, name, role, is_primary, expires_at, authenticated_at,
            coalesce(active_at, authenticated_at) AS active_at,
            EXISTS (SELECT FROM passkeys WHERE passkeys.user_id = users.id)
            OR EXISTS (
                SELECT FROM totp_secrets WHERE totp_secrets.user_id = users.id AND confirmed_at IS NOT NULL
            ) AS has_second_factor,
            sessions.method = 'passkey' OR sessions.second_factor IS NOT NULL AS used_second_factor
        FROM sessions JOIN users ON users.id = sessions.user_id
        WHERE token_hash = :token_hash AND expires_at > now()
        """
    )
)


def new_token() -> str:
    """256 random bits, as text for a cookie or a link."""
    return token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """The SHA-256 under which a token is stored."""
    return sha256(token.encode(errors="surrogateescape")).digest()


async def viewer_of_token(
    session: Statements, token: str, *, second_factor_required: bool = False, is_active: bool = True
) -> Viewer | None:
    """The viewer of a session token, in one statement; None when it is unknown or expired.

    `second_factor_required` closes the back office to an admin without one. `is_active` counts the request as activity
    of the session, which keeps its sign-in recent.
    """
    rows = await _VIEWER.rows(session, token_hash=token_hash(token), is_active=is_active, idle=IDLE)
    if not rows:
        return None
    [row] = rows
    return Viewer(
        row.user_id,
        row.session_id,
        row.email,
        row.name,
        Role(row.role),
        row.is_primary,
        row.expires_at,
        row.authenticated_at,
        row.active_at,
        row.has_second_factor,
        row.used_second_factor,
        lacks_second_factor=second_factor_required and row.role == Role.ADMIN.value and not row.has_second_factor,
    )


async def start(
    session: AsyncSession,
    user_id: UUID,
    *,
    ip: str,
    user_agent: str,
    instead_of: str | None,
    method: str = "password",
    second_factor: str | None = None,
) -> str:
    """Starts a session. Returns its token. `instead_of` is the browser's earlier token, which ends.

    `method` and `second_factor` say how it signed in, as values of `factors.held.FactorMethod`. An account has at most
    50 sessions; the oldest end.
    """
    if instead_of:
        await end(session, instead_of)
    newest_first = select(Session.id).where(Session.user_id == user_id).order_by(Session.created_at.desc())
    await session.execute(delete(Session).where(Session.id.in_(newest_first.offset(MAX_PER_ACCOUNT - 1))))
    token = new_token()
    expires_at = clock.now() + LIFETIME
    session.add(
        Session(
            token_hash=token_hash(token),
            user_id=user_id,
            expires_at=expires_at,
            ip=ip,
            user_agent=user_agent,
            method=method,
            second_factor=second_factor,
        )
    )
    await session.flush()
    return token


async def prove(session: AsyncSession, session_id: UUID) -> None:
    """Records that the session has just authenticated again."""
    await session.execute(
        update(Session).where(Session.id == session_id).values(authenticated_at=func.now(), active_at=None)
    )


async def note_second_factor(session: AsyncSession, session_id: UUID, second_factor: str) -> None:
    """Records that a session without a second factor has used one since."""
    without = update(Session).where(Session.id == session_id, Session.second_factor.is_(None))
    await session.execute(without.values(second_factor=second_factor))


async def stands(session: AsyncSession, session_id: UUID) -> bool:
    """Whether the session has not ended since the request began."""
    live = select(Session.id).where(Session.id == session_id, Session.expires_at > clock.now())
    return await session.scalar(live) is not None


async def end(session: AsyncSession, token: str) -> None:
    """Ends one session; no effect for an unknown token."""
    await session.execute(delete(Session).where(Session.token_hash == token_hash(token)))


async def end_all(session: AsyncSession, user_id: UUID) -> None:
    """Signs an account out everywhere, and ends sign-ins in progress."""
    await session.execute(delete(Session).where(Session.user_id == user_id))
    await session.execute(delete(SignInChallenge).where(SignInChallenge.user_id == user_id))


async def end_others(session: AsyncSession, viewer: Viewer) -> None:
    """Ends the viewer's other sessions, and sign-ins in progress."""
    others = delete(Session).where(Session.user_id == viewer.user_id, Session.id != viewer.session_id)
    await session.execute(others)
    await session.execute(delete(SignInChallenge).where(SignInChallenge.user_id == viewer.user_id))


async def end_other(session: AsyncSession, viewer: Viewer, session_id: UUID) -> None:
    """Ends another session of the viewer. Raises NotFound for any other session."""
    others = delete(Session).where(Session.user_id == viewer.user_id, Session.id != viewer.session_id)
    if await session.scalar(others.where(Session.id == session_id).returning(Session.id)) is None:
        raise NotFound("This session")


async def of_viewer(session: AsyncSession, viewer: Viewer) -> Sequence[Session]:
    """The viewer's sessions: this one first, then the most recently used."""
    own = select(Session).where(Session.user_id == viewer.user_id, Session.expires_at > clock.now())
    rows = await session.scalars(own.order_by((Session.id == viewer.session_id).desc(), Session.last_seen_at.desc()))
    return rows.all()


async def of_users(session: AsyncSession, user_ids: Sequence[UUID]) -> dict[UUID, list[Session]]:
    """Current sessions by account, most recently used first. Accounts without any are missing."""
    live = select(Session).where(any_of(Session.user_id, user_ids), Session.expires_at > clock.now())
    by_user: dict[UUID, list[Session]] = {}
    for row in await session.scalars(live.order_by(Session.last_seen_at.desc(), Session.id)):
        by_user.setdefault(row.user_id, []).append(row)
    return by_user
