"""The credentials of an account, and the one place that ends those which the e-mail's owner has not proven.

An e-mail address is proven by a reset link, by a confirmation link together with the account's own credential, or by a
provider that has verified it. Before that another person may have entered it, with a password of their own, or into the
profile of an account that their Google account opens.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.core import clock
from server.identity import devices, recovery, sessions, verification
from server.identity.factors import held
from server.identity.models import Passkey, User


@dataclass(frozen=True)
class EndedCredentials:
    """Which credentials an account had and has lost."""

    password: bool = False
    google: bool = False
    second_factors: bool = False

    @property
    def named(self) -> tuple[str, ...]:
        """Their names for a mail."""
        ended = (
            ("The password that was set before", self.password),
            ("The link to a Google account", self.google),
            ("Passkeys, codes of an authenticator app and recovery codes", self.second_factors),
        )
        return tuple(name for name, has_ended in ended if has_ended)


async def signs_in_without_google(session: AsyncSession, user: User) -> bool:
    """Whether the account has another credential, so that Google may be unlinked. Lists each kind."""
    return user.password_hash is not None or await has_passkey(session, user.id)


async def has_passkey(session: AsyncSession, user_id: UUID) -> bool:
    """Whether there is a passkey, which signs in by itself, since it verifies its user."""
    return await session.scalar(select(Passkey.id).where(Passkey.user_id == user_id).limit(1)) is not None


async def end_unproven(
    session: AsyncSession, user: User, *, keep_password: bool = False, keep_google: bool = False
) -> EndedCredentials:
    """Leaves the account only to the person who has just proven its e-mail address.

    Ends every session, known device, open link and credential, except those kept because the same person has proven or
    just set them. The caller has locked the account's row. Every kind of credential has its line here.
    """
    ended = EndedCredentials(
        password=user.password_hash is not None and not keep_password,
        google=user.google_sub is not None and not keep_google,
        second_factors=await held.end_all(session, user.id),
    )
    user.password_hash = user.password_hash if keep_password else None
    user.google_sub = user.google_sub if keep_google else None
    user.email_verified_at = user.email_verified_at or clock.now()
    await session.flush()
    await sessions.end_all(session, user.id)
    await devices.forget(session, user.id)
    await recovery.forget(session, user.id)
    await verification.forget(session, user.id)
    return ended
