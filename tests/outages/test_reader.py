"""A real standby serves the reads that may be a second old, and never one that has to know what was announced."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from uuid import UUID

import pytest
from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.reports.pool import ReportsPool
from server.catalog.follower import CHANNEL, CatalogFollower
from server.catalog.lists import ProductCriteria, ProductListSort
from server.catalog.live import LiveCatalog
from server.catalog.models import Product, Variant
from server.platform.core.db import Sessions, begin, create_engine, sessionmaker
from server.platform.core.notify import Listener
from server.platform.core.reader import ALWAYS, MOST_LAG, Reader
from server.platform.processes.postgres import Postgres
from server.run.migrations import upgrade
from tests.catalog.goods import put_on_offer
from tests.folders import temporary_folder
from tests.outages.replicas import Pair

pytestmark = pytest.mark.io_bound

PATIENCE = 60
WRITES = 30


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with temporary_folder() as folder, Postgres(folder / "postgres") as primary:
        upgrade(primary.url)
        with Pair(primary, folder / "standby") as pair:
            yield pair


@pytest.fixture
async def primary(pair: Pair) -> AsyncIterator[Sessions]:
    engine = create_engine(pair.primary.url)
    yield sessionmaker(engine)
    await engine.dispose()


@asynccontextmanager
async def following(pair: Pair, primary: Sessions) -> AsyncIterator[Reader]:
    """A reader that has found its standby."""
    reader = Reader(pair.standby.url)
    task = asyncio.create_task(reader.follow(primary))
    try:
        await until(lambda: reader.is_used)
        yield reader
    finally:
        task.cancel()
        await asyncio.wait([task])
        await reader.close()


@pytest.fixture
async def reader(pair: Pair, primary: Sessions) -> AsyncIterator[Reader]:
    async with following(pair, primary) as reader:
        yield reader


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.01)


async def is_standby(session: AsyncSession) -> bool:
    return bool(await session.scalar(text("SELECT pg_is_in_recovery()")))


async def came_from_standby(reader: Reader, primary: Sessions, since: float = ALWAYS) -> bool:
    return (await reader.read(primary, since, is_standby))[0]


async def test_reads_that_may_be_older_go_to_the_standby(reader: Reader, primary: Sessions) -> None:
    before = monotonic()

    price, as_of = await reader.read(primary, ALWAYS, is_standby)

    assert price
    assert before - MOST_LAG <= as_of <= monotonic()


async def test_a_read_that_follows_a_write_sees_it(pair: Pair, reader: Reader, primary: Sessions) -> None:
    async with begin(primary) as session:
        product_id = await put_on_offer(session)
    seen = []
    for price in range(1, WRITES + 1):
        async with begin(primary) as session:
            await session.execute(update(Product).where(Product.id == product_id).values(price_cents=price))
        price_read, _ = await reader.read(primary, monotonic(), lambda session: price_of(session, product_id))
        seen.append(price_read)

    assert seen == list(range(1, WRITES + 1))
    await until_standby_knows(reader, primary, product_id, WRITES)


async def test_a_replica_is_asked_whether_it_has_replayed_what_a_read_needs(
    pair: Pair, reader: Reader, primary: Sessions
) -> None:
    async with begin(primary) as session:
        product_id = await put_on_offer(session, price=9_000)
    await pair.pause()
    try:
        async with begin(primary) as session:
            await session.execute(update(Product).where(Product.id == product_id).values(price_cents=4_000))
        since = monotonic()
        await until(lambda: reader._samples[-1].at >= since)
        price, _ = await reader.read(primary, since, lambda session: price_of(session, product_id))
    finally:
        await pair.resume()

    assert price == 4_000


async def price_of(session: AsyncSession, product_id: UUID) -> int | None:
    return (await session.get_one(Product, product_id)).price_cents


async def until_standby_knows(reader: Reader, primary: Sessions, product_id: UUID, price: int) -> None:
    """A replica that follows serves what was written a moment ago, as soon as a later position has been noted."""
    since = monotonic()
    async with asyncio.timeout(PATIENCE):
        while not await came_from_standby(reader, primary, since):
            since = max(since, monotonic() - MOST_LAG / 2)
            await asyncio.sleep(0.01)
    price_read, _ = await reader.read(primary, since, lambda session: price_of(session, product_id))
    assert price_read == price


@dataclass
class Followed:
    """A process's catalogue, read from the standby where that is allowed."""

    catalog: LiveCatalog
    primary: Sessions

    @property
    def follower(self) -> CatalogFollower:
        return self.catalog.follower

    def priced_at_most(self, cents: int) -> list[UUID]:
        criteria = ProductCriteria(price_to=cents)
        return [each.id for each in self.follower.index.page(criteria, ProductListSort.NEWEST, 100).positions]


