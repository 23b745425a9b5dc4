import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import cast

import pytest
from sqlalchemy.exc import TimeoutError as PoolTimeout

from server.catalog.cache import (
    ANSWER_BYTES,
    CachedResponse,
    CatalogCache,
    asks_catalogue_only,
)
from server.catalog.dependencies import CACHE_DEPENDENCIES
from server.catalog.follower import CatalogFollower
from server.catalog.live import LiveCatalog
from server.platform.core.byte_cache import ENTRY_BYTES, LARGEST_SHARE
from server.platform.core.db import DatabaseUnavailable, Sessions
from server.platform.core.errors import Unavailable

KEY = b"key"
A_SECOND = 1.0
NO_DATABASE = cast(Sessions, None)


class Source:
    """Shows settings and the number of times it has been asked; waits for `gate` when there is one."""

    def __init__(self, cache: "Cache") -> None:
        self.catalog = cache.catalog
        self.asked = 0
        self.gate: asyncio.Event | None = None
        self.error: Exception | None = None
        self.complete = True
        self.unavailable = False

    async def __call__(self) -> CachedResponse:
        self.asked += 1
        mine, dependencies = self.asked, CACHE_DEPENDENCIES.get()
        assert dependencies is not None
        dependencies.add_version("settings", self.catalog.versions["settings"])
        if self.gate:
            await self.gate.wait()
        if self.error:
            raise self.error
        return CachedResponse(str(mine).encode(), self.unavailable, self.complete)


class Cache(CatalogCache):
    """A cache with a catalogue of its own, which needs no database: only settings change in it."""

    def __init__(self, max_bytes: int = 64_000_000) -> None:
        self.catalog = LiveCatalog(CatalogFollower())
        super().__init__(self.catalog, "test answers", max_bytes=max_bytes)

    async def get(self, key: bytes, source: Callable[[], Awaitable[CachedResponse]]) -> CachedResponse:
        return await self.answer(key, source, NO_DATABASE)

    def changed(self) -> None:
        self.catalog.settings_changed()

    def listen(self) -> None:
        """Connects, and knows at once what has happened meanwhile."""
        self.catalog.notified("")
        self.catalog.settings_changed()
        self.catalog.follower._lost_at = None

    def connection_lost(self) -> None:
        self.catalog.connection_lost()


def listening(max_bytes: int = 64_000_000) -> tuple[Cache, Source]:
    cache = Cache(max_bytes)
    cache.listen()
    return cache, Source(cache)


async def bodies(cache: Cache, source: Source, times: int) -> list[bytes]:
    return [(await cache.get(KEY, source)).body for _ in range(times)]


async def test_an_answer_is_kept_until_the_catalogue_changes() -> None:
    cache, source = listening()

    before = await bodies(cache, source, 3)
    cache.changed()
    after = await bodies(cache, source, 2)

    assert (before, after) == ([b"1", b"1", b"1"], [b"2", b"2"])


async def test_any_number_who_ask_at_once_share_one_reading() -> None:
    cache, source = listening()
    source.gate = asyncio.Event()

    asking = [asyncio.create_task(cache.get(KEY, source)) for _ in range(50)]
    await asyncio.sleep(0)
    source.gate.set()
    answers = await asyncio.gather(*asking)

    assert source.asked == 1
    assert {answer.body for answer in answers} == {b"1"}


async def test_a_reading_begun_before_a_change_is_not_taken_for_right_after_it() -> None:
    cache, source = listening()
    source.gate = asyncio.Event()

    early = asyncio.create_task(cache.get(KEY, source))
    await asyncio.sleep(0.01)
    cache.changed()
    source.gate.set()

    assert (await early).body == b"1"
    assert await bodies(cache, source, 2) == [b"2", b"2"]


async def test_who_reads_their_own_change_gets_no_reading_begun_before_it() -> None:
    cache, source = listening()
    source.gate = asyncio.Event()

    early = asyncio.create_task(cache.get(KEY, source))
    await asyncio.sleep(0.01)
    cache.changed()
    cache.catalog.fresh_from = monotonic()
    late = asyncio.create_task(cache.get(KEY, source))
    await asyncio.sleep(0)
    source.gate.set()

    assert ((await early).body, (await late).body) == (b"1", b"2")


async def test_of_many_who_ask_one_waits_for_what_is_new_and_the_others_get_what_was() -> None:
    cache, source = listening()
    await bodies(cache, source, 1)
    source.gate = asyncio.Event()

    cache.changed()
    first = asyncio.create_task(cache.get(KEY, source))
    await asyncio.sleep(0)
    others = [(await cache.get(KEY, source)).body for _ in range(20)]
    source.gate.set()

    assert others == [b"1"] * 20
    assert (await first).body == b"2"
    assert source.asked == 2


