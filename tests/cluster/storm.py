"""`just storm --cluster`: all of a cluster is killed, cut off or restarted while people buy; then come the books."""

import argparse
import asyncio
import shutil
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx

from server.limits import Limits
from server.platform.core.db import create_engine, sessionmaker
from server.platform.processes.console import CommandRefused, say
from tests.cart.stock import make_shopper
from tests.cluster.cluster import FIRST_PORT, Cluster, a_cluster
from tests.cluster.configuration import BALANCERS, LOOP_WAIT, NODES, TTL, WEBS, WORKERS
from tests.e2e.whole_shop import ROOT
from tests.outages.versions import next_version
from tests.payments.checkout_documents import ADD
from tests.storm.pair import Balancer
from tests.storm.shop import StormShop, any_seed, deadlocks_in
from tests.storm.storm import Outcome, Plan, Storm

PATIENCE = 120
GONE_SECONDS = 30
"""How long a machine stays away that was lost: longer than the others wait for its word."""
S3_SECONDS = 5
LOOK = 0.05
ASKED_AGAIN = 2.0
"""Seconds after which nobody waits for an answer any more."""
LOST, DEAD, CUT = "primary's machine", "primary", "network cut"
ACTS = {
    LOST: (1, 5),
    DEAD: (1, 5),
    CUT: (1, 5),
    "standby": (1, 5),
    "etcd leader": (1, 5),
    "web": (2, 20),
    "worker": (2, 20),
    "balancer": (1, 5),
    "S3 away": (1, 5),
    "another version and back": (1, 2),
}
"""How often in the short form, and in the long one."""


@dataclass
class ClusterShop(StormShop):
    """The shop of a cluster, for shoppers and for the books."""

    cluster: Cluster | None = None
    served: Counter[int] = field(default_factory=Counter)

    @property
    def it(self) -> Cluster:
        assert self.cluster is not None
        return self.cluster

    @property
    def database_url(self) -> str:
        return self.it.database_url

    def transport(self) -> httpx.AsyncBaseTransport:
        """Browsers know both balancers, as two addresses of one name."""
        return Balancer([self.it.ports.shop(each) for each in BALANCERS], self.served)

    async def is_whole(self, browser: httpx.AsyncClient) -> bool:
        """Whether everything runs and is ready, and PostgreSQL has a primary and two standbys, one synchronous.

        Without that one nobody would follow a primary that is lost: what was acknowledged might be lost with it.
        """
        self.it.revive()
        if self.it.primary() is None or self.it.etcd_leader() is None:
            return False
        if len(self.it.standbys()) != len(NODES) - 1 or not self.it.synchronous():
            return False
        if not all(self.it.is_ready(number) for number in WEBS):
            return False
        with suppress(httpx.TransportError):
            return (await browser.get(f"{self.outside_url}/_health", timeout=3)).is_success
        return False

    @property
    def complaints(self) -> list[str]:
        """Errors in the logs of the shop's processes, and deadlocks in those of PostgreSQL."""
        logs = [self.it.log_of(name) for name in self.it.processes if name.startswith(("web", "worker", "reports"))]
        said = [line for log in logs for line in log.read_text().splitlines() if '"level":"error"' in line]
        return [*said, *(deadlock for node in NODES for deadlock in deadlocks_in(self.it.log_of(f"patroni{node}")))]


@dataclass(frozen=True)
class Change:
    """Of the primary: how long the cluster took to have another, and the shop then to write again."""

    act: str
    cluster_seconds: float
    shop_seconds: float


