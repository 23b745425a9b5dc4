"""A cache of responses to visitors' catalogue queries, valid until the catalogue changes."""

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import sha256
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import orjson

from server.core.byte_cache import ByteLimitedCache
from server.core.db import is_unavailable
from server.gql.documents import LONGEST_KEPT, asked_fields

CATALOGUE_FIELDS = frozenset({"products", "product", "categories", "search", "shop", "__typename"})
LONGEST_QUERY = LONGEST_KEPT
LONGEST_STALE = 3600.0
"""Seconds for which an outdated response may be served while the database is unreachable."""
ANSWER_BYTES = 500
"""Bytes of an entry beside its bodies."""
MAX_GENERATIONS = 4_096
"""Changes of the last hour that are told apart; responses from before them are too old to be served."""
MANY = 10
"""From this many pieces of a variant on, movements of stock are not announced."""
EXACT_SECONDS = 1.0
"""How long an answer that tells numbers of pieces is kept, since that of many changes unannounced."""
AWAY_SECONDS = 0.5
"""After the database was found unreachable, stale responses are served this long without another attempt."""


class CachedResponse(NamedTuple):
    """A finished response. Only a `complete` one, without errors, is cached."""

    body: bytes
    unavailable: bool = False
    """The database could not be reached."""
    complete: bool = True
    status: int = 200
    """HTTP status, for responses other than GraphQL's."""
    gzipped: bytes | None = None
    """The compressed body, made once for all clients."""
    seconds: float = inf
    """How long it may be cached while the catalogue does not change."""
    stale: float | None = None
    """Seconds for which it may have been outdated; None when it is current."""

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return len(self.body) + len(self.gzipped or b"") + ANSWER_BYTES


Produce = Callable[[], Awaitable[CachedResponse]]


class _Entry(NamedTuple):
    answer: CachedResponse
    generation: int
    until: float


class CatalogCache:
    """Responses by document and variables; the least recently used are evicted first.

    A response is fresh only while LISTEN is connected and nothing has changed since before it was read. Other entries
    are stale: served only while the database cannot be reached, and marked as stale. Nothing can be bought then, so a
    slightly outdated page serves a shopper better than an error.
    """

    def __init__(self, name: str = "catalogue answers", *, max_bytes: int = 64_000_000) -> None:
        self._generation = 0
        self._listening = False
        self._lost_at = monotonic()
        self._ended: dict[int, float] = {}
        """When each generation became possibly outdated, oldest first."""
        self._away_until = 0.0
        self._entries = ByteLimitedCache[bytes, _Entry](name, max_bytes)
        self._flights: dict[tuple[bytes, int], asyncio.Task[CachedResponse]] = {}

    def changed(self, _payload: str = "") -> None:
        """A notification arrived, or one may have been missed while disconnected."""
        self.forget()
        self._listening = True
        self._away_until = 0.0

    def forget(self) -> None:
        """Makes all entries stale, and those being produced now."""
        now = monotonic()
        self._ended[self._generation] = self._known_until
        while self._ended and (
            now - next(iter(self._ended.values())) > LONGEST_STALE or len(self._ended) > MAX_GENERATIONS
        ):
            del self._ended[next(iter(self._ended))]
        self._generation += 1

    def connection_lost(self) -> None:
        """Makes all entries stale, since notifications can be missed."""
        self._listening = False
        self._lost_at = monotonic()

    @property
    def _known_until(self) -> float:
        """When the newest entries were last known to be current."""
        return monotonic() if self._listening else self._lost_at

    def key(self, query: str, variables: dict[str, Any] | None, operation: str | None) -> bytes | None:
        """The key of a query that asks only for the catalogue; None for every other document."""
        if len(query) > LONGEST_QUERY or not asks_catalogue_only(query, operation):
            return None
        asked = orjson.dumps([query, operation, variables], option=orjson.OPT_SORT_KEYS)
        return sha256(asked).digest()

    async def answer(self, key: bytes, produce: Produce) -> CachedResponse:
        """The cached response or a new one; for parallel requests `produce` runs once."""
        entry = self._entries.get(key)
        if entry and self._listening and entry.generation == self._generation and monotonic() < entry.until:
            return entry.answer
        if monotonic() < self._away_until and (stale := self._stale(key)):
            return stale
        flight = (key, self._generation)
        if flight not in self._flights:
            task = asyncio.create_task(self._produce(key, produce, self._generation))
            self._flights[flight] = task
            task.add_done_callback(lambda _: self._flights.pop(flight, None))
        return await asyncio.shield(self._flights[flight])

    async def _produce(self, key: bytes, produce: Produce, generation: int) -> CachedResponse:
        try:
            answer = await produce()
        except Exception as error:
            if is_unavailable(error) and (stale := self._instead(key, generation)):
                return stale
            raise
        if answer.unavailable or answer.stale is not None:
            return self._instead(key, generation) or answer
        if answer.complete and generation == self._generation:
            self._entries.put(key, _Entry(answer, generation, monotonic() + answer.seconds), answer.size)
        return answer

    def _instead(self, key: bytes, generation: int) -> CachedResponse | None:
        """A stale response for a request that finds the database unreachable, unless a notification has come since."""
        if generation == self._generation:
            self._away_until = monotonic() + AWAY_SECONDS
        return self._stale(key)

    def _stale(self, key: bytes) -> CachedResponse | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        since = self._known_until if entry.generation == self._generation else self._ended.get(entry.generation, -inf)
        seconds = monotonic() - since
        return entry.answer._replace(stale=seconds) if seconds <= LONGEST_STALE else None


def asks_catalogue_only(query: str, operation: str | None) -> bool:
    """Whether the operation is a query with only catalogue fields at its root, which are the same for all visitors."""
    fields = asked_fields(query, operation)
    return bool(fields) and fields <= CATALOGUE_FIELDS
