"""Finished responses to visitors' catalogue queries, each served while it shows the present catalogue."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import orjson

from server.catalog.dependencies import CACHE_DEPENDENCIES, CHECK_SECONDS, FRESH_SECONDS, CacheDependencies
from server.catalog.live import LiveCatalog
from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.core.db import Sessions, is_unavailable
from server.platform.gql.documents import asked_fields, digest

CATALOGUE_FIELDS = frozenset({"products", "product", "categories", "search", "shop", "page", "__typename"})
LONGEST_STALE = 3600.0
"""Seconds for which an outdated response may be served while the database is unreachable."""
ANSWER_BYTES = 500
"""Bytes of an entry beside its bodies."""
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


@dataclass(slots=True)
class _Entry:
    """A response that was right after so many `changes`, `as_of` a moment; `checked_at` says when it was renewed."""

    response: CachedResponse
    dependencies: CacheDependencies
    changes: int
    as_of: float
    expires_at: float
    checked_at: float = -inf


class _Flight(NamedTuple):
    entry: asyncio.Future[_Entry]
    changes: int
    begun: float


class CatalogCache:
    """Responses by document and variables; the least recently used are evicted first.

    The rule of freshness: a response is at most a second old. After a change was announced, the next request compares
    what the response depends on with the catalogue, and makes it anew if that is different. Each response is checked or
    made by one request at a time; meanwhile others get what was right within FRESH_SECONDS, or wait. Moments are by
    `monotonic`.

    Without notifications each request makes its response anew. Only while the database cannot be reached is an older
    one served, marked as stale: nothing can be bought then, so it serves a shopper better than an error.
    """

    def __init__(self, catalog: LiveCatalog, name: str = "catalogue answers", *, max_bytes: int = 16_000_000) -> None:
        self._catalog = catalog
        self._entries = ByteLimitedCache[bytes, _Entry](name, max_bytes)
        self._flights: dict[bytes, _Flight] = {}
        """What is being checked or made, by one request each."""
        self._away_until, self._away_changes = 0.0, 0

    @staticmethod
    def key(query: str, variables: dict[str, Any] | None, operation: str | None) -> bytes | None:
        """The key of a query that asks only for the catalogue; None for every other document."""
        if not asks_catalogue_only(query, operation):
            return None
        return sha256(digest(query, operation) + orjson.dumps(variables, option=orjson.OPT_SORT_KEYS)).digest()

    def current(self, key: bytes) -> CachedResponse | None:
        """The cached response where `answer` would return it at once; None otherwise."""
        entry, now = self._entries.get(key), monotonic()
        return entry.response if entry and self._is_current(entry, now) else None

    async def answer(self, key: bytes, produce: Produce, sessions: Sessions) -> CachedResponse:
        """The cached response or a new one; for parallel requests `produce` runs once.

        `produce` adds what it shows to `CACHE_DEPENDENCIES`; so does this for a response that it is a part of.
        """
        whole = CACHE_DEPENDENCIES.get()
        entry = await self._entry(key, produce, sessions, is_part=whole is not None)
        if whole is not None:
            whole.add(entry.dependencies)
            if entry.changes != self._catalog.changes:
                whole.as_of = min(whole.as_of, entry.as_of)
        return entry.response

    async def _entry(self, key: bytes, produce: Produce, sessions: Sessions, *, is_part: bool) -> _Entry:
        entry, now = self._entries.get(key), monotonic()
        if entry is not None and self._may_be_current(entry, now):
            if is_part and entry.changes == self._catalog.changes:
                return entry
            if not is_part and (self._is_current(entry, now) or (key in self._flights and self._is_fresh(entry, now))):
                return entry
        if now < self._away_until and self._away_changes == self._catalog.changes and (stale := self._stale(key)):
            return stale
        return await self._single_flight(key, produce, sessions)

    def _may_be_current(self, entry: _Entry, now: float) -> bool:
        return self._catalog.is_listening and now < entry.expires_at

    def _is_current(self, entry: _Entry, now: float) -> bool:
        """Whether it is right, or was found to be so recently enough."""
        if not self._may_be_current(entry, now):
            return False
        if entry.changes != self._catalog.changes:
            checked_at = entry.checked_at
        elif entry.dependencies.shows_stock:
            checked_at = entry.as_of
        else:
            entry.as_of = self._catalog.as_of
            return True
        return now - checked_at < CHECK_SECONDS and self._is_fresh(entry, now)

    def _is_fresh(self, entry: _Entry, now: float) -> bool:
        return entry.as_of >= self._catalog.fresh_from and now - entry.as_of < FRESH_SECONDS

    async def _single_flight(self, key: bytes, produce: Produce, sessions: Sessions) -> _Entry:
        """A new or checked response of the request that is first; others wait for it if it is new enough for them."""
        oldest = max(self._catalog.fresh_from, monotonic() - FRESH_SECONDS)
        while (flight := self._flights.get(key)) is not None:
            is_new_enough = flight.begun >= oldest or flight.changes == self._catalog.changes
            await asyncio.wait([flight.entry])
            # The request that was first may have been cancelled.
            if is_new_enough and not flight.entry.cancelled():
                return flight.entry.result()
        return await self._renew(key, produce, sessions)

    async def _renew(self, key: bytes, produce: Produce, sessions: Sessions) -> _Entry:
        changes, as_of, future = self._catalog.changes, self._catalog.as_of, asyncio.Future[_Entry]()
        self._flights[key] = _Flight(future, changes, monotonic())
        try:
            entry = await self._checked(key, sessions, changes) or await self._made(
                key, produce, sessions, changes, as_of
            )
        except Exception as error:
            if is_unavailable(error) and (stale := self._instead(key, changes)):
                future.set_result(stale)
                return stale
            future.set_exception(error)
            future.exception()  # Each request that waits raises it; there may be none.
            raise
        else:
            future.set_result(entry)
            return entry
        finally:
            del self._flights[key]
            future.cancel()  # Without effect unless this task has been cancelled.

    async def _checked(self, key: bytes, sessions: Sessions, changes: int) -> _Entry | None:
        """The cached entry if it would be the same now."""
        entry = self._entries.get(key)
        if entry is None or not self._may_be_current(entry, monotonic()):
            return None
        as_of = await self._catalog.unchanged_as_of(entry.dependencies, sessions)
        if as_of is None:
            return None
        entry.changes, entry.as_of, entry.checked_at = changes, as_of, monotonic()
        return entry

    async def _made(self, key: bytes, produce: Produce, sessions: Sessions, changes: int, as_of: float) -> _Entry:
        dependencies = CacheDependencies(as_of, self._catalog.index_version)
        whole = CACHE_DEPENDENCIES.set(dependencies)
        try:
            response = await produce()
        finally:
            CACHE_DEPENDENCIES.reset(whole)
        if response.unavailable or response.stale is not None:
            stale = self._instead(key, changes)
            return stale or _Entry(response, dependencies, changes, dependencies.as_of, inf)
        now = monotonic()
        entry = _Entry(response, dependencies, changes, dependencies.as_of, now + response.seconds)
        if self._entries.get(key) is not None:
            entry.checked_at = now
        if response.complete:
            self._entries.put(key, entry, response.size + dependencies.size)
        return entry

    def _instead(self, key: bytes, changes: int) -> _Entry | None:
        """A stale response for a request that finds the database unreachable, unless a notification has come since."""
        if changes == self._catalog.changes:
            self._away_until, self._away_changes = monotonic() + AWAY_SECONDS, changes
        return self._stale(key)

    def _stale(self, key: bytes) -> _Entry | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        as_of = self._catalog.as_of if entry.changes == self._catalog.changes else entry.as_of
        seconds = monotonic() - as_of
        if seconds > LONGEST_STALE:
            return None
        return replace(entry, response=entry.response._replace(stale=seconds))


def asks_catalogue_only(query: str, operation: str | None) -> bool:
    """Whether the operation is a query with only catalogue fields at its root, which are the same for all visitors."""
    fields = asked_fields(query, operation)
    return bool(fields) and fields <= CATALOGUE_FIELDS
