"""Known devices: browsers that have signed in to an account before, recognized by a cookie of their own.

The cookie signs no one in. It separates the owner's mistyped passwords from other people's guesses, and shows that a
password belongs to the person who now signs in another way.
"""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, or_, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.models import KnownDevice, User
from server.identity.sessions import new_token, token_hash
from server.platform.core import clock
from server.platform.core.security import DEVICE_DAYS

LIFETIME = timedelta(days=DEVICE_DAYS)
MAX_PER_ACCOUNT = 20
MAX_ACCOUNTS_PER_DEVICE = 20


async def find(session: AsyncSession, token: str | None, email: str) -> KnownDevice | None:
    """The device with this token, if it has signed in to the account with this e-mail.

    One statement that looks up the token first, so that its duration does not reveal whether the account exists.
    """
    if not token:
        return None
    query = select(KnownDevice).join(User, User.id == KnownDevice.user_id).where(*_is_live(token), User.email == email)
    return await session.scalar(query)


async def is_known(session: AsyncSession, token: str | None, user_id: UUID, *, by_password: bool = False) -> bool:
    """Whether this browser has signed in to the account before; `by_password`: with its present password."""
    if not token:
        return False
    query = select(KnownDevice.user_id).where(*_is_live(token), KnownDevice.user_id == user_id)
    if by_password:
        query = query.where(KnownDevice.knows_password)
    return await session.scalar(query) is not None


async def remember(session: AsyncSession, user_id: UUID, token: str | None, *, knows_password: bool) -> str:
    """Records a successful sign-in. Returns the browser's new token; the old one becomes void for every account.

    An account keeps the 20 most recently used devices, and a device the 20 most recently used accounts.
    """
    new, now = new_token(), clock.now()
    if token:
        await _rotate(session, token, new)
    values = {"knows_password": knows_password, "last_used_at": now, "expires_at": now + LIFETIME}
    row = insert(KnownDevice).values(user_id=user_id, token_hash=token_hash(new), **values)
    values["knows_password"] = or_(row.excluded.knows_password, KnownDevice.knows_password)
    await session.execute(row.on_conflict_do_update(index_elements=["user_id", "token_hash"], set_=values))
    await _drop_oldest(session, KnownDevice.user_id == user_id, MAX_PER_ACCOUNT)
    await _drop_oldest(session, KnownDevice.token_hash == token_hash(new), MAX_ACCOUNTS_PER_DEVICE)
    return new


async def forget(session: AsyncSession, user_id: UUID, but: str | None = None) -> None:
    """Deletes the account's known devices, except the one with the token `but`."""
    ended = delete(KnownDevice).where(KnownDevice.user_id == user_id)
    if but:
        ended = ended.where(KnownDevice.token_hash != token_hash(but))
    await session.execute(ended)


async def _rotate(session: AsyncSession, old: str, new: str) -> None:
    """Locks the rows in order first, since two tabs of one browser may sign in at once."""
    rows = select(KnownDevice.user_id).where(KnownDevice.token_hash == token_hash(old))
    await session.execute(rows.order_by(KnownDevice.user_id).with_for_update())
    await session.execute(
        delete(KnownDevice).where(KnownDevice.token_hash == token_hash(old), KnownDevice.expires_at <= func.now())
    )
    moved = update(KnownDevice).where(KnownDevice.token_hash == token_hash(old))
    await session.execute(moved.values(token_hash=token_hash(new)))


async def _drop_oldest(session: AsyncSession, of: ColumnElement[bool], most: int) -> None:
    """Rows `of` an account or of a device, but for the `most` recently used ones."""
    key = (KnownDevice.user_id, KnownDevice.token_hash)
    surplus = select(*key).where(of).order_by(KnownDevice.last_used_at.desc()).offset(most)
    await session.execute(delete(KnownDevice).where(tuple_(*key).in_(surplus)))


def _is_live(token: str) -> tuple[ColumnElement[bool], ...]:
    return KnownDevice.token_hash == token_hash(token), KnownDevice.expires_at > func.now()