async def test_nobody_gets_what_may_be_older_than_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, source = listening()
    await bodies(cache, source, 1)
    source.gate = asyncio.Event()
    cache.changed()
    first = asyncio.create_task(cache.get(KEY, source))
    await asyncio.sleep(0.01)

    cache.changed()
    later = monotonic() + A_SECOND
    monkeypatch.setattr("server.catalog.cache.monotonic", lambda: later)
    late = asyncio.create_task(cache.get(KEY, source))
    await asyncio.sleep(0.01)
    waits = not late.done()
    source.gate.set()

    assert waits
    assert ((await first).body, (await late).body) == (b"2", b"3")
    assert source.asked == 3


async def test_many_changes_make_an_answer_anew_a_few_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, source = listening()
    now = monotonic()
    monkeypatch.setattr("server.catalog.cache.monotonic", lambda: now)
    monkeypatch.setattr("server.catalog.follower.monotonic", lambda: now)

    keys = [str(number).encode() for number in range(40)]
    for _ in range(300):
        now += 0.01
        cache.changed()
        for key in keys:
            await cache.get(key, source)

    assert source.asked < 3 * 40 * 3.3


async def test_a_page_is_as_old_as_the_oldest_of_its_parts() -> None:
    cache, source = listening()
    pages = CatalogCache(cache.catalog, "test pages")

    async def page() -> CachedResponse:
        return CachedResponse(b"page of " + (await cache.get(KEY, source)).body)

    before = await pages.answer(b"page", page, NO_DATABASE)
    cache.changed()
    after = await pages.answer(b"page", page, NO_DATABASE)

    assert (before.body, after.body) == (b"page of 1", b"page of 2")


async def test_one_who_leaves_does_not_spoil_the_reading_for_the_others() -> None:
    cache, source = listening()
    source.gate = asyncio.Event()

    first = asyncio.create_task(cache.get(KEY, source))
    await asyncio.sleep(0)
    second = asyncio.create_task(cache.get(KEY, source))
    await asyncio.sleep(0)
    first.cancel()
    source.gate.set()

    assert (await second).body == b"2"
    assert first.cancelled()


async def test_nothing_is_fresh_before_listening_has_begun() -> None:
    cache = Cache()
    source = Source(cache)

    assert await bodies(cache, source, 2) == [b"1", b"2"]


@pytest.mark.parametrize("error", [DatabaseUnavailable(), PoolTimeout()])
async def test_a_stale_answer_is_served_only_while_the_database_is_away(error: Exception) -> None:
    cache, source = listening()
    await bodies(cache, source, 1)

    cache.connection_lost()
    still_there = await bodies(cache, source, 1)
    source.error = error
    away = await bodies(cache, source, 2)

    assert (still_there, away) == ([b"2"], [b"2", b"2"])


async def test_a_stale_answer_stands_in_for_one_that_says_unavailable() -> None:
    cache, source = listening()
    await bodies(cache, source, 1)

    cache.connection_lost()
    source.unavailable, source.complete = True, False
    stale = await cache.get(KEY, source)
    unknown = await cache.get(b"other", source)

    assert stale.body == b"1"
    assert unknown.unavailable


async def test_what_was_missed_while_not_listening_does_not_come_back_as_fresh() -> None:
    cache, source = listening()
    await bodies(cache, source, 1)

    cache.connection_lost()
    cache.listen()

    assert await bodies(cache, source, 2) == [b"2", b"2"]


async def test_a_change_does_not_pretend_to_listen() -> None:
    cache, source = listening()

    cache.connection_lost()
    cache.changed()

    assert await bodies(cache, source, 2) == [b"1", b"2"]


async def test_a_defect_reaches_everybody_and_nothing_is_kept() -> None:
    cache, source = listening()
    source.error = ZeroDivisionError()

    with pytest.raises(ZeroDivisionError):
        await cache.get(KEY, source)
    source.error = None

    assert await bodies(cache, source, 1) == [b"2"]


async def test_a_refusal_of_the_database_without_a_stale_answer_is_passed_on() -> None:
    cache, source = listening()
    source.error = DatabaseUnavailable()

    with pytest.raises(DatabaseUnavailable):
        await cache.get(KEY, source)


async def test_an_incomplete_answer_is_not_kept() -> None:
    cache, source = listening()
    source.complete = False

    assert await bodies(cache, source, 2) == [b"1", b"2"]


async def test_the_least_recently_used_answer_is_dropped_first() -> None:
    one = 1 + ANSWER_BYTES + ENTRY_BYTES
    cache, source = listening(max_bytes=LARGEST_SHARE * one)
    keys = [str(number).encode() for number in range(LARGEST_SHARE)]
    for key in (*keys, keys[0], b"new"):
        await cache.get(key, source)

    contents = [(await cache.get(key, source)).body for key in (keys[0], b"new", keys[2], keys[1])]

    assert contents == [b"1", b"9", b"3", b"10"]


async def test_answers_never_take_more_bytes_than_allowed() -> None:
    cache, _ = listening(max_bytes=10 * (90 + ANSWER_BYTES + ENTRY_BYTES))
    calls = []

    async def large() -> CachedResponse:
        calls.append(1)
        return CachedResponse(b"x" * 90)

    for number in range(12):
        await cache.get(str(number).encode(), large)
    await cache.get(b"11", large)
    await cache.get(b"0", large)

    assert len(calls) == 13


