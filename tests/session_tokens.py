"""Sessions of accounts, without their passwords."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import sessions

BROWSER, IP = "Test browser", "192.0.2.1"


async def session_token(session: AsyncSession, user_id: UUID) -> str:
    """The token of a new session, for the cookie."""
    return await sessions.start(session, user_id, ip=IP, user_agent=BROWSER, instead_of=None)