@dataclass
class ClusterStorm(Storm):
    """Acts in random order, each on a whole cluster."""

    counts: dict[str, int] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    pages: Counter[int | str] = field(default_factory=Counter)
    """Answers to readings of a known page, through all of it."""
    probe: httpx.AsyncClient = field(init=False)

    @property
    def it(self) -> Cluster:
        assert isinstance(self.shop, ClusterShop)
        return self.shop.it

    async def run(self) -> Outcome:
        began = time.monotonic()
        async with self.shoppers() as browser, self._reading(), self._probing():
            await self.until_paid(3)
            await self._act(browser)
            await self.until_paid(self.plan.payments)
        self.outcome.storm_seconds = time.monotonic() - began
        return self.outcome

    async def _act(self, browser: httpx.AsyncClient) -> None:
        dice = Random(f"{self.seed}/breaker")
        acts = [act for act, count in self.counts.items() for _ in range(count)]
        dice.shuffle(acts)
        doing: dict[str, Callable[[Random], Awaitable[None]]] = {
            LOST: self._lose_machine,
            DEAD: self._kill_primary,
            CUT: self._cut_off,
            "standby": self._kill_standby,
            "etcd leader": self._kill_etcd,
            "web": lambda dice: self._strike(f"web{dice.choice(WEBS)}"),
            "worker": lambda dice: self._strike(f"worker{dice.choice(WORKERS)}"),
            "balancer": lambda dice: self._strike(f"haproxy{dice.choice(BALANCERS)}"),
            "S3 away": self._take_s3,
            "another version and back": self._change_version,
        }
        for act in acts:
            await self.recovered(browser)
            await asyncio.sleep(dice.uniform(0.2, 1))
            await doing[act](dice)
            self.outcome.hits[act] += 1
            self.say(act)

    async def _lose_machine(self, _dice: Random) -> None:
        """Patroni and PostgreSQL at once, without a word; back after the others have gone on."""
        node = self._primary()
        began = time.monotonic()
        self.it.kill(f"patroni{node}")
        self.it.kill_postgres(node)
        await self._another_primary(LOST, node, began)
        await asyncio.sleep(max(0.0, GONE_SECONDS - (time.monotonic() - began)))

    async def _kill_primary(self, _dice: Random) -> None:
        node, began = self._primary(), time.monotonic()
        self.it.kill_postgres(node)
        await self._another_primary(DEAD, node, began)

    async def _cut_off(self, _dice: Random) -> None:
        """Nothing reaches the primary, and it reaches nobody; nothing tells either side so."""
        node, began = self._primary(), time.monotonic()
        self.it.signal(f"network{node}", signal.SIGUSR1)
        await self._another_primary(CUT, node, began)
        self.it.signal(f"network{node}", signal.SIGUSR2)

    async def _kill_standby(self, dice: Random) -> None:
        node = dice.choice(self.it.standbys())
        self.it.kill(f"patroni{node}")
        self.it.kill_postgres(node)

    async def _kill_etcd(self, _dice: Random) -> None:
        await self._strike(f"etcd{self.it.etcd_leader()}")

    async def _strike(self, name: str) -> None:
        self.it.kill(name)

    async def _take_s3(self, _dice: Random) -> None:
        self.it.signal("s3", signal.SIGSTOP)
        await asyncio.sleep(S3_SECONDS)
        self.it.signal("s3", signal.SIGCONT)

    async def _change_version(self, _dice: Random) -> None:
        """By a rolling restart each way, as deploy/rollout does it: the tables stay those of the newer version."""
        newer = self.it.folder / "next"
        if not newer.exists():
            await asyncio.to_thread(next_version, self.it.folder)
        await asyncio.to_thread(self.it.migrate, newer)
        for code in (newer, ROOT):
            await self._restart_all(code)

    async def _restart_all(self, code: Path) -> None:
        """Each web process and worker in turn, with this code; the next one when the last is ready."""
        for name in [*(f"web{each}" for each in WEBS), *(f"worker{each}" for each in WORKERS)]:
            child = self.it.processes[name]
            child.end()
            await _until(lambda child=child: not child.is_running, f"{name} does not end.")  # type: ignore[misc]
            child.folder = code
            child.start()
            if name.startswith("web"):
                number = int(name.removeprefix("web"))
                await _until(lambda number=number: self.it.is_ready(number), f"{name} is not ready.")  # type: ignore[misc]

    def _primary(self) -> int:
        node = self.it.primary()
        assert node is not None
        return node

    async def _another_primary(self, act: str, gone: int, began: float) -> None:
        """Waits for one, and for the first write after it."""
        others = [node for node in NODES if node != gone]
        await _until(lambda: any(self.it._is(node, "primary") for node in others), f"No new primary after {act}.")
        promoted = time.monotonic()
        await self._written()
        self.changes.append(Change(act, promoted - began, time.monotonic() - promoted))

    async def _written(self) -> None:
        """Until an addition to a cart is acknowledged, of somebody who asks again at once and for little else."""
        variant = str(next(iter(self.outcome.crowd.told.stocked)))
        body = {"query": ADD, "variables": {"variant": variant}}
        deadline = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < deadline, "Nothing is written any more."
            with suppress(httpx.TransportError):
                answer = await self.probe.post("/graphql", json=body, timeout=ASKED_AGAIN)
                if answer.status_code == 200 and answer.json()["data"]["addToCart"]["__typename"] == "Cart":
                    return
            await asyncio.sleep(LOOK)

    @asynccontextmanager
    async def _probing(self) -> AsyncIterator[None]:
        """Somebody of whose cart the books know nothing."""
        engine = create_engine(self.shop.database_url, pool_size=1)
        sessions = sessionmaker(engine)
        async with sessions() as session:
            shopper = await make_shopper(session)
        self.probe = await self.shop.let_in(sessions, shopper)
        await engine.dispose()
        async with self.probe:
            yield

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[None]:
        """Somebody looks at a page that is known, over and over."""
        task = asyncio.create_task(self._read())
        try:
            yield
        finally:
            task.cancel()

    async def _read(self) -> None:
        transport = self.shop.transport()
        async with httpx.AsyncClient(
            base_url=self.shop.url, transport=transport, timeout=30, trust_env=False
        ) as reader:
            while True:
                try:
                    self.pages[(await reader.get("/category/men/shirts")).status_code] += 1
                except httpx.TransportError as error:
                    self.pages[type(error).__name__] += 1
                await asyncio.sleep(0.2)


