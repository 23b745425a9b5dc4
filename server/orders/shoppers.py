"""Which sessions belong to buyers, for request priorities."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

_OF_SESSIONS = text(
    """
    SELECT sessions.token_hash, sessions.user_id,
        EXISTS (
            SELECT FROM carts JOIN cart_lines ON cart_lines.cart_id = carts.id WHERE carts.user_id = sessions.user_id
        ) OR EXISTS (
            SELECT FROM checkouts WHERE checkouts.user_id = sessions.user_id AND checkouts.status = 'open'
        ) AS is_buying
    FROM sessions WHERE token_hash = ANY(:hashes) AND expires_at > now()
    """
)


class ShopperSession(NamedTuple):
    """A session that has not ended. `is_buying`: its account has a filled cart or an open checkout."""

    token_hash: bytes
    user_id: UUID
    is_buying: bool


async def of_sessions(session: AsyncSession, token_hashes: Sequence[bytes]) -> list[ShopperSession]:
    """Looks sessions up by token hash, in one statement that uses indexes only; unknown ones are missing."""
    rows = await session.execute(_OF_SESSIONS, {"hashes": list(token_hashes)})
    return [ShopperSession(*row) for row in rows]
