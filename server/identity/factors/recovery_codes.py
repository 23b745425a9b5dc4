"""Recovery codes: ten for an account with a second factor, shown once, each usable once in its place."""

import secrets
from base64 import b32encode
from hashlib import sha256
from uuid import UUID

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.models import RecoveryCode

COUNT = 10
RANDOM_BYTES = 10
"""80 bits, too many to be found from a SHA-256, so no slow hash is needed."""
GROUP = 4
_MISREAD = str.maketrans("018", "olb")
"""Digits that no code contains, with the letters that they are mistaken for."""


async def issue(session: AsyncSession, user_id: UUID) -> list[str]:
    """New codes, which replace all older ones."""
    await forget(session, user_id)
    codes = [_new() for _ in range(COUNT)]
    await session.execute(insert(RecoveryCode), [{"user_id": user_id, "code_hash": _hash(code)} for code in codes])
    return codes


async def use(session: AsyncSession, user_id: UUID, code: str) -> bool:
    """Whether this is one of the account's codes; it is then used up."""
    used = delete(RecoveryCode).where(RecoveryCode.user_id == user_id, RecoveryCode.code_hash == _hash(code))
    return await session.scalar(used.returning(RecoveryCode.user_id)) is not None


async def count(session: AsyncSession, user_id: UUID) -> int:
    """How many unused codes the account has."""
    return await session.scalar(select(func.count()).where(RecoveryCode.user_id == user_id)) or 0


async def forget(session: AsyncSession, user_id: UUID) -> None:
    """Deletes the account's codes."""
    await session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))


def _new() -> str:
    text = b32encode(secrets.token_bytes(RANDOM_BYTES)).decode().lower()
    return "-".join(text[start : start + GROUP] for start in range(0, len(text), GROUP))


def _hash(code: str) -> bytes:
    """The hash, the same for any case, dashes and spaces."""
    plain = "".join(char for char in code[:100].lower().translate(_MISREAD) if char.isalnum())
    return sha256(plain.encode(errors="backslashreplace")).digest()
