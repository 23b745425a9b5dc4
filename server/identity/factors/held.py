"""Which second factors an account has, and removing all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.factors import challenges, one_time_codes, passkeys, recovery_codes
from server.identity.models import Passkey


class FactorMethod(Enum):
    """A way to authenticate; the first three may begin a sign-in."""

    PASSWORD = "password"  # noqa: S105
    GOOGLE = "google"
    PASSKEY = "passkey"
    CODE = "code"
    RECOVERY_CODE = "recovery code"


@dataclass(frozen=True)
class AccountFactors:
    """The second factors of an account."""

    passkeys: Sequence[Passkey]
    has_codes: bool
    recovery_codes: int

    @property
    def exist(self) -> bool:
        """Whether the account has a second factor; recovery codes alone are none."""
        return bool(self.passkeys) or self.has_codes

    @property
    def methods(self) -> list[FactorMethod]:
        """The methods that the account can use as its second factor, the simplest first."""
        ways = {
            FactorMethod.PASSKEY: bool(self.passkeys),
            FactorMethod.CODE: self.has_codes,
            FactorMethod.RECOVERY_CODE: self.recovery_codes > 0,
        }
        return [method for method, there in ways.items() if there and self.exist]


NONE = AccountFactors((), False, 0)


async def of_users(session: AsyncSession, user_ids: Sequence[UUID]) -> dict[UUID, AccountFactors]:
    """Factors by account, read one by one: a request needs only its viewer's."""
    return {user_id: await of_user(session, user_id) for user_id in user_ids}


async def of_user(session: AsyncSession, user_id: UUID) -> AccountFactors:
    """The account's second factors."""
    return AccountFactors(
        await passkeys.of_user(session, user_id),
        await one_time_codes.are_on(session, user_id),
        await recovery_codes.count(session, user_id),
    )


async def end_all(session: AsyncSession, user_id: UUID) -> bool:
    """Removes every second factor and open challenge. Returns whether there was a factor."""
    had = (await of_user(session, user_id)).exist
    await session.execute(delete(Passkey).where(Passkey.user_id == user_id))
    await one_time_codes.turn_off(session, user_id)
    await recovery_codes.forget(session, user_id)
    await challenges.forget(session, user_id)
    return had
