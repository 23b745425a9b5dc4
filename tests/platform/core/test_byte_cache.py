"""Caches bounded by the bytes of their entries."""

from server.platform.core.byte_cache import ENTRY_BYTES, ByteLimitedCache, CacheSize, sizes

LIMIT = 100_000


def filled(name: str = "test", *, entries: int = 0, size: int = 1_000) -> ByteLimitedCache[int, str]:
    cache = ByteLimitedCache[int, str](name, LIMIT)
    for key in range(entries):
        cache.put(key, str(key), size - ENTRY_BYTES)
    return cache


def test_the_least_recently_used_go_first() -> None:
    cache = filled(entries=100)
    cache.get(0)

    cache.put(100, "new", 1_000 - ENTRY_BYTES)

    assert cache.get(0) == "0"
    assert cache.get(1) is None
    assert cache.get(100) == "new"
    assert cache.size == CacheSize(100, LIMIT, LIMIT)


def test_however_much_is_put_it_stays_within_its_bytes() -> None:
    cache = filled()

    for key in range(10_000):
        cache.put(key, "", key % 20_000)
        assert cache.size.bytes <= LIMIT

    assert 0 < len(cache) < LIMIT // ENTRY_BYTES


def test_entries_of_nothing_take_something() -> None:
    cache = filled(entries=10_000, size=ENTRY_BYTES)

    assert len(cache) == LIMIT // ENTRY_BYTES


def test_what_alone_would_push_out_the_others_is_not_kept() -> None:
    cache = filled(entries=50)

    cache.put(0, "larger now", LIMIT // 2)

    assert cache.get(0) is None
    assert len(cache) == 49
    assert cache.size.bytes == 49_000


def test_a_new_value_takes_the_place_of_the_old_one() -> None:
    cache = filled(entries=2)

    cache.put(0, "new", 2_000)
    cache.discard(1)
    cache.discard(7)

    assert cache.get(0) == "new"
    assert cache.size == CacheSize(1, 2_000 + ENTRY_BYTES, LIMIT)
    cache.clear()
    assert cache.size == CacheSize(0, 0, LIMIT)


def test_what_all_of_them_hold_is_told_by_name() -> None:
    one, other = filled("test sizes", entries=2), filled("test sizes", entries=1)

    size = sizes()["test sizes"]

    assert size == CacheSize(3, 3_000, 2 * LIMIT)
    del one, other
    assert "test sizes" not in sizes()