async def _until(happened: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, otherwise
        await asyncio.sleep(LOOK)


@contextmanager
def open_cluster(first_port: int = FIRST_PORT) -> Iterator[ClusterShop]:
    """Empty, with networks that can be cut."""
    limits = {"LIMITS": Limits(abandoned_checkouts_per_account=1_000_000).model_dump_json()}
    with a_cluster(first_port=first_port, demo=False, is_cuttable=True, settings=limits) as cluster:
        ports = [cluster.ports.shop(1), cluster.ports.outside]
        yield ClusterShop(cluster.data, ports=ports, cluster=cluster)


def main(arguments: Sequence[str]) -> int:
    """Prints what happened, and what the books say. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="just storm --cluster", description="A storm over a whole cluster.")
    parser.add_argument("--seed", type=int, default=any_seed())
    parser.add_argument("--short", action="store_true", help="each once or twice")
    parser.add_argument("--buyers", type=int, default=6)
    parser.add_argument("--port", type=int, default=FIRST_PORT, help="the first of three hundred ports")
    parser.add_argument("--keep-logs", type=Path, help="a new folder for the logs of all processes")
    for act in ACTS:
        parser.add_argument(f"--{_option(act)}", type=int, metavar="TIMES", help=f"instead of {ACTS[act][1]}")
    options = parser.parse_args(arguments)
    own = {act: getattr(options, _option(act).replace("-", "_")) for act in ACTS}
    counts = {act: ACTS[act][not options.short] if own[act] is None else own[act] for act in ACTS}
    say(f"Seed {options.seed}")
    try:
        with open_cluster(options.port) as shop:
            storm = ClusterStorm(shop, Plan(payments=12), options.seed, options.buyers, say=say, counts=counts)
            try:
                asyncio.run(storm.run())
            finally:
                if options.keep_logs:
                    shutil.copytree(shop.it.logs, options.keep_logs)
    except CommandRefused as refusal:
        say(str(refusal))
        return 1
    return report(storm)


def _option(act: str) -> str:
    return act.replace("'s", "").replace(" ", "-").lower()


def report(storm: ClusterStorm) -> int:
    """Prints the outcome. Returns the exit code."""
    outcome = storm.outcome
    for title, counted in (("Happened", outcome.hits), ("Shoppers", outcome.crowd.did), ("A known page", storm.pages)):
        say(f"\n{title}")
        for name, number in sorted(counted.items(), key=str):
            say(f"  {number:6}  {name}")
    say(f"\nA new primary (Patroni: TTL {TTL} s, loop {LOOP_WAIT} s), and then the first write")
    for change in storm.changes:
        say(f"  {change.cluster_seconds:6.1f} s  {change.shop_seconds:5.2f} s  {change.act}")
    say(f"\n{outcome.payments} captured payments, {outcome.orders} orders; {outcome.storm_seconds:.0f} s in all")
    faults = [*outcome.crowd.surprises, *outcome.problems, *outcome.complaints]
    for fault in faults:
        say(f"FAULT  {fault[:2000]}")
    if not outcome.problems:
        say(f"The books agreed after {outcome.rest_seconds:.0f} s")
    return 1 if faults else 0
