"""Ending the second factors of another account: for an admin who has lost them, since a reset by mail keeps them."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.identity import accounts, admins, sessions
from server.identity.factors import held
from server.identity.models import Passkey, TotpSecret, User
from server.mail import service as mail
from server.mail.messages import SignInChanged
from server.platform.core.db import any_of
from server.platform.core.errors import InvalidInput
from server.platform.core.viewer import Role, Viewer

ENDED = "The shop has ended your account's passkeys, codes and recovery codes, and signed it out everywhere."


async def of_users(session: AsyncSession, user_ids: Sequence[UUID]) -> dict[UUID, bool]:
    """Which accounts have a second factor; others are missing."""
    has_passkey = exists().where(Passkey.user_id == User.id)
    has_codes = exists().where(TotpSecret.user_id == User.id, TotpSecret.confirmed_at.is_not(None))
    holders = select(User.id).where(any_of(User.id, user_ids), or_(has_passkey, has_codes))
    return dict.fromkeys(await session.scalars(holders), True)


async def end(session: AsyncSession, actor: Viewer, user_id: UUID, *, shop_url: str) -> User:
    """Ends another account's second factors and sessions. Raises NotFound, and Forbidden for the primary admin's."""
    user = await admins.locked(session, user_id)
    await _end(session, actor, user, shop_url)
    return user


async def end_by_email(session: AsyncSession, email: str, *, shop_url: str) -> bool:
    """As `end`, of any account, for the command line. Returns whether it had any. Raises InvalidInput without one."""
    user = await accounts.by_email(session, email)
    if user is None:
        raise InvalidInput({"email": f"There is no account with the e-mail {email}"})
    return await _end(session, None, await accounts.locked(session, user.id), shop_url)


async def _end(session: AsyncSession, actor: Viewer | None, user: User, shop_url: str) -> bool:
    if not await held.end_all(session, user.id):
        return False
    await sessions.end_all(session, user.id)
    key = f"second-factors-ended:{user.id}:{sessions.new_token()}"
    message = SignInChanged(ENDED, reset_ends_factors=user.role != Role.ADMIN.value)
    await mail.enqueue(session, message, key=key, to=user.email, shop_url=shop_url)
    await audit.record(session, actor, "second factors ended", admins.subject(user))
    return True
