"""Finished responses to visitors' catalogue queries, each served as long as it shows the catalogue of now."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from math import exp, inf
from time import monotonic
from typing import Any, NamedTuple

import orjson

from server.catalog.present import PresentCatalog
from server.catalog.shown import SHOWN, Shown
from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.core.db import Sessions, is_unavailable
from server.platform.gql.documents import asked_fields, digest

CATALOGUE_FIELDS = frozenset({"products", "product", "categories", "search", "shop", "__typename"})
LONGEST_STALE = 3600.0
"""Seconds for which an outdated response may be served while the database is unreachable."""
ANSWER_BYTES = 500
"""Bytes of an entry beside its bodies."""
AWAY_SECONDS = 0.5
"""After the database was found unreachable, stale responses are served this long without another attempt."""
SERVED_SECONDS = 0.9
"""How long after it was known to be right a response is served while it is renewed; a notification takes the rest of a
second at most."""
EXACT_PAUSE = 0.6
"""How long numbers of pieces are taken for right without another look, as those of many change unannounced."""
FEW_RENEWALS = 10
PAUSE_PER_RENEWAL = 0.02
LONGEST_PAUSE = 0.4
"""Seconds between two renewals of a response: so many for each of all beyond a few that were begun lately."""


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


@dataclass(slots=True)
class _Entry:
    """A response; `known` is the number of changes up to which it was found to be right, at the moment `right_at`."""

    answer: CachedResponse
    shown: Shown
    known: int
    right_at: float
    until: float


class _Flight(NamedTuple):
    made: asyncio.Future[_Entry]
    known: int
    begun: float


class CatalogCache:
    """Responses by document and variables; the least recently used are evicted first.

    While the listener is connected, a response is at most a second old. After any change it is held against what it
    shows of the catalogue, and made anew only if that is different; meanwhile the old one is served. Each is renewed by
    one task at a time. Without the listener responses are made anew for each request, and are stale: served only while
    the database cannot be reached, and marked as stale. Nothing can be bought then, so a slightly outdated page serves
    a shopper better than an error.
    """

    def __init__(
        self, catalog: PresentCatalog, name: str = "catalogue answers", *, max_bytes: int = 16_000_000
    ) -> None:
        self._catalog = catalog
        self._entries = ByteLimitedCache[bytes, _Entry](name, max_bytes)
        self._flights: dict[bytes, _Flight] = {}
        """What is being made, by one task each."""
        self._renewing: set[asyncio.Task[_Entry]] = set()
        self._away_until, self._away_since = 0.0, 0
        self._renewals, self._renewed_at = 0.0, 0.0

    @staticmethod
    def key(query: str, variables: dict[str, Any] | None, operation: str | None) -> bytes | None:
        """The key of a query that asks only for the catalogue; None for every other document."""
        if not asks_catalogue_only(query, operation):
            return None
        return sha256(digest(query, operation) + orjson.dumps(variables, option=orjson.OPT_SORT_KEYS)).digest()

    def current(self, key: bytes) -> CachedResponse | None:
        """The cached response where `answer` would return it at once and renew nothing; None otherwise."""
        entry, now = self._entries.get(key), monotonic()
        if entry is None or not self._catalog.is_listening or now >= entry.until:
            return None
        return entry.answer if self._is_current(entry, now) else None

    async def answer(self, key: bytes, produce: Produce, sessions: Sessions) -> CachedResponse:
        """The cached response or a new one; for parallel requests `produce` runs once.

        What `produce` shows of the catalogue it notes in `SHOWN`; so does this for a response that it is a part of.
        """
        whole = SHOWN.get()
        entry = await self._entry(key, produce, sessions, is_part=whole is not None)
        if whole is not None:
            whole.add(entry.shown)
            if entry.known != self._catalog.changes:
                whole.since = min(whole.since, entry.right_at)
        return entry.answer

    async def _entry(self, key: bytes, produce: Produce, sessions: Sessions, *, is_part: bool) -> _Entry:
        entry, now = self._entries.get(key), monotonic()
        if entry and self._catalog.is_listening and now < entry.until:
            is_right = entry.known == self._catalog.changes
            if (is_right and is_part) or (not is_part and self._is_current(entry, now)):
                return entry
            # Of few who ask nobody is served what is old; of many only the first one waits.
            if not is_part and self._age(entry, now) < SERVED_SECONDS and (is_right or self._flights):
                self._renew(key, produce, sessions)
                return entry
        if now < self._away_until and self._away_since == self._catalog.changes and (stale := self._stale(key)):
            return stale
        return await self._renewed(key, produce, sessions)

    def _is_current(self, entry: _Entry, now: float) -> bool:
        """Whether it is right, or was found to be so recently enough."""
        is_right = entry.known == self._catalog.changes
        if is_right and not entry.shown.asks_stock:
            entry.right_at = self._catalog.known_at
            return True
        if is_right and self._age(entry, now) >= EXACT_PAUSE:
            entry.right_at = max(entry.right_at, self._catalog.last_seen(entry.shown))
        return self._age(entry, now) < min(SERVED_SECONDS, EXACT_PAUSE if is_right else self._pause(now))

    def _age(self, entry: _Entry, now: float) -> float:
        return inf if entry.right_at < self._catalog.fresh_from else now - entry.right_at

    async def _renewed(self, key: bytes, produce: Produce, sessions: Sessions) -> _Entry:
        """A new response, made by the first who asks; for others one that is new enough, whoever makes it."""
        oldest = max(self._catalog.fresh_from, monotonic() - SERVED_SECONDS)
        while (flight := self._flights.get(key)) is not None:
            is_new_enough = flight.begun >= oldest or flight.known == self._catalog.changes
            await asyncio.wait([flight.made])
            # Whoever made it may have left.
            if is_new_enough and not flight.made.cancelled():
                return flight.made.result()
        return await self._fly(key, self._begin(key), produce, sessions)

    def _renew(self, key: bytes, produce: Produce, sessions: Sessions) -> None:
        """Has a response renewed in the background, unless it is being made."""
        if key not in self._flights:
            task = asyncio.create_task(self._fly(key, self._begin(key), produce, sessions))
            self._renewing.add(task)
            task.add_done_callback(self._end_renewal)

    def _end_renewal(self, task: asyncio.Task[_Entry]) -> None:
        self._renewing.discard(task)
        if not task.cancelled():
            task.exception()  # Whoever waits raises it; there may be nobody.

    def _begin(self, key: bytes) -> _Flight:
        now = monotonic()
        self._renewals, self._renewed_at = self._recent_renewals(now) + 1, now
        flight = self._flights[key] = _Flight(asyncio.get_running_loop().create_future(), self._catalog.changes, now)
        return flight

    async def _fly(self, key: bytes, flight: _Flight, produce: Produce, sessions: Sessions) -> _Entry:
        made = flight.made
        try:
            entry = await self._produce(key, produce, sessions, flight.known, self._catalog.known_at)
        except Exception as error:
            made.set_exception(error)
            made.exception()  # As above.
            raise
        else:
            made.set_result(entry)
            return entry
        finally:
            del self._flights[key]
            made.cancel()  # Without effect unless this task has been cancelled.

    def _recent_renewals(self, now: float) -> float:
        return self._renewals * exp(self._renewed_at - now)

    def _pause(self, now: float) -> float:
        return min(LONGEST_PAUSE, PAUSE_PER_RENEWAL * (self._recent_renewals(now) - FEW_RENEWALS))

    async def _produce(self, key: bytes, produce: Produce, sessions: Sessions, known: int, right_at: float) -> _Entry:
        catalog, entry = self._catalog, self._entries.get(key)
        shown = Shown(right_at, catalog.index_version)
        whole = SHOWN.set(shown)
        try:
            may_be_right = entry is not None and catalog.is_listening and monotonic() < entry.until
            if entry and may_be_right and await catalog.still_shows(entry.shown, sessions):
                entry.known, entry.right_at = known, right_at
                return entry
            answer = await produce()
        except Exception as error:
            if is_unavailable(error) and (stale := self._instead(key, known)):
                return stale
            raise
        finally:
            SHOWN.reset(whole)
        if answer.unavailable or answer.stale is not None:
            stale = self._instead(key, known)
            return stale or _Entry(answer, shown, known, shown.since, inf)
        made = _Entry(answer, shown, known, shown.since, monotonic() + answer.seconds)
        if answer.complete:
            self._entries.put(key, made, answer.size + shown.size)
        return made

    def _instead(self, key: bytes, known: int) -> _Entry | None:
        """A stale response for a request that finds the database unreachable, unless a notification has come since."""
        if known == self._catalog.changes:
            self._away_until, self._away_since = monotonic() + AWAY_SECONDS, known
        return self._stale(key)

    def _stale(self, key: bytes) -> _Entry | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        since = self._catalog.known_at if entry.known == self._catalog.changes else entry.right_at
        seconds = monotonic() - since
        if seconds > LONGEST_STALE:
            return None
        return _Entry(entry.answer._replace(stale=seconds), entry.shown, entry.known, entry.right_at, entry.until)


def asks_catalogue_only(query: str, operation: str | None) -> bool:
    """Whether the operation is a query with only catalogue fields at its root, which are the same for all visitors."""
    fields = asked_fields(query, operation)
    return bool(fields) and fields <= CATALOGUE_FIELDS