@pytest.fixture
async def followed(pair: Pair, reader: Reader, primary: Sessions) -> AsyncIterator[Followed]:
    catalog = LiveCatalog(CatalogFollower(reader), reader)
    listener = Listener(pair.primary.url)
    listener.on(CHANNEL, catalog.notified, catalog.connection_lost)
    tasks = [asyncio.create_task(each) for each in (listener.run(), catalog.follower.run(primary))]
    await until(lambda: catalog.follower.is_complete)
    yield Followed(catalog, primary)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)


async def test_announced_changes_are_read_from_the_primary_until_the_standby_has_them(
    pair: Pair, followed: Followed, reader: Reader, primary: Sessions
) -> None:
    async with begin(primary) as session:
        product_id = await put_on_offer(session, price=9_000)
    await until(lambda: product_id in followed.priced_at_most(9_000))
    await followed.catalog.contents.get(primary, [product_id])
    await until(lambda: reader.is_used)
    await pair.pause()
    try:
        async with begin(primary) as session:
            await session.execute(update(Product).where(Product.id == product_id).values(price_cents=4_000))
        await until(lambda: product_id in followed.priced_at_most(4_000))
        contents = await followed.catalog.contents.get(primary, [product_id])
    finally:
        await pair.resume()

    assert contents[product_id].row.price_cents == 4_000


async def test_stock_of_now_is_the_stock_of_now_while_the_standby_is_behind(
    pair: Pair, followed: Followed, reader: Reader, primary: Sessions
) -> None:
    async with begin(primary) as session:
        product_id = await put_on_offer(session, sizes=("M",), stock=5_000)
    await until(lambda: product_id in followed.priced_at_most(10_000))
    await followed.catalog.contents.get(primary, [product_id])
    await pair.pause()
    try:
        async with begin(primary) as session:
            await session.execute(update(Variant).where(Variant.product_id == product_id).values(stock=4_990))
        contents = await followed.catalog.contents.get(primary, [product_id], stock_since=monotonic())
    finally:
        await pair.resume()

    assert [variant.stock for variant in contents[product_id].row.variants] == [4_990]


async def test_the_first_reading_of_the_catalogue_comes_from_the_standby(
    pair: Pair, reader: Reader, primary: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with begin(primary) as session:
        product_id = await put_on_offer(session)
    sources, listened = [], CatalogFollower._read_batch

    async def noted(follower: CatalogFollower, sessions: Sessions, behind: UUID) -> object:
        sources.append(await came_from_standby(reader, sessions, follower._listening_since))
        return await listened(follower, sessions, behind)

    monkeypatch.setattr(CatalogFollower, "_read_batch", noted)
    follower = CatalogFollower(reader)
    task = asyncio.create_task(follower.run(primary))
    follower.notified("")
    await until(lambda: follower.is_complete)
    task.cancel()

    assert sources == [True]
    assert product_id in follower.index.ids()


async def test_a_standby_that_lags_is_left_out_and_comes_back_by_itself(
    pair: Pair, reader: Reader, primary: Sessions
) -> None:
    await pair.pause()
    try:
        async with begin(primary) as session:
            await put_on_offer(session)
        await until(lambda: not reader.is_used)
        behind = await came_from_standby(reader, primary)
        lag = reader.lag
    finally:
        await pair.resume()
    await until(lambda: reader.is_used)

    assert not behind
    assert lag > MOST_LAG
    assert await came_from_standby(reader, primary)


async def test_a_standby_that_dies_takes_no_read_with_it_and_comes_back_by_itself(
    pair: Pair, reader: Reader, primary: Sessions
) -> None:
    assert await came_from_standby(reader, primary)
    await asyncio.to_thread(pair.standby.kill)
    at_once = await came_from_standby(reader, primary)
    await until(lambda: not reader.is_used)
    pair.standby.start()
    await until(lambda: reader.is_used)

    assert not at_once
    assert await came_from_standby(reader, primary)


async def test_reports_read_the_standby_while_it_is_used(pair: Pair, reader: Reader) -> None:
    pool = ReportsPool(pair.primary.url, None, pair.standby.url, reader)

    async with pool.snapshot() as (session, _):
        is_used = await is_standby(session)
    reader.lag = MOST_LAG * 2
    async with pool.reading() as session:
        is_left_out = not await is_standby(session)
    await pool.close()

    assert is_used
    assert is_left_out


async def test_without_a_replica_everything_is_read_from_the_primary(primary: Sessions) -> None:
    assert not await came_from_standby(Reader(), primary)


@pytest.fixture(autouse=True)
async def is_replaying(pair: Pair, tmp_path: Path) -> AsyncIterator[None]:
    yield
    if await pair.tell("SELECT pg_is_wal_replay_paused()"):
        await pair.resume()
