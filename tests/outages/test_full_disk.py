"""A full disk: optional writes stop, orders continue, and the shop recovers by itself."""

import asyncio
import json
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
from sqlalchemy import func, select

from server.analytics.models import ShopEvent
from server.cart.models import CartLine
from server.limits import Limits
from server.media import service as media
from server.media.errors import NoRoom
from server.media.gateway import FileStore
from server.media.service import ImageProcessor
from server.platform.core.db import Sessions, begin, create_engine, sessionmaker
from server.platform.processes.postgres import Postgres
from tests.cart.stock import make_product, make_shopper
from tests.e2e.whole_shop import WholeShop
from tests.folders import temporary_folder
from tests.media.drawings import drawn
from tests.payments.checkout_documents import ADD
from tests.session_tokens import session_token

pytestmark = [
    pytest.mark.io_bound,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may make a file system of its own"),
]

MB = 1_000_000
DISK_MB, LOW_MB = 400, 100
PATIENCE = 60.0


@pytest.fixture
def disk() -> Iterator[Path]:
    """A file system with little on it, and nobody else."""
    with file_system(DISK_MB) as where:
        yield where


@contextmanager
def file_system(megabytes: int) -> Iterator[Path]:
    with temporary_folder() as folder:
        where = folder / "disk"
        where.mkdir()
        options = f"size={megabytes}m,mode=755"
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(where)], check=False)
        if mounted.returncode:
            pytest.skip("This machine lets nobody make a file system.")
        try:
            yield where
        finally:
            subprocess.run(["umount", "-l", str(where)], check=True)


@dataclass
class SmallShop:
    """A shop on that disk, with a shopper signed in, and something else that takes the room away."""

    whole: WholeShop
    disk: Path
    postgres: Postgres
    sessions: Sessions
    shopper: httpx.AsyncClient
    product: UUID
    variant: UUID
    image: UUID
    told: dict[int, int] = field(default_factory=dict)

    def free(self) -> int:
        stats = os.statvfs(self.disk)
        return stats.f_bavail * stats.f_frsize

    def leave(self, free: int) -> None:
        """Takes room until so many bytes are left."""
        with (self.disk / "ballast").open("ab", buffering=0) as ballast, suppress(OSError):
            while (more := self.free() - free) > 0:
                ballast.write(bytes(min(more, MB)))

    def make_room(self) -> None:
        (self.disk / "ballast").unlink()

    async def add_to_cart(self) -> int:
        answer = await self.shopper.post("/graphql", json={"query": ADD, "variables": {"variant": str(self.variant)}})
        if answer.status_code == 200:
            assert "errors" not in answer.json(), answer.text
        else:
            assert int(answer.headers["retry-after"]) > 0
        self.told[answer.status_code] = self.told.get(answer.status_code, 0) + 1
        return answer.status_code

    async def view(self) -> int:
        event = {"kind": "viewed", "products": [str(self.product)]}
        return (await self.shopper.post("/events", json={"visit": str(uuid4()), "events": [event]})).status_code

    async def views(self) -> int:
        async with self.sessions() as session:
            return await session.scalar(select(func.count()).select_from(ShopEvent)) or 0

    async def in_cart(self) -> int:
        async with self.sessions() as session:
            return await session.scalar(select(func.sum(CartLine.quantity))) or 0

    async def picture(self, width: int) -> httpx.Response:
        return await self.shopper.get(f"/images/{self.image}/{width}.webp")

    def said_by_postgres(self) -> str:
        """Its log, without the lines by which it refuses connections."""
        lines = self.postgres.log.read_text().splitlines(keepends=True)
        return "".join(line for line in lines if "connections" not in line and "Consistent" not in line)[-6000:]

    def said(self, event: str) -> list[dict[str, object]]:
        """Of its log, which is on the same disk: what was said when that was full is cut off or missing."""
        lines = []
        for line in self.whole.log.read_text().splitlines():
            with suppress(ValueError):
                said = json.loads(line[line.index("{") :])
                lines += [said] if said["event"] == event else []
        return lines