@pytest.mark.parametrize(
    ("query", "operation", "expected"),
    [
        ("{ products { totalCount } }", None, True),
        ("query A { shop { name } categories { id } }", "A", True),
        ('{ ...Root } fragment Root on Query { search(query: "je") { corrected } }', None, True),
        ("{ ... on Query { product(id: 1) { id } } }", None, True),
        ("{ __typename alias: products { totalCount } }", None, True),
        ("{ products { totalCount } viewer { id } }", None, False),
        ("{ ...Root } fragment Root on Query { viewer { id } }", None, False),
        ("{ products: viewer { id } }", None, False),
        ("{ admin { analytics { totalUsers } } }", None, False),
        ("{ __schema { types { name } } }", None, False),
        ("mutation { retireProduct(id: 1) { id } }", None, False),
        ("subscription { products { totalCount } }", None, False),
        ("query A { shop { name } } query B { viewer { id } }", "A", True),
        ("query A { shop { name } } query B { viewer { id } }", "B", False),
        ("query A { shop { name } } query B { viewer { id } }", None, False),
        ("query A { shop { name } }", "C", False),
        ("{ ...A } fragment A on Query { ...B shop { name } } fragment B on Query { ...A }", None, True),
        ("{ ...Missing }", None, False),
        ("{", None, False),
        ("", None, False),
    ],
)
def test_only_queries_that_ask_for_nothing_but_the_catalogue_are_kept(
    query: str, operation: str | None, expected: bool
) -> None:
    assert asks_catalogue_only(query, operation) is expected


def test_fragments_that_double_at_every_step_are_read_once() -> None:
    chain = [f"fragment F{n} on Query {{ ...F{n + 1} ...F{n + 1} }}" for n in range(60)]

    assert asks_catalogue_only("{ ...F0 } " + " ".join(chain) + " fragment F60 on Query { shop { name } }", None)


def test_a_key_depends_on_document_operation_and_variables_but_not_on_their_order() -> None:
    cache, query = Cache(), "query A($a: Int) { products(first: $a) { totalCount } }"

    key = cache.key(query, {"a": 1, "b": 2}, "A")

    assert key == cache.key(query, {"b": 2, "a": 1}, "A")
    assert len({key, cache.key(query, {"a": 2, "b": 2}, "A"), cache.key(query + " ", {"a": 1, "b": 2}, "A")}) == 3
    assert cache.key("{ viewer { id } }", None, None) is None
    assert cache.key("{ shop { name } }" + " " * 20_000, None, None) is None


async def test_unavailable_raised_as_a_refusal_is_not_swallowed() -> None:
    cache, source = listening()
    source.error = Unavailable()

    with pytest.raises(Unavailable):
        await cache.get(KEY, source)


async def test_a_stale_answer_during_an_outage_says_its_age() -> None:
    cache, source = listening()
    await bodies(cache, source, 1)

    cache.changed()
    cache.connection_lost()
    source.error = DatabaseUnavailable()
    away = await cache.get(KEY, source)
    source.error = None
    cache.listen()
    back = await cache.get(KEY, source)

    assert (away.body, back) == (b"1", CachedResponse(b"3"))
    assert away.stale is not None
    assert 0 <= away.stale < 5


async def test_while_the_database_is_away_it_is_not_asked_for_each_answer() -> None:
    cache, source = listening()
    await bodies(cache, source, 1)
    cache.connection_lost()
    source.error = DatabaseUnavailable()

    await bodies(cache, source, 20)

    assert source.asked == 2


async def test_a_late_connection_error_does_not_trip_the_breaker_of_a_recovered_database() -> None:
    cache, source = listening()
    await bodies(cache, source, 1)
    cache.connection_lost()
    source.gate, source.error = asyncio.Event(), DatabaseUnavailable()
    late = asyncio.create_task(cache.get(KEY, source))
    await asyncio.sleep(0)
    cache.listen()
    source.gate.set()
    stale = (await late).stale
    source.error = None

    back = await cache.get(KEY, source)

    assert stale is not None
    assert back == CachedResponse(b"3")


async def test_an_answer_that_may_have_been_outdated_for_too_long_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, source = listening()
    await bodies(cache, source, 1)
    cache.connection_lost()
    source.error = DatabaseUnavailable()
    later = monotonic() + 3601
    monkeypatch.setattr("server.catalog.cache.monotonic", lambda: later)

    with pytest.raises(DatabaseUnavailable):
        await cache.get(KEY, source)


async def test_an_answer_made_of_a_stale_one_is_not_kept() -> None:
    cache, _ = listening()
    responses = [CachedResponse(b"old", stale=3.0), CachedResponse(b"new")]

    async def produce() -> CachedResponse:
        return responses.pop(0)

    assert [await cache.get(KEY, produce) for _ in range(3)] == [
        CachedResponse(b"old", stale=3.0),
        CachedResponse(b"new"),
        CachedResponse(b"new"),
    ]
