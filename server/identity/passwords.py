"""Password hashing: argon2id in threads of its own."""

import asyncio
import os
from base64 import b64encode
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from server.platform.core.errors import Unavailable
from server.platform.core.fair_queue import FairQueue
from server.platform.core.process_priority import lower_thread_priority
from server.platform.core.slots import without_slot

T = TypeVar("T")

MEMORY_KIB = 19_456
PASSES = 2
MOST_WAITING = 100
LONGEST_WAIT = 10.0
"""Seconds that a request waits for its hash to begin."""
_HASHER = PasswordHasher(PASSES, MEMORY_KIB, 1, type=Type.ID)


def _dummy_hash() -> str:
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
    """Hashes in one thread for every two CPUs, since a hash costs 20 ms of CPU time.

    The threads have low priority, so that requests without a hash do not wait behind those with one. Requests wait in a
    bounded queue, in which clients take turns and no request holds a slot. `client` is the account or network that a
    hash is for.
    """

    def __init__(self, *, threads: int | None = None, most_waiting: int = MOST_WAITING) -> None:
        self._idle = threads or max((os.cpu_count() or 1) // 2, 1)
        self._pool = ThreadPoolExecutor(self._idle, thread_name_prefix="argon2", initializer=lower_thread_priority)
        self._queue = FairQueue(most_waiting)
        self._argon2 = _HASHER
        self.dummy_hash = _dummy_hash()
        """What passwords are compared with when there is no hash; none is right."""

    def require_room(self, client: Hashable) -> None:
        """Raises Unavailable when the queue is full for this client: to be asked before other work for the request."""
        if not self._idle and not self._queue.has_room(client):
            raise Unavailable

    async def hash(self, password: str, client: Hashable = None) -> str:
        """The password's hash. Raises Unavailable when the queue is full, or the turn or a slot comes too late."""
        return await self._run(lambda: self._argon2.hash(password), client)

    async def verify(self, hashed: str, password: str, client: Hashable = None) -> PasswordVerdict:
        """Checks a password. Raises Unavailable as `hash` does."""
        return await self._run(lambda: self._verify(hashed, password), client)

    def _verify(self, hashed: str, password: str) -> PasswordVerdict:
        try:
            self._argon2.verify(hashed, password)
        except (VerificationError, InvalidHashError):
            return PasswordVerdict(is_right=False)
        return PasswordVerdict(is_right=True, is_outdated=self._argon2.check_needs_rehash(hashed))

    async def _run(self, work: Callable[[], T], client: Hashable) -> T:
        self.require_room(client)
        async with without_slot():
            await self._turn(client)
            hashing = asyncio.wrap_future(self._pool.submit(work))
            hashing.add_done_callback(lambda _: self._pass_on())
            # A request that is cancelled meanwhile does not end the thread's work, nor its turn.
            return await asyncio.shield(hashing)

    async def _turn(self, client: Hashable) -> None:
        if self._idle:
            self._idle -= 1
        elif not await self._queue.wait(client, LONGEST_WAIT, self._pass_on):
            raise Unavailable

    def _pass_on(self) -> None:
        if not self._queue.call():
            self._idle += 1
