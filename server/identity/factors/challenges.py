"""Challenges of sign-ins, registrations and reauthentications: valid once, for five minutes, for one session or
browser.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity import sessions
from server.identity.errors import ChallengeExpired
from server.identity.models import SignInChallenge
from server.platform.core import clock

LIFETIME = timedelta(minutes=5)
MAX_FAILURES = 5
WEBAUTHN_BYTES = 32


class ChallengePurpose(Enum):
    """What a challenge may be used for."""

    SECOND_FACTOR = "second factor"
    PASSKEY = "passkey"
    REGISTRATION = "registration"


@dataclass(frozen=True)
class ChallengeOwner:
    """Who may answer it: a session, or for a visitor the browser with this token in a cookie."""

    session_id: UUID | None
    browser: str | None


@dataclass(frozen=True)
class StartedChallenge:
    """`token` identifies the challenge to the client; `webauthn` is what an authenticator signs."""

    token: str
    webauthn: bytes


async def begin(
    session: AsyncSession,
    purpose: ChallengePurpose,
    bearer: ChallengeOwner,
    *,
    user_id: UUID | None = None,
    method: str | None = None,
) -> StartedChallenge:
    """Starts a challenge. `method` is the first factor, already verified.

    A session has one for each purpose: the newest.
    """
    if bearer.session_id is not None:
        of_session = delete(SignInChallenge).where(SignInChallenge.session_id == bearer.session_id)
        await session.execute(of_session.where(SignInChallenge.purpose == purpose.value))
    begun = StartedChallenge(sessions.new_token(), secrets.token_bytes(WEBAUTHN_BYTES))
    session.add(
        SignInChallenge(
            token_hash=sessions.token_hash(begun.token),
            purpose=purpose.value,
            user_id=user_id,
            session_id=bearer.session_id,
            browser_hash=_browser_hash(bearer),
            webauthn_challenge=begun.webauthn,
            method=method,
            expires_at=clock.now() + LIFETIME,
        )
    )
    await session.flush()
    return begun


async def find(
    session: AsyncSession, token: str, purpose: ChallengePurpose, bearer: ChallengeOwner, *, lock: bool = False
) -> SignInChallenge:
    """The challenge. Raises ChallengeExpired, also for another purpose, session or browser, or after MAX_FAILURES."""
    query = select(SignInChallenge).where(
        SignInChallenge.token_hash == sessions.token_hash(token),
        SignInChallenge.purpose == purpose.value,
        SignInChallenge.expires_at > clock.now(),
        SignInChallenge.failures < MAX_FAILURES,
        SignInChallenge.session_id.is_not_distinct_from(bearer.session_id),
        SignInChallenge.browser_hash.is_not_distinct_from(_browser_hash(bearer)),
    )
    if lock:
        query = query.with_for_update().execution_options(populate_existing=True)
    challenge = await session.scalar(query)
    if challenge is None:
        raise ChallengeExpired
    return challenge


async def fail(session: AsyncSession, challenge: SignInChallenge) -> None:
    """Records a wrong answer; after MAX_FAILURES the challenge is void."""
    challenge.failures += 1
    await session.flush()


async def close(session: AsyncSession, challenge: SignInChallenge) -> None:
    """Uses up the challenge."""
    await session.delete(challenge)
    await session.flush()


async def forget(session: AsyncSession, user_id: UUID) -> None:
    """Ends the account's challenges, because its password may have changed meanwhile."""
    await session.execute(delete(SignInChallenge).where(SignInChallenge.user_id == user_id))


def _browser_hash(bearer: ChallengeOwner) -> bytes | None:
    if bearer.session_id is not None:
        return None
    return sessions.token_hash(bearer.browser or "")
