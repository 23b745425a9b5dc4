"""Rate limits."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from datetime import datetime

import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core.db import Sessions, begin, create_engine, sessionmaker
from server.platform.core.errors import TooManyRequests, Unavailable
from server.platform.core.jobs import JobEnvironment
from server.platform.core.limits import Limit, attempt, concurrency_slot, failures, give_back, network, take, tidy
from server.platform.core.models import RateLimit
from server.platform.core.resources import Resources
from tests.statements import ended_or_blocked

ACCOUNT = Limit("account", most=2, seconds=300)
ADDRESS = Limit("address", most=5, seconds=60)


class Wrong(Exception):
    pass


async def hits(sessions: Sessions) -> dict[str, int]:
    async with sessions() as session:
        rows = await session.execute(select(RateLimit.bucket, RateLimit.hits))
        return {row.bucket: row.hits for row in rows}


async def end_windows(sessions: Sessions) -> None:
    async with begin(sessions) as session:
        await session.execute(update(RateLimit).values(ends_at=func.now()))


async def test_a_full_bucket_refuses_and_says_how_long(sessions: Sessions) -> None:
    for _ in range(2):
        await take(sessions, ACCOUNT)

    with pytest.raises(TooManyRequests) as refusal:
        await take(sessions, ACCOUNT)

    assert 299 <= refusal.value.retry_after <= 300


async def test_what_one_bucket_refuses_counts_in_none(sessions: Sessions) -> None:
    for _ in range(2):
        await take(sessions, ACCOUNT, ADDRESS)

    for _ in range(5):
        with pytest.raises(TooManyRequests):
            await take(sessions, ACCOUNT, ADDRESS)

    assert await hits(sessions) == {"account": 2, "address": 2}


async def test_a_window_begins_anew_after_its_end(sessions: Sessions) -> None:
    for _ in range(2):
        await take(sessions, ACCOUNT)
    await end_windows(sessions)

    await take(sessions, ACCOUNT)

    assert await hits(sessions) == {"account": 1}


async def test_later_attempts_do_not_make_the_window_longer(sessions: Sessions) -> None:
    await take(sessions, ACCOUNT)
    async with sessions() as session:
        first_end = await session.scalar(select(RateLimit.ends_at))

    await take(sessions, ACCOUNT)

    async with sessions() as session:
        assert await session.scalar(select(RateLimit.ends_at)) == first_end


async def test_attempts_of_two_processes_at_once_share_one_count(sessions: Sessions, database_url: str) -> None:
    other_engine = create_engine(database_url)
    other = sessionmaker(other_engine)

    results = await asyncio.gather(
        *(take(each, ADDRESS, ACCOUNT) for each in (sessions, other) * 20), return_exceptions=True
    )
    await other_engine.dispose()

    refused = [result for result in results if isinstance(result, TooManyRequests)]
    assert (len(results) - len(refused), len(refused)) == (2, 38)
    assert {result["account"] for result in results if isinstance(result, dict)} == {1, 2}
    assert await hits(sessions) == {"account": 2, "address": 2}


async def test_what_is_given_back_may_be_taken_again_and_no_more(sessions: Sessions) -> None:
    await take(sessions, ACCOUNT)

    for _ in range(3):
        await give_back(sessions, ACCOUNT)

    assert await hits(sessions) == {"account": 0}


@pytest.mark.parametrize(
    ("outcome", "counted"), [(None, 0), (Wrong(), 1), (Unavailable(), 0), (RuntimeError(), 1)], ids=repr
)
async def test_an_attempt_is_given_back_when_it_succeeds_or_was_never_made(
    sessions: Sessions, outcome: Exception | None, counted: int
) -> None:
    with suppress(Wrong, Unavailable, RuntimeError):
        async with failures(sessions, Wrong, ACCOUNT):
            if outcome:
                raise outcome

    assert await hits(sessions) == {"account": counted}


@pytest.mark.parametrize(("outcome", "counted"), [(None, 1), (Wrong(), 1), (Unavailable(), 0)], ids=repr)
async def test_an_attempt_that_the_shop_was_too_busy_for_does_not_count(
    sessions: Sessions, outcome: Exception | None, counted: int
) -> None:
    with suppress(Wrong, Unavailable):
        async with attempt(sessions, ACCOUNT, always=[ADDRESS]):
            if outcome:
                raise outcome

    assert await hits(sessions) == {"account": counted, "address": 1}


@pytest.mark.spec("guards.limits")
@pytest.mark.parametrize(
    ("ip", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_an_address_of_ipv6_counts_with_its_whole_network(ip: str, counted: str) -> None:
    assert network(ip) == counted


async def lock(session: AsyncSession, bucket: str) -> None:
    await session.execute(select(RateLimit).where(RateLimit.bucket == bucket).with_for_update())


async def test_who_gives_back_waits_for_an_attempt_that_is_counted_and_not_it_for_him(sessions: Sessions) -> None:
    first, last = Limit("a", most=5, seconds=60), Limit("b", most=5, seconds=60)
    await take(sessions, last)
    await take(sessions, first)  # The table has them in this order, buckets are counted in the other.

    async with begin(sessions) as counting:
        await lock(counting, "a")
        giving = asyncio.create_task(give_back(sessions, last, first))
        await ended_or_blocked(giving, sessions)
        await lock(counting, "b")
    await giving

    assert await hits(sessions) == {"a": 0, "b": 0}


async def test_tidying_leaves_what_is_just_being_counted(sessions: Sessions) -> None:
    await take(sessions, ACCOUNT, ADDRESS)
    await end_windows(sessions)

    async with begin(sessions) as counting:
        await lock(counting, "account")
        async with asyncio.timeout(5):
            await tidy(JobEnvironment(sessions, Resources()))

    assert await hits(sessions) == {"account": 1}


async def test_windows_that_ended_are_forgotten(sessions: Sessions) -> None:
    await take(sessions, ACCOUNT)
    await end_windows(sessions)
    await take(sessions, ADDRESS)

    await tidy(JobEnvironment(sessions, Resources()))

    assert await hits(sessions) == {"address": 1}


@pytest.fixture
async def another_process(database_url: str) -> AsyncIterator[Sessions]:
    engine = create_engine(database_url)
    yield sessionmaker(engine)
    await engine.dispose()


async def test_places_are_counted_over_all_processes(sessions: Sessions, another_process: Sessions) -> None:
    async with AsyncExitStack() as held:
        first = await held.enter_async_context(concurrency_slot(sessions, "places", 2, 30))
        async with (
            concurrency_slot(another_process, "places", 2, 30) as second,
            concurrency_slot(sessions, "places", 2, 30) as third,
        ):
            assert (first, second, third) == (True, True, False)
        async with concurrency_slot(sessions, "places", 2, 30) as given_back:
            assert given_back


async def test_of_places_wanted_at_once_all_that_are_free_are_given(
    sessions: Sessions, another_process: Sessions
) -> None:
    async with AsyncExitStack() as held:
        slots = [concurrency_slot(each, "places", 4, 30) for each in (sessions, another_process) * 3]
        got = await asyncio.gather(*(held.enter_async_context(each) for each in slots))

    assert sorted(got) == [False] * 2 + [True] * 4


async def test_a_place_is_kept_while_it_is_held(sessions: Sessions) -> None:
    ends: set[datetime | None] = set()
    async with concurrency_slot(sessions, "places", 1, 1), asyncio.timeout(30):
        while len(ends) < 4:
            ends.add(await end_of_window(sessions))
            await asyncio.sleep(0.05)
        async with concurrency_slot(sessions, "places", 1, 1) as of_another:
            pass

    assert not of_another


async def end_of_window(sessions: Sessions) -> datetime | None:
    async with sessions() as session:
        return await session.scalar(select(RateLimit.ends_at))


async def test_what_a_killed_process_held_is_free_after_its_time(sessions: Sessions) -> None:
    async with begin(sessions) as session:
        session.add(RateLimit(bucket="places:1", hits=1, ends_at=func.now()))

    async with concurrency_slot(sessions, "places", 1, 30) as has_place:
        pass

    assert has_place


async def test_counts_are_unlogged(sessions: Sessions) -> None:
    async with sessions() as session:
        persistence = await session.scalar(text("SELECT relpersistence FROM pg_class WHERE relname = 'rate_limits'"))

    assert persistence == b"u"
