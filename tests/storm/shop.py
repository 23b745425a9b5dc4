"""A whole shop whose processes can be killed one by one, its disk writes as durable as in life."""

import os
import random
import re
import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import asyncpg
import httpx
from sqlalchemy.ext.asyncio import AsyncSession

from server.config import Settings
from server.limits import Limits
from server.platform.core.db import Sessions, begin
from server.platform.core.security import cookie_name
from server.platform.processes.postgres import Postgres
from server.platform.processes.process import is_locked
from tests.cart.stock import Shopper, make_shopper
from tests.e2e.whole_shop import WholeShop
from tests.inventory.shelf import make_shelf
from tests.ports import ABOVE, is_free
from tests.session_tokens import session_token

PORTS = range(30_100, 30_480, 2)
"""Where no other test looks for a free port: what a killed server has left must not be taken before it is back."""
MANY = 1_000_000
LIMITS_OF_AN_ACCOUNT = Limits(
    reserved_pieces_per_account=MANY,
    reserved_value_per_account=MANY,
    abandoned_checkouts_per_account=MANY,
    cancellations_per_account=MANY,
)
"""Four shoppers buy, abandon and cancel within minutes what these limits allow a customer within a day."""
PLENTY = 5_000
SHIRTS = 6


@dataclass
class StormShop(WholeShop):
    """Opened by the shop's own supervisor. Everything of it is killed as a crash would."""

    program: tuple[str, ...] = ("tests.storm.supervisor",)

    def __post_init__(self) -> None:
        self.settings = {
            "DEMO": "false",
            "MAX_PIECES_PER_VARIANT": str(MANY),
            "LIMITS": LIMITS_OF_AN_ACCOUNT.model_dump_json(),
            "CRASH_POINTS": str(self._points),
            **self.settings,
        }
        self._points.mkdir(parents=True, exist_ok=True)

    @property
    def _points(self) -> Path:
        return self.data.with_name(f"{self.data.name}-points")

    @property
    def database_url(self) -> str:
        return self._postgres.url

    @property
    def _postgres(self) -> Postgres:
        return Postgres(self.data / "postgres")

    def arm(self, point: str) -> None:
        """The process that next comes by this point dies there."""
        (self._points / point).touch()

    def is_armed(self, point: str) -> bool:
        return (self._points / point).exists()

    def disarm(self, point: str) -> None:
        with suppress(FileNotFoundError):
            (self._points / point).unlink()

    def kill_child(self, name: str) -> bool:
        """Kills the `web` process, the `worker` or the `stand-ins`; False when it is dead just now."""
        lock = self.data / "run" / f"{name}.lock"
        pid = lock.read_text().strip()
        return pid.isdigit() and is_locked(lock) and _kill(int(pid))

    def kill_postgres(self) -> bool:
        """Kills the postmaster, and with it all connections; False when it is dead just now."""
        postgres = self._postgres
        return postgres.is_running and _kill(int((postgres.data / "postmaster.pid").read_text().split()[0]))

    async def kill_connection(self) -> bool:
        """Kills one of the server's connections, whereupon PostgreSQL ends all others and recovers by itself."""
        try:
            connection = await asyncpg.connect(self.database_url, timeout=5)
            statement = "SELECT pid FROM pg_stat_activity WHERE application_name = 'minimal' ORDER BY random() LIMIT 1"
            pid = await connection.fetchval(statement)
            killed = pid is not None and _kill(pid)
            connection.terminate()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError):
            return False
        return killed

    @property
    def complaints(self) -> list[str]:
        """What no kill explains: errors of the server, and deadlocks with the statement that PostgreSQL ended."""
        said = [line for line in self.log.read_text().splitlines() if '"level":"error"' in line]
        return [*said, *deadlocks_in(self._postgres.log)]

    async def is_whole(self, browser: httpx.AsyncClient) -> bool:
        """Whether server, database and stand-ins answer."""
        try:
            ready = await browser.get(f"{self.url}/readyz", timeout=3)
            outside = await browser.get(f"{self.outside_url}/_health", timeout=3)
        except httpx.TransportError:
            return False
        return (ready.status_code, outside.status_code) == (200, 200)

    async def let_in(self, sessions: Sessions, shopper: Shopper) -> httpx.AsyncClient:
        """A browser in which this shopper is signed in."""
        async with begin(sessions) as session:
            token = await session_token(session, shopper.id)
        own = Settings(_env_file=None, port=self.ports[0])  # type: ignore[call-arg]
        return httpx.AsyncClient(
            base_url=self.url,
            cookies={cookie_name(own): token},
            headers={"sec-fetch-site": "same-origin", "content-type": "application/json"},
            timeout=30,
            trust_env=False,
            verify=False,
            transport=self.transport(),
        )

    def transport(self) -> httpx.AsyncBaseTransport | None:
        """How browsers reach the shop; None for the usual way."""
        return None


async def furnish(session: AsyncSession, shoppers: int) -> tuple[list[Shopper], dict[UUID, int]]:
    """Shoppers with an address, and variants with plenty of pieces each."""
    people = [await make_shopper(session) for _ in range(shoppers)]
    shelves = [await make_shelf(session, name=f"Shirt {number}", stock=PLENTY) for number in range(SHIRTS)]
    return people, {goods.variant_id: PLENTY for goods in shelves}


@contextmanager
def empty_machine(ports: list[int] | None = None) -> Iterator[StormShop]:
    """A shop that was never opened, on a disk, not in memory; at another's address, if that is given."""
    with TemporaryDirectory(prefix="minimal-storm-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        yield StormShop(Path(folder) / "shop", ports=ports or _free_pair())


@contextmanager
def open_shop(*server: str) -> Iterator[StormShop]:
    """`server` is another program for it."""
    with empty_machine() as shop:
        shop.program = (*shop.program, *server)
        shop.start()
        try:
            yield shop
        finally:
            shop.stop()


def any_seed() -> int:
    """For a storm that nobody wants to see again yet."""
    return secrets.randbelow(1_000_000)


def _free_pair() -> list[int]:
    first = next(
        port for port in random.sample(PORTS, len(PORTS)) if all(map(is_free, (port, port + 1, port + 1 + ABOVE)))
    )
    return [first, first + 1]


def _kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def deadlocks_in(log: Path) -> list[str]:
    """What PostgreSQL tells of each, up to the statement that it ended."""
    return re.findall(r"deadlock detected\n(?:.*\n){0,25}?.*STATEMENT: .*\n", log.read_text())
