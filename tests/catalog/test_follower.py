"""The catalogue index follows its database; compared by plain SQL."""

import asyncio
import gc
import os
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from sqlalchemy import delete, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.app import create_app
from server.catalog.follower import ALLOWED_LAG, CHANNEL, CatalogFollower
from server.catalog.lists import ProductCriteria, ProductListSort
from server.catalog.models import Product
from server.config import Settings
from server.platform.core import gc_tuning
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import Unavailable
from server.platform.core.notify import Listener
from tests.catalog import plain_sql
from tests.catalog.goods import BLACK, RUST, SKY, put_on_offer
from tests.catalog.random_changes import CHANGES

FILTERS = (
    ProductCriteria(),
    ProductCriteria(gender="men", subcategory="shirts"),
    ProductCriteria(on_sale=True, price_to=9_000),
    ProductCriteria(in_stock=True, sizes=("S",)),
    ProductCriteria(families=("Blue", "Brown"), sizes=("M",), in_stock=True),
)
HISTORIES = int(os.environ.get("CATALOGUE_HISTORIES", "3"))
"""`just random-catalogues` asks for more."""
SORTS = tuple(sort for sort in ProductListSort if sort is not ProductListSort.RELEVANCE)


class Followed:
    """A follower with its listener; `unplug` cuts the listener off from the database for a while."""

    def __init__(self, database_url: str, sessions: Sessions) -> None:
        self.follower = CatalogFollower()
        self.sessions = sessions
        self._listener = Listener(database_url)
        self._listener.on(CHANNEL, self._heard, self._lost)
        self.heard: list[str] = []
        self.losses = 0

    def _heard(self, payload: str) -> None:
        self.heard.append(payload)
        self.follower.notified(payload)

    def _lost(self) -> None:
        self.losses += 1
        self.follower.connection_lost()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._listener.run())
        yield
        task.cancel()
        await asyncio.wait([task])

    async def is_equal(self) -> None:
        """Fails unless the index answers every question as SQL does."""
        index = await self.follower.complete_index()
        async with self.sessions() as session:
            for criteria in FILTERS:
                for sort in SORTS:
                    positions = index.page(criteria, sort, 100).positions
                    assert [each.id for each in positions] == await plain_sql.listed(session, criteria, sort)
                answer = await plain_sql.total_and_facets(session, criteria)
                assert (index.total(criteria), index.facets(criteria)) == answer

    async def becomes_equal(self) -> None:
        async with asyncio.timeout(30):
            while not await self.follower.catch_up(self.sessions):  # noqa: ASYNC110 - it gives up after a second
                await asyncio.sleep(0.01)
        await self.is_equal()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.01)


@pytest.fixture
async def followed(database_url: str, sessions: Sessions, session: AsyncSession) -> AsyncIterator[Followed]:
    """Three products, and a follower that knows them."""
    await put_on_offer(session, "Oxford Shirt", colors=(SKY, BLACK), popularity=3)
    await put_on_offer(session, "Slim Jean", category="men_jeans", colors=(RUST,), price=9_500, discounted=7_000)
    await put_on_offer(session, "Wide Jean", category="women_jeans", stock={("Sky", "S"): 1}, popularity=5)
    followed = Followed(database_url, sessions)
    task = asyncio.create_task(followed.follower.run(sessions))
    async with followed.listening():
        await until(lambda: followed.follower.is_complete)
        yield followed
    task.cancel()
    await asyncio.wait([task])


@pytest.mark.parametrize("seed", range(HISTORIES))
async def test_the_index_is_equal_to_the_database_after_any_history_of_changes(followed: Followed, seed: int) -> None:
    dice = random.Random(seed)

    for _ in range(4):
        for _ in range(4):
            async with followed.sessions() as session:
                await dice.choice(CHANGES)(session, dice)
                await session.commit()
        await followed.becomes_equal()


async def test_a_change_that_was_rolled_back_changes_nothing(followed: Followed) -> None:
    async with followed.sessions() as session:
        await session.execute(update(Product).values(price_cents=1))
        await session.rollback()

    await followed.becomes_equal()


async def test_announcements_may_come_twice_late_or_of_nothing(followed: Followed) -> None:
    async with followed.sessions() as session:
        ids = [str(each) for each in await session.scalars(select(Product.id))]

    for payload in (",".join(reversed(ids)), ids[0], str(uuid4()), "no id", ",,", ids[0], "mark:nobody's"):
        followed.follower.notified(payload)

    await followed.becomes_equal()
    assert len(followed.follower.index) == 3


async def test_what_was_missed_while_nobody_listened_is_read_on_return(database_url: str, followed: Followed) -> None:
    other = Followed(database_url, followed.sessions)
    task = asyncio.create_task(other.follower.run(followed.sessions))
    async with other.listening():
        await until(lambda: other.follower.is_complete)
    async with followed.sessions() as session:
        await put_on_offer(session, "Camp Shirt")
    async with begin(followed.sessions) as session:
        await session.execute(delete(Product).where(Product.name == "Slim Jean"))

    await until(lambda: other.follower.stale)
    stale = other.follower.stale
    async with other.listening():
        await until(lambda: other.follower.is_current)

    assert stale is not None
    assert stale > ALLOWED_LAG
    await other.is_equal()
    task.cancel()
    await asyncio.wait([task])


async def test_a_killed_listener_comes_back_and_knows_what_happened_meanwhile(followed: Followed) -> None:
    killed = "query LIKE 'LISTEN%' OR query LIKE 'SELECT 1'"
    async with begin(followed.sessions) as session:
        await session.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {killed}"))
        await session.execute(update(Product).values(price_cents=4_200, discounted_price_cents=None))

    await until(lambda: followed.losses and followed.follower.is_current)

    await followed.is_equal()


async def test_a_process_without_a_complete_index_is_not_ready_and_answers_in_time(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = create_app(Settings(_env_file=None, database_url=database_url)).state.shop  # type: ignore[call-arg]

    assert not await shop.readiness.is_ready()
    with monkeypatch.context() as patch:
        patch.setattr("server.catalog.follower.COMPLETE_SECONDS", 0.05)
        with pytest.raises(Unavailable):
            await shop.follower.complete_index()

    shop.follower.notified("")
    following = asyncio.create_task(shop.follower.run(shop.sessions))
    assert await shop.follower.complete_index() is shop.follower.index
    assert await shop.readiness.is_ready()
    following.cancel()
    await asyncio.wait([following])
    await shop.engine.dispose()


async def test_no_collection_of_garbage_looks_through_a_complete_index(
    followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gc_tuning, "_is_frozen", True)
    other = CatalogFollower()
    other.notified("")
    following = asyncio.create_task(other.run(followed.sessions))
    try:
        index = await other.complete_index()
        assert not any(each is index for each in gc.get_objects())
    finally:
        gc.unfreeze()
        following.cancel()
        await asyncio.wait([following])
