"""An LRU cache that is bounded by the bytes of its entries instead of their number."""

from collections import OrderedDict
from collections.abc import Hashable
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakSet

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

ENTRY_BYTES = 300
"""Bytes of an entry beside its value: a digest as its key, and its place in the order of use."""
LARGEST_SHARE = 8
"""By default a value over this fraction of the limit (one eighth) is not cached: it would evict too many others."""


class CacheSize(NamedTuple):
    """What one cache holds now: number of entries, their bytes, and the limit in bytes."""

    entries: int
    bytes: int
    limit: int


class ByteLimitedCache(Generic[K, V]):
    """Keeps values up to `limit` bytes in total; the least recently used are evicted first.

    The caller passes how many bytes a value takes. Each key counts as `ENTRY_BYTES`, so keys should be digests, never
    text of a request. Not thread-safe.
    """

    _all: "WeakSet[ByteLimitedCache[Any, Any]]" = WeakSet()

    def __init__(self, name: str, limit: int, *, largest: int | None = None) -> None:
        """`largest` is the bytes of the largest value that it takes, by default a share of the limit."""
        self.name = name
        self.limit = limit
        self._largest = limit // LARGEST_SHARE if largest is None else largest
        self._bytes = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        ByteLimitedCache._all.add(self)

    def get(self, key: K) -> V | None:
        """The value, which becomes the most recently used; None when it is not cached."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Caches a value of `size` bytes.

        Drops the key's older value in any case, even when the new one is too large.
        """
        self.discard(key)
        size += ENTRY_BYTES
        if size > self._largest:
            return
        self._entries[key] = value, size
        self._bytes += size
        while self._bytes > self.limit:
            self._bytes -= self._entries.popitem(last=False)[1][1]

    def latest(self, number: int) -> list[K]:
        """The keys that were used last, at most so many."""
        return list(islice(reversed(self._entries), number))

    def discard(self, key: K) -> None:
        """Drops one entry, if it is there."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry[1]

    def clear(self) -> None:
        """Drops every entry."""
        self._entries.clear()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> CacheSize:
        """The number of entries and their bytes, with the limit."""
        return CacheSize(len(self._entries), self._bytes, self.limit)


def sizes() -> dict[str, CacheSize]:
    """The size of every cache of this process, by name; caches that share a name are added up."""
    by_name: dict[str, CacheSize] = {}
    for cache in list(ByteLimitedCache._all):
        one, other = cache.size, by_name.get(cache.name, CacheSize(0, 0, 0))
        by_name[cache.name] = CacheSize(*(a + b for a, b in zip(one, other, strict=True)))
    return dict(sorted(by_name.items()))
