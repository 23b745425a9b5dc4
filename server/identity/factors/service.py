"""Verifying and changing second factors.

Every change is mailed to the account (repeated ones once in ten minutes), and an admin's own is written to the audit
log.
"""

import time
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import accounts, sessions, sign_in_log
from server.identity.factors import challenges, one_time_codes, passkeys, recovery_codes
from server.identity.factors.challenges import ChallengeOwner, ChallengePurpose
from server.identity.factors.held import FactorMethod, of_user
from server.identity.factors.passkeys import RelyingParty
from server.identity.models import User
from server.mail import service as mail
from server.mail.messages import SignInChanged
from server.platform.core.sealing import Sealer
from server.platform.core.viewer import Role, Viewer

SECONDS_PER_MAIL = 600
"""An account gets one mail about one kind of change within this."""


@dataclass(frozen=True)
class ChallengeAnswer:
    """The answer to a challenge: a one-time or recovery code, or an authenticator's signed JSON."""

    code: str | None = None
    passkey: str | None = None


@dataclass(frozen=True)
class ChangedFactors:
    """`new_recovery_codes` are set after the account's first second factor, or when new ones were requested."""

    new_recovery_codes: list[str] | None = None


async def prove(
    session: AsyncSession,
    sealer: Sealer,
    party: RelyingParty,
    user_id: UUID,
    webauthn_challenge: bytes,
    proof: ChallengeAnswer,
) -> FactorMethod | None:
    """The method by which the answer is valid; None when it is wrong. Codes are used up."""
    if proof.passkey is not None:
        right = await passkeys.verify(session, party, user_id, webauthn_challenge, proof.passkey)
        return FactorMethod.PASSKEY if right else None
    code = proof.code or ""
    if one_time_codes.is_code(code):
        return FactorMethod.CODE if await one_time_codes.verify(session, sealer, user_id, code) else None
    return FactorMethod.RECOVERY_CODE if await recovery_codes.use(session, user_id, code) else None


async def add_passkey(
    session: AsyncSession, actor: Viewer, party: RelyingParty, token: str, credential: str, name: str, *, shop_url: str
) -> ChangedFactors:
    """Ends a registration that this session began. Raises ChallengeExpired, FactorRefused, PasskeyLimitReached."""
    user = await accounts.locked_by(session, actor)
    bearer = ChallengeOwner(actor.session_id, None)
    challenge = await challenges.find(session, token, ChallengePurpose.REGISTRATION, bearer, lock=True)
    had = (await of_user(session, user.id)).exist
    await passkeys.add(session, party, user.id, challenge.webauthn_challenge, credential, name)
    await challenges.close(session, challenge)
    await _tell(session, actor, user, "passkey added", "A passkey was added.", shop_url, after={"passkey": name})
    return ChangedFactors(None if had else await _begin(session, actor, FactorMethod.PASSKEY))


async def rename_passkey(
    session: AsyncSession, actor: Viewer, passkey_id: UUID, name: str, *, shop_url: str
) -> ChangedFactors:
    """Renames a passkey. Raises NotFound."""
    user = await accounts.locked_by(session, actor)
    old, new = await passkeys.rename(session, user.id, passkey_id, name)
    if old != new:
        before, after = {"passkey": old}, {"passkey": new}
        await _tell(session, actor, user, "passkey renamed", "A passkey was renamed.", shop_url, before, after)
    return ChangedFactors()


async def remove_passkey(session: AsyncSession, actor: Viewer, passkey_id: UUID, *, shop_url: str) -> ChangedFactors:
    """Deletes a passkey. Raises NotFound."""
    user = await accounts.locked_by(session, actor)
    before = {"passkey": await passkeys.remove(session, user.id, passkey_id)}
    await _forget_codes_without_factor(session, user.id)
    await _tell(session, actor, user, "passkey removed", "A passkey was removed.", shop_url, before)
    return ChangedFactors()


async def turn_codes_on(
    session: AsyncSession, actor: Viewer, sealer: Sealer, code: str, *, shop_url: str
) -> ChangedFactors | None:
    """Confirms one-time codes; None when the code is wrong. Raises Conflict when they are on or no setup has begun."""
    user = await accounts.locked_by(session, actor)
    had = (await of_user(session, user.id)).exist
    if not await one_time_codes.confirm_setup(session, sealer, user.id, code):
        return None
    await _tell(session, actor, user, "codes turned on", "Codes of an authenticator app were turned on.", shop_url)
    return ChangedFactors(None if had else await _begin(session, actor, FactorMethod.CODE))


async def turn_codes_off(session: AsyncSession, actor: Viewer, *, shop_url: str) -> ChangedFactors:
    """Turns one-time codes off; idempotent."""
    user = await accounts.locked_by(session, actor)
    if await one_time_codes.turn_off(session, user.id):
        await _forget_codes_without_factor(session, user.id)
        await _tell(
            session, actor, user, "codes turned off", "Codes of an authenticator app were turned off.", shop_url
        )
    return ChangedFactors()


async def renew_recovery_codes(session: AsyncSession, actor: Viewer, *, shop_url: str) -> ChangedFactors:
    """Issues new recovery codes; none for an account without a second factor."""
    user = await accounts.locked_by(session, actor)
    if not (await of_user(session, user.id)).exist:
        return ChangedFactors()
    codes = await recovery_codes.issue(session, user.id)
    what = "New recovery codes were made; the old ones no longer work."
    await _tell(session, actor, user, "recovery codes renewed", what, shop_url)
    return ChangedFactors(codes)


async def _begin(session: AsyncSession, actor: Viewer, first: FactorMethod) -> list[str]:
    """Handles the account's first second factor: ends all sessions that began without one, except this.

    Returns its recovery codes.
    """
    await sessions.end_others(session, actor)
    await sessions.note_second_factor(session, actor.session_id, first.value)
    return await recovery_codes.issue(session, actor.user_id)


async def _forget_codes_without_factor(session: AsyncSession, user_id: UUID) -> None:
    if not (await of_user(session, user_id)).exist:
        await recovery_codes.forget(session, user_id)


async def _tell(
    session: AsyncSession,
    actor: Viewer,
    user: User,
    action: str,
    what: str,
    shop_url: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    message = SignInChanged(what, reset_ends_factors=user.role != Role.ADMIN.value)
    key = f"sign-in-changed:{user.id}:{action}:{int(time.time()) // SECONDS_PER_MAIL}"
    await mail.enqueue(session, message, key=key, to=user.email, shop_url=shop_url)
    await sign_in_log.changed(session, user, action, actor=actor, before=before, after=after)
