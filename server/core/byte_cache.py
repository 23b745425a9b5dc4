"""A cache that is bounded by the memory that its entries take, not by their number."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakSet

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

ENTRY_BYTES = 300
"""What an entry takes beside its value: a digest as its key, and its place in the order of use."""
LARGEST_SHARE = 8
"""A value that takes more than this part of the whole is not kept: it would push out what is worth keeping."""


class CacheSize(NamedTuple):
    """What one cache holds right now."""

    entries: int
    bytes: int
    limit: int


class ByteLimitedCache(Generic[K, V]):
    """Keeps values until they take more than `limit` bytes together; the least recently used are dropped first.

    Whoever puts a value says how many bytes it takes. Keys are counted by `ENTRY_BYTES`: they are meant to be digests,
    never texts of a request. For one thread.
    """

    _all: "WeakSet[ByteLimitedCache[Any, Any]]" = WeakSet()

    def __init__(self, name: str, limit: int) -> None:
        self.name = name
        self.limit = limit
        self._bytes = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        ByteLimitedCache._all.add(self)

    def get(self, key: K) -> V | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Keeps the value, unless it alone takes too much of the limit; an older one of the key goes in any case."""
        self.discard(key)
        size += ENTRY_BYTES
        if size > self.limit // LARGEST_SHARE:
            return
        self._entries[key] = value, size
        self._bytes += size
        while self._bytes > self.limit:
            self._bytes -= self._entries.popitem(last=False)[1][1]

    def discard(self, key: K) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry[1]

    def clear(self) -> None:
        self._entries.clear()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> CacheSize:
        return CacheSize(len(self._entries), self._bytes, self.limit)


def sizes() -> dict[str, CacheSize]:
    """What every cache of this process holds, by name; caches of one name are added up."""
    found: dict[str, CacheSize] = {}
    for cache in list(ByteLimitedCache._all):
        one, other = cache.size, found.get(cache.name, CacheSize(0, 0, 0))
        found[cache.name] = CacheSize(*(a + b for a, b in zip(one, other, strict=True)))
    return dict(sorted(found.items()))
