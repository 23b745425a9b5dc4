import asyncio
from time import monotonic

import pytest
from sqlalchemy.exc import TimeoutError as PoolTimeout

from server.catalog import cache as caches
from server.catalog.cache import ANSWER_BYTES, CachedResponse, CatalogCache, asks_catalogue_only
from server.core.byte_cache import ENTRY_BYTES, LARGEST_SHARE
from server.core.db import DatabaseUnavailable
from server.core.errors import Unavailable

KEY = b"key"


class Source:
    """Answers with the number of times it has been asked; waits for `gate` when there is one."""

    def __init__(self) -> None:
        self.asked = 0
        self.gate: asyncio.Event | None = None
        self.error: Exception | None = None
        self.complete = True
        self.unavailable = False

    async def __call__(self) -> CachedResponse:
        self.asked += 1
        mine = self.asked
        if self.gate:
            await self.gate.wait()
        if self.error:
            raise self.error
        return CachedResponse(str(mine).encode(), self.unavailable, self.complete)


def listening(max_bytes: int = 64_000_000) -> CatalogCache:
    cache = CatalogCache(max_bytes=max_bytes)
    cache.changed()
    return cache


async def bodies(cache: CatalogCache, source: Source, times: int) -> list[bytes]:
    return [(await cache.answer(KEY, source)).body for _ in range(times)]


async def test_an_answer_is_kept_until_the_catalogue_changes() -> None:
    cache, source = listening(), Source()

    before = await bodies(cache, source, 3)
    cache.changed()
    after = await bodies(cache, source, 2)

    assert (before, after) == ([b"1", b"1", b"1"], [b"2", b"2"])


async def test_any_number_who_ask_at_once_share_one_reading() -> None:
    cache, source = listening(), Source()
    source.gate = asyncio.Event()

    asking = [asyncio.create_task(cache.answer(KEY, source)) for _ in range(50)]
    await asyncio.sleep(0)
    source.gate.set()
    answers = await asyncio.gather(*asking)

    assert source.asked == 1
    assert {answer.body for answer in answers} == {b"1"}


async def test_a_reading_begun_before_a_change_is_never_kept_nor_shared_after_it() -> None:
    cache, source = listening(), Source()
    source.gate = asyncio.Event()

    early = asyncio.create_task(cache.answer(KEY, source))
    await asyncio.sleep(0.01)
    cache.changed()
    late = asyncio.create_task(cache.answer(KEY, source))
    await asyncio.sleep(0)
    source.gate.set()

    assert ((await early).body, (await late).body) == (b"1", b"2")
    assert await bodies(cache, source, 1) == [b"2"]


async def test_one_who_leaves_does_not_spoil_the_reading_for_the_others() -> None:
    cache, source = listening(), Source()
    source.gate = asyncio.Event()

    first = asyncio.create_task(cache.answer(KEY, source))
    await asyncio.sleep(0)
    second = asyncio.create_task(cache.answer(KEY, source))
    await asyncio.sleep(0)
    first.cancel()
    source.gate.set()

    assert (await second).body == b"1"
    assert source.asked == 1


async def test_nothing_is_fresh_before_listening_has_begun() -> None:
    cache, source = CatalogCache(), Source()

    assert await bodies(cache, source, 2) == [b"1", b"2"]


@pytest.mark.parametrize("error", [DatabaseUnavailable(), PoolTimeout()])
async def test_a_stale_answer_is_served_only_while_the_database_is_away(error: Exception) -> None:
    cache, source = listening(), Source()
    await bodies(cache, source, 1)

    cache.connection_lost()
    still_there = await bodies(cache, source, 1)
    source.error = error
    away = await bodies(cache, source, 2)

    assert (still_there, away) == ([b"2"], [b"2", b"2"])


async def test_a_stale_answer_stands_in_for_one_that_says_unavailable() -> None:
    cache, source = listening(), Source()
    await bodies(cache, source, 1)

    cache.connection_lost()
    source.unavailable, source.complete = True, False
    stale = await cache.answer(KEY, source)
    unknown = await cache.answer(b"other", source)

    assert stale.body == b"1"
    assert unknown.unavailable


async def test_what_was_missed_while_not_listening_does_not_come_back_as_fresh() -> None:
    cache, source = listening(), Source()
    await bodies(cache, source, 1)

    cache.connection_lost()
    cache.changed()

    assert await bodies(cache, source, 2) == [b"2", b"2"]


async def test_forgetting_does_not_pretend_to_listen() -> None:
    cache, source = listening(), Source()

    cache.connection_lost()
    cache.forget()

    assert await bodies(cache, source, 2) == [b"1", b"2"]


async def test_a_defect_reaches_everybody_and_nothing_is_kept() -> None:
    cache, source = listening(), Source()
    source.error = ZeroDivisionError()

    with pytest.raises(ZeroDivisionError):
        await cache.answer(KEY, source)
    source.error = None

    assert await bodies(cache, source, 1) == [b"2"]