@pytest.fixture
async def shop(disk: Path) -> AsyncIterator[SmallShop]:
    whole = WholeShop(disk / "shop", {"DEMO": "false", "LIMITS": Limits(low_disk_mb=LOW_MB).model_dump_json()})
    await asyncio.to_thread(whole.start)
    postgres = Postgres(whole.data / "postgres")
    engine = create_engine(postgres.url)
    sessions = sessionmaker(engine)
    async with sessions() as session:
        goods = await make_product(session, stock=1_000_000)
        shopper = await make_shopper(session)
    async with begin(sessions) as session:
        token = await session_token(session, shopper.id)
        pictures = ImageProcessor(FileStore.open("", whole.data / "images"), max_bytes=10**7, max_pixels=10**7)
        image = await pictures.keep(drawn("PNG", (600, 800)))
        await media.add(session, [image])
    headers = {"sec-fetch-site": "same-origin", "cookie": f"accessToken-{whole.ports[0]}={token}"}
    async with httpx.AsyncClient(base_url=whole.url, headers=headers, timeout=30, trust_env=False) as client:
        yield SmallShop(
            whole, disk, postgres, sessions, client, goods.product_id, UUID(str(goods.variant_id)), image.id
        )
    await engine.dispose()
    await asyncio.to_thread(whole.stop)


async def until(status: int, shop: SmallShop) -> float:
    """Seconds until the cart answers so."""
    began = monotonic()
    while await shop.add_to_cart() != status:
        assert monotonic() - began < PATIENCE, shop.whole.log.read_text()[-6000:] + shop.said_by_postgres()
        await asyncio.sleep(0.05)
    return monotonic() - began


async def use_up_the_log_of_changes(shop: SmallShop) -> None:
    """The next change needs a new file of it, for which there is no room: PostgreSQL gives up."""
    with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        connection = await asyncpg.connect(shop.postgres.url)
        await connection.execute("SELECT pg_switch_wal()")
        await connection.close()


async def test_a_shop_sells_with_little_disk_space_and_recovers_from_none(shop: SmallShop) -> None:
    assert Limits().low_disk_mb == 500
    before = [await shop.view(), (await shop.picture(96)).status_code, await shop.add_to_cart()]
    page = await shop.shopper.get("/")
    seen = await shop.views()

    shop.leave(LOW_MB * MB // 2)
    await asyncio.sleep(1.2)
    low = [await shop.view(), await shop.add_to_cart()]
    stand_in = await shop.picture(360)
    seen_while_low = await shop.views()

    shop.leave(0)
    await use_up_the_log_of_changes(shop)
    await until(503, shop)
    while_full = [(await each).status_code for each in (shop.shopper.get("/"), shop.picture(540))]
    assert await shop.view() == 503

    shop.make_room()
    seconds = await until(200, shop)
    await asyncio.sleep(1.2)
    after = [await shop.view(), (await shop.picture(360)).status_code]

    assert before == [204, 200, 200]
    assert page.status_code == 200
    assert low == [204, 200]
    assert (stand_in.status_code, stand_in.headers["cache-control"]) == (200, "public, max-age=60")
    assert seen_while_low == seen == 1
    assert while_full == [200, 200]
    assert set(shop.told) == {200, 503}
    assert shop.told[200] <= await shop.in_cart() <= sum(shop.told.values())
    assert after == [204, 200]
    assert await shop.views() == 2
    assert [each["status"] for each in shop.said("request") if each["status"] == 500] == []
    assert {str(each["folder"]) for each in shop.said("disk.low")} == {"database", "images"}
    assert {str(each["folder"]) for each in shop.said("disk.enough")} == {"database", "images"}
    assert seconds < PATIENCE


async def test_without_disk_space_sizes_are_served_and_new_pictures_refused() -> None:
    with file_system(1) as disk:
        pictures = ImageProcessor(FileStore.open("", disk / "images"), max_bytes=10**7, max_pixels=10**7)
        image = await pictures.keep(drawn("PNG", (600, 800)))
        with (disk / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
            while ballast.write(bytes(4096)):
                pass

        size = await pictures.file(image.id, 360, "jpg")
        with pytest.raises(NoRoom) as refusal:
            await pictures.keep(drawn("PNG", (700, 800)))
        files = [path.name for path in (disk / "images").rglob("*") if path.is_file() and path.stat().st_size]

    assert size is not None
    assert (size.is_exact, size.media_type, size.data[:2]) == (True, "image/jpeg", bytes.fromhex("ffd8"))
    assert (refusal.value.status, str(refusal.value)) == (503, "There is no room for another picture.")
    assert files == ["original"]
