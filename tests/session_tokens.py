"""Sessions of accounts, without their passwords."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import sessions


async def session_token(session: AsyncSession, user_id: UUID) -> str:
    """The token of a new session, for the cookie."""
    return await sessions.start(session, user_id, ip="192.0.2.1", user_agent="Test browser", instead_of=None)
