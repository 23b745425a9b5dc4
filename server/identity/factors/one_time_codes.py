"""One-time codes of an authenticator app (TOTP, RFC 6238: SHA-1, six digits, thirty seconds)."""

import asyncio
import re
import time
from dataclasses import dataclass
from hmac import compare_digest
from uuid import UUID

import pyotp
import structlog
from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.models import TotpSecret, User
from server.platform.core import clock
from server.platform.core.errors import Conflict
from server.platform.core.sealing import Sealer, Unsealable

log = structlog.get_logger()

STEP_SECONDS = 30
TOLERATED_STEPS = 1
"""Time steps before and after the present one, since clocks differ."""
CODE = re.compile(r"[0-9]{6}")


@dataclass(frozen=True)
class TotpSetup:
    """What an authenticator app needs: the secret, and an otpauth URI that contains it."""

    secret: str
    uri: str


def is_code(typed: str) -> bool:
    """Whether the text has the form of a one-time code, not of a recovery code."""
    return CODE.fullmatch(_clean(typed)) is not None


async def start_setup(session: AsyncSession, sealer: Sealer, user: User, shop_name: str) -> TotpSetup:
    """A new secret, which replaces an unconfirmed one and applies once a code is confirmed. Raises Conflict."""
    await sealer.load()
    secret = pyotp.random_base32()
    row = insert(TotpSecret).values(user_id=user.id, sealed=sealer.seal(secret.encode(), owner=user.id.bytes))
    renewed = row.on_conflict_do_update(
        index_elements=[TotpSecret.user_id],
        set_={"sealed": row.excluded.sealed, "last_step": 0, "created_at": clock.now()},
        where=TotpSecret.confirmed_at.is_(None),
    )
    if await session.scalar(renewed.returning(TotpSecret.user_id)) is None:
        raise Conflict("Codes are set up already. Turn them off before setting them up anew.")
    uri = pyotp.TOTP(secret, name=user.email, issuer=shop_name).provisioning_uri()
    return TotpSetup(secret, uri)


async def qr_code(uri: str) -> str:
    """The URI as an SVG data URL. It takes 50 ms of CPU time, so a thread draws it."""
    return await asyncio.to_thread(_draw, uri)


async def confirm_setup(session: AsyncSession, sealer: Sealer, user_id: UUID, code: str) -> bool:
    """Turns codes on if this is a code of the newest secret. Returns whether it is. Raises Conflict."""
    await sealer.load()
    row = await _locked(session, user_id)
    if row is None or row.confirmed_at is not None:
        raise Conflict("Please begin to set up codes again.")
    if not _accept(row, sealer, code):
        return False
    row.confirmed_at = clock.now()
    await session.flush()
    return True


async def verify(session: AsyncSession, sealer: Sealer, user_id: UUID, code: str) -> bool:
    """Whether this is a current code that was not used before; it is then used up."""
    await sealer.load()
    row = await _locked(session, user_id)
    if row is None or row.confirmed_at is None or not _accept(row, sealer, code):
        return False
    await session.flush()
    return True


async def are_on(session: AsyncSession, user_id: UUID) -> bool:
    """Whether the account has confirmed one-time codes."""
    on = select(TotpSecret.user_id).where(TotpSecret.user_id == user_id, TotpSecret.confirmed_at.is_not(None))
    return await session.scalar(on) is not None


async def turn_off(session: AsyncSession, user_id: UUID) -> bool:
    """Turns codes off. Returns whether they were on."""
    gone = delete(TotpSecret).where(TotpSecret.user_id == user_id).returning(TotpSecret.confirmed_at)
    return await session.scalar(gone) is not None


async def _locked(session: AsyncSession, user_id: UUID) -> TotpSecret | None:
    """The secret, locked: of two requests with the same code, the second waits here and finds it used."""
    own = select(TotpSecret).where(TotpSecret.user_id == user_id).with_for_update()
    return await session.scalar(own.execution_options(populate_existing=True))


def _accept(row: TotpSecret, sealer: Sealer, typed: str) -> bool:
    """Records the code's time step, so that neither it nor an older one is accepted again."""
    try:
        secret = sealer.open(row.sealed, owner=row.user_id.bytes).decode()
    except Unsealable:
        log.error("codes.unsealable")
        return False
    now, totp = int(time.time()) // STEP_SECONDS, pyotp.TOTP(secret)
    code = _clean(typed).encode(errors="backslashreplace")
    for step in range(now - TOLERATED_STEPS, now + TOLERATED_STEPS + 1):
        if step > row.last_step and compare_digest(totp.generate_otp(step).encode(), code):
            row.last_step = step
            return True
    return False


def _draw(uri: str) -> str:
    import segno

    return segno.make(uri, error="m", micro=False).svg_data_uri(scale=4, border=4, light="#fff", dark="#000")


def _clean(typed: str) -> str:
    return typed[:40].replace(" ", "")
