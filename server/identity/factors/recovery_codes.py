"""Recovery codes: ten for an account with a second factor, shown once, each good once in place of that factor."""

import secrets
from base64 import b32encode
from hashlib import sha256
from uuid import UUID

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.models import RecoveryCode

COUNT = 10
RANDOM_BYTES = 10
"""80 bits: too many to be guessed from a SHA-256, so that no slower hash is needed."""
GROUP = 4
_MISREAD = str.maketrans("018", "olb")
"""Digits that no code has, by the letters that they are taken for."""


async def issue(session: AsyncSession, user_id: UUID) -> list[str]:
    """New codes instead of all older ones."""
    await forget(session, user_id)
    codes = [_new() for _ in range(COUNT)]
    await session.execute(insert(RecoveryCode), [{"user_id": user_id, "code_hash": _hash(code)} for code in codes])
    return codes


async def use(session: AsyncSession, user_id: UUID, code: str) -> bool:
    """Whether it is one of the account's; it is used up then."""
    used = delete(RecoveryCode).where(RecoveryCode.user_id == user_id, RecoveryCode.code_hash == _hash(code))
    return await session.scalar(used.returning(RecoveryCode.user_id)) is not None


async def count(session: AsyncSession, user_id: UUID) -> int:
    return await session.scalar(select(func.count()).where(RecoveryCode.user_id == user_id)) or 0


async def forget(session: AsyncSession, user_id: UUID) -> None:
    await session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))


def _new() -> str:
    text = b32encode(secrets.token_bytes(RANDOM_BYTES)).decode().lower()
    return "-".join(text[start : start + GROUP] for start in range(0, len(text), GROUP))


def _hash(code: str) -> bytes:
    """However its letters, dashes and blanks were typed."""
    plain = "".join(char for char in code[:100].lower().translate(_MISREAD) if char.isalnum())
    return sha256(plain.encode(errors="backslashreplace")).digest()
