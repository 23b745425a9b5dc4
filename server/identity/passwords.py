"""Password hashing: argon2id in threads of its own."""

import asyncio
import os
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from server.core.errors import Unavailable
from server.core.process_priority import lower_thread_priority

T = TypeVar("T")

MEMORY_KIB = 19_456
PASSES = 2
MOST_WAITING = 100
_HASHER = PasswordHasher(PASSES, MEMORY_KIB, 1, type=Type.ID)


def _dummy() -> str:
    """The hash that passwords are compared with when there is no account.

    Its digest is random, so that no password matches it, and none has to be hashed to make it.
    """
    hasher = _HASHER
    salt, digest = (b64encode(os.urandom(size)).decode().rstrip("=") for size in (hasher.salt_len, hasher.hash_len))
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${costs}${salt}${digest}"


@dataclass(frozen=True)
class PasswordVerdict:
    """Whether a password is right, and whether its hash has outdated costs."""

    is_right: bool
    is_outdated: bool = False


class PasswordHashing:
    """Hashes in one thread for every two CPUs, with a bounded queue, since a hash costs 20 ms of CPU time.

    The threads have low priority, so that requests without a hash do not wait behind those with one.
    """

    def __init__(self, *, threads: int | None = None, most_waiting: int = MOST_WAITING) -> None:
        threads = threads or max((os.cpu_count() or 1) // 2, 1)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="argon2", initializer=lower_thread_priority)
        self._room = BoundedSemaphore(threads + most_waiting)
        self._argon2 = _HASHER
        self._dummy = _dummy()

    async def hash(self, password: str) -> str:
        """The password's hash. Raises Unavailable when the queue is full."""
        return await self._run(lambda: self._argon2.hash(password))

    async def verify(self, hashed: str | None, password: str) -> PasswordVerdict:
        """Checks a password; takes as long without a hash. Raises Unavailable when the queue is full."""
        return await self._run(lambda: self._verify(hashed, password))

    def _verify(self, hashed: str | None, password: str) -> PasswordVerdict:
        try:
            self._argon2.verify(hashed or self._dummy, password)
        except (VerificationError, InvalidHashError):
            return PasswordVerdict(is_right=False)
        if hashed is None:
            return PasswordVerdict(is_right=False)
        return PasswordVerdict(is_right=True, is_outdated=self._argon2.check_needs_rehash(hashed))

    async def _run(self, work: Callable[[], T]) -> T:
        if not self._room.acquire(blocking=False):
            raise Unavailable
        future = self._pool.submit(work)
        future.add_done_callback(lambda _: self._room.release())
        return await asyncio.wrap_future(future)
