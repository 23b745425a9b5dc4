"""The credentials of an account, and the one place that ends those which the e-mail's owner has not proven.

An e-mail address is proven by a reset link, by a confirmation link together with the account's own credential, or by a
provider that has verified it. Before that another person may have entered it, with a password of their own, or into the
profile of an account that their Google account opens.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import devices, planted, recovery, sessions, verification
from server.identity.account_contents import AccountContentsPort
from server.identity.factors import held
from server.identity.models import Passkey, User
from server.platform.core import clock
from server.platform.core.viewer import Role


@dataclass(frozen=True)
class EndedCredentials:
    """Which credentials an account had and has lost, and the names of what was removed with them."""

    password: bool = False
    google: bool = False
    second_factors: bool = False
    removed: tuple[str, ...] = ()

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
    session: AsyncSession, user: User, *, device: str | None, contents: AccountContentsPort
) -> EndedCredentials:
    """Leaves the account only to the person who has just proven its e-mail address, in the browser `device`.

    Ends every session, known device, open link and credential; an admin's second factors stay, since a mailbox alone
    must not open the back office. Removes what another person may have put into the account. The caller has locked the
    account's row. Every kind of credential has its line here.
    """
    is_suspected = await planted.is_suspected(session, user, device)
    ended = EndedCredentials(
        password=user.password_hash is not None,
        google=user.google_sub is not None,
        second_factors=user.role != Role.ADMIN.value and await held.end_all(session, user.id),
        removed=await planted.remove(session, user, contents) if is_suspected else (),
    )
    user.password_hash = user.google_sub = None
    user.email_verified_at = user.email_verified_at or clock.now()
    await session.flush()
    await sessions.end_all(session, user.id)
    await devices.forget(session, user.id)
    await recovery.forget(session, user.id)
    await verification.forget(session, user.id)
    return ended
