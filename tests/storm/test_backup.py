"""A backup taken under load and restored elsewhere is a consistent shop."""

import asyncio
import re
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from server.platform.core.db import create_engine, sessionmaker
from tests.e2e.whole_shop import ROOT
from tests.payments.conftest import until
from tests.storm.books import Told
from tests.storm.conftest import BUYERS, Weathered
from tests.storm.ledgers import read_provider, read_shop
from tests.storm.photographer import Photographer
from tests.storm.shop import StormShop, empty_machine
from tests.storm.storm import Plan, Storm

pytestmark = pytest.mark.io_bound

PICTURES = 60


async def test_a_backup_taken_under_load_makes_a_shop_whose_books_agree(weathered: Weathered, tmp_path: Path) -> None:
    shop, folder = weathered.shop, tmp_path / "kept"
    selling = Storm(shop, Plan(), seed=2, buyers=BUYERS)
    selling.outcome.crowd.told.stocked.update(weathered.outcome.crowd.told.stocked)
    engine = create_engine(shop.database_url)
    photographer = Photographer(sessionmaker(engine), shop.data)
    await photographer.hang(PICTURES)

    async with selling.shoppers():
        await sold(selling, 5)
        changing = asyncio.create_task(photographer.work())
        began, told_before = datetime.now(UTC), deepcopy(selling.outcome.crowd.told)
        await run(shop, "backup", str(folder))
        changing.cancel()
        await sold(selling, 5)
    async with sessionmaker(engine)() as session:
        original = await read_shop(session)
    await engine.dispose()
    async with restored(shop, folder) as other:
        said = await run(other, "catch-up")
        later = Storm(other, Plan(), seed=3, is_restored=True)
        later.outcome.crowd.told = as_of_the_backup(told_before, selling.outcome.crowd.told)
        engine = create_engine(other.database_url)
        async with httpx.AsyncClient(trust_env=False, verify=False) as outside:
            await later.calm(outside)
            await later.rest(sessionmaker(engine))
        async with sessionmaker(engine)() as session:
            books, payments = await read_shop(session), read_provider(other.data).payments
            missing = await Photographer(sessionmaker(engine), other.data).missing(session)
        await engine.dispose()

    assert (selling.outcome.problems, later.outcome.problems, missing) == ([], [], [])
    assert len(books.orders) >= weathered.outcome.orders
    checkout_ids = {held.id for held in books.checkouts}
    lost = {held.id: held.created_at for held in original.checkouts if held.id not in checkout_ids}
    strays = [each for each in payments if UUID(each.checkout) in lost]
    assert min(lost.values()) >= began
    assert named(said) == {each.id for each in strays if each.returned_cents < each.amount_cents} != set()


def named(said: str) -> set[str]:
    """Payments that `catch-up` leaves to a person."""
    return set(re.findall(r"Payment (pi_\w+) of", said))


@asynccontextmanager
async def restored(shop: StormShop, folder: Path) -> AsyncIterator[StormShop]:
    """A shop made from a backup, opened in the other's place. The provider has gone on meanwhile."""
    with empty_machine(shop.ports) as other:
        await run(other, "restore", str(folder))
        (other.data / "outside").mkdir()
        with (
            closing(sqlite3.connect(shop.data / "outside/ledger.sqlite")) as now,
            closing(sqlite3.connect(other.data / "outside/ledger.sqlite")) as copy,
        ):
            now.backup(copy)
        shop.stop()
        other.start()
        yield other
        other.stop()


async def sold(storm: Storm, more: int) -> None:
    """Waits for so many more payments."""

    def payments() -> int:
        return len(read_provider(storm.shop.data).payments)

    before = payments()

    async def sold_more() -> bool:
        return payments() >= before + more

    await until(sold_more, 120)


async def run(shop: StormShop, *command: str) -> str:
    """What `python -m server …` says of this shop."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "server",
        *command,
        cwd=ROOT,
        env=shop.environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()
    return said.decode()


def as_of_the_backup(before: Told, after: Told) -> Told:
    """What was told while the backup was being written may be in it or not."""
    merged = deepcopy(before)
    for email in after.put:
        merged.perhaps[email] += after.put[email] - before.put[email]
        merged.perhaps[email] += after.perhaps[email]
    return merged