async def test_a_refusal_of_the_database_without_a_stale_answer_is_passed_on() -> None:
    cache, source = listening(), Source()
    source.error = DatabaseUnavailable()

    with pytest.raises(DatabaseUnavailable):
        await cache.answer(KEY, source)


async def test_an_incomplete_answer_is_not_kept() -> None:
    cache, source = listening(), Source()
    source.complete = False

    assert await bodies(cache, source, 2) == [b"1", b"2"]


async def test_the_least_recently_used_answer_is_dropped_first() -> None:
    one = 1 + ANSWER_BYTES + ENTRY_BYTES
    cache, source = listening(max_bytes=LARGEST_SHARE * one), Source()
    keys = [str(number).encode() for number in range(LARGEST_SHARE)]
    for key in (*keys, keys[0], b"new"):
        await cache.answer(key, source)

    kept = [(await cache.answer(key, source)).body for key in (keys[0], b"new", keys[2], keys[1])]

    assert kept == [b"1", b"9", b"3", b"10"]


async def test_answers_never_take_more_bytes_than_allowed() -> None:
    cache = listening(max_bytes=10 * (90 + ANSWER_BYTES + ENTRY_BYTES))
    asked = []

    async def large() -> CachedResponse:
        asked.append(1)
        return CachedResponse(b"x" * 90)

    for number in range(12):
        await cache.answer(str(number).encode(), large)
    await cache.answer(b"11", large)
    await cache.answer(b"0", large)

    assert len(asked) == 13


async def test_changes_without_end_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "MAX_GENERATIONS", 10)
    cache, source = listening(), Source()
    await cache.answer(KEY, source)

    for _ in range(1_000):
        cache.changed()

    assert len(cache._ended) <= 11
    source.unavailable = True
    assert (await cache.answer(KEY, source)).unavailable


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
        ("mutation { deleteProduct(id: 1) { id } }", None, False),
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
    cache, query = CatalogCache(), "query A($a: Int) { products(first: $a) { totalCount } }"

    key = cache.key(query, {"a": 1, "b": 2}, "A")

    assert key == cache.key(query, {"b": 2, "a": 1}, "A")
    assert len({key, cache.key(query, {"a": 2, "b": 2}, "A"), cache.key(query + " ", {"a": 1, "b": 2}, "A")}) == 3
    assert cache.key("{ viewer { id } }", None, None) is None
    assert cache.key("{ shop { name } }" + " " * 20_000, None, None) is None


async def test_unavailable_raised_as_a_refusal_is_not_swallowed() -> None:
    cache, source = listening(), Source()
    source.error = Unavailable()

    with pytest.raises(Unavailable):
        await cache.answer(KEY, source)


async def test_an_answer_of_before_a_change_stands_in_while_the_database_is_away_and_says_since_when() -> None:
    cache, source = listening(), Source()
    await bodies(cache, source, 1)

    cache.changed()
    cache.connection_lost()
    source.error = DatabaseUnavailable()
    away = await cache.answer(KEY, source)
    source.error = None
    cache.changed()
    back = await cache.answer(KEY, source)

    assert (away.body, back) == (b"1", CachedResponse(b"3"))
    assert away.stale is not None
    assert 0 <= away.stale < 5


async def test_while_the_database_is_away_it_is_not_asked_for_each_answer() -> None:
    cache, source = listening(), Source()
    await bodies(cache, source, 1)
    cache.connection_lost()
    source.error = DatabaseUnavailable()

    await bodies(cache, source, 20)

    assert source.asked == 2


async def test_who_hears_late_that_the_database_was_away_keeps_nobody_from_one_that_is_back() -> None:
    cache, source = listening(), Source()
    await bodies(cache, source, 1)
    cache.connection_lost()
    source.gate, source.error = asyncio.Event(), DatabaseUnavailable()
    late = asyncio.create_task(cache.answer(KEY, source))
    await asyncio.sleep(0)
    cache.changed()
    source.gate.set()
    stale = (await late).stale
    source.error = None

    back = await cache.answer(KEY, source)

    assert stale is not None
    assert back == CachedResponse(b"3")


async def test_an_answer_that_may_have_been_outdated_for_too_long_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, source = listening(), Source()
    await bodies(cache, source, 1)
    cache.connection_lost()
    source.error = DatabaseUnavailable()
    later = monotonic() + 3601
    monkeypatch.setattr("server.catalog.cache.monotonic", lambda: later)

    with pytest.raises(DatabaseUnavailable):
        await cache.answer(KEY, source)
    cache.changed()
    cache.changed()


async def test_an_answer_made_of_a_stale_one_is_not_kept() -> None:
    cache = listening()
    made = [CachedResponse(b"old", stale=3.0), CachedResponse(b"new")]

    async def produce() -> CachedResponse:
        return made.pop(0)

    assert [await cache.answer(KEY, produce) for _ in range(3)] == [
        CachedResponse(b"old", stale=3.0),
        CachedResponse(b"new"),
        CachedResponse(b"new"),
    ]
