"""`just bench-analytics`: how long reports over a million orders take, next to plain SQL over the raw tables."""

import argparse
import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import asyncpg
import httpx

from server.analytics.reports.errors import QueryTooExpensive
from server.platform.processes.postgres import Postgres
from tests.analytics.bench import cases, shoppers
from tests.analytics.bench.cases import Case
from tests.e2e.whole_shop import ROOT, WholeShop, open_shop
from tests.processor import Processor

OWNER = {"email": "owner@minimal.test", "password": "Minimal1!"}
RANDOM_GOAL = 250
_SETTLED = "SELECT bool_and(until > now() - make_interval(days => 3, mins => minutes)) FROM settled_visits"


@dataclass(frozen=True)
class Times:
    """Milliseconds, of a question asked several times over HTTP; `worked` are those that processors worked on it."""

    server: Sequence[float]
    worked: Sequence[float]
    raw: Sequence[float]

    @property
    def ratio(self) -> float:
        return median(self.raw) / median(self.server)


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that so many of the others do not exceed."""
    return sorted(values)[max(0, -int(-len(values) * part // 1) - 1)]


class Bench:
    """Asks the running shop as its owner, and its database directly."""

    def __init__(self, client: httpx.AsyncClient, database: asyncpg.Connection, processor: Processor) -> None:
        self.client = client
        self.database = database
        self.processor = processor
        self.failures = 0

    async def ask(self, document: str) -> tuple[float, Any]:
        """Milliseconds and the answer; a server that asks for a moment gets it, and is then asked anew."""
        while True:
            began = time.perf_counter()
            answer = await self.client.post("/graphql", json={"query": document})
            took = (time.perf_counter() - began) * 1000
            if answer.status_code != 503:
                return took, answer.raise_for_status().json()
            await asyncio.sleep(float(answer.headers.get("retry-after", "1")))

    async def settled(self) -> None:
        """Returns when the shop has summed the visits of all days that are over."""
        while True:
            if await self.database.fetchval(_SETTLED):
                return
            await asyncio.sleep(1)

    async def query(self, statement: str) -> float:
        began = time.perf_counter()
        await self.database.fetch(statement)
        return (time.perf_counter() - began) * 1000

    async def times(self, case: Case, rounds: int, raw_rounds: int) -> Times | None:
        """None when the report is refused as too dear. The first round warms up and is not counted."""
        _, body = await self.ask(case.document)
        if is_too_dear(body):
            return None
        raw = [await self.query(case.raw) for _ in range(raw_rounds)]
        took, worked = [], []
        for _ in range(rounds):
            before = self.processor.milliseconds()
            took.append((await self.ask(case.document))[0])
            worked.append(self.processor.milliseconds() - before)
        return Times(took, worked, raw)

    async def named(self, rounds: int) -> None:
        heading("a report", "p50", "p95", "worked", "raw SQL", "ratio", "goal")
        for case in cases.named(datetime.now(UTC).date()):
            times = await self.times(case, rounds, raw_rounds=3)
            assert times is not None, case.name
            high = percentile(times.server, 0.95)
            holds = high <= case.milliseconds and (case.times is None or times.ratio >= case.times)
            goal = f"{case.milliseconds:,} ms" + (f", {case.times:.0f} times" if case.times else "")
            self.row(case.name, median(times.server), high, times.worked, median(times.raw), times.ratio, goal, holds)

    async def at_random(self, count: int, seed: int) -> None:
        """Reports of any measures by any dimensions over 90 days; those that the cost limit refuses are drawn anew."""
        drawn = cases.at_random(random.Random(seed), datetime.now(UTC).date())
        heading(f"{count} reports over 90 days, at random", "p50", "p95", "worked", "raw SQL", "ratio", "goal")
        slowest: list[tuple[Case, Times]] = []
        refused = 0
        while len(slowest) < count:
            case = next(drawn)
            measured = await self.times(case, rounds=3, raw_rounds=1)
            refused += measured is None
            if measured is not None:
                slowest.append((case, measured))
        for case, times in sorted(slowest, key=lambda each: -median(each[1].server)):
            self.row(case.name, median(times.server), max(times.server), times.worked, median(times.raw), times.ratio)
        every = [took for _, times in slowest for took in times.server]
        worked = [took for _, times in slowest for took in times.worked]
        high, ratio = percentile(every, 0.95), median(times.ratio for _, times in slowest)
        raws = median(median(times.raw) for _, times in slowest)
        name = f"all of them ({refused} more were refused as too dear)"
        self.row(name, median(every), high, worked, raws, ratio, f"{RANDOM_GOAL} ms p95", high <= RANDOM_GOAL)
        say(f"Processors worked on nineteen in twenty for at most {percentile(worked, 0.95):,.0f} ms.")

    async def beside_shoppers(self, url: str, reports: int) -> None:
        documents = await self._reports(reports)
        cookie = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        heading(f"a category page while {reports} reports wait for each other", "p50", "p99", "", "", "grows", "goal")
        alone, beside = await shoppers.windows(url, cookie, documents)
        growth = percentile(beside, 0.99) / percentile(alone, 0.99)
        self.row(f"alone ({len(alone)} pages)", median(alone), percentile(alone, 0.99))
        name = f"beside them ({len(beside)} pages)"
        self.row(name, median(beside), percentile(beside, 0.99), (), None, growth, "1.5 times", growth < 1.5)

    async def _reports(self, count: int) -> list[str]:
        """Those that the cost limit lets run: one that it refuses is no load."""
        drawn = cases.at_random(random.Random(99), datetime.now(UTC).date())
        documents: list[str] = []
        while len(documents) < count:
            document = next(drawn).document
            _, body = await self.ask(document)
            if not is_too_dear(body):
                documents.append(document)
        return documents

    def row(
        self,
        name: str,
        middle: float,
        high: float,
        worked: Sequence[float] = (),
        raw: float | None = None,
        ratio: float | None = None,
        goal: str = "",
        holds: bool | None = None,
    ) -> None:
        said = {None: "", True: "passed", False: "MISSED"}[holds]
        self.failures += holds is False
        raws, ratios = (f"{raw:,.0f}" if raw else ""), (f"{ratio:,.1f}" if ratio else "")
        works = f"{median(worked):,.0f}" if worked else ""
        say(f"{name[:72]:72} {middle:8,.1f} {high:8,.1f} {works:>7} {raws:>8} {ratios:>6}  {goal:16} {said}")


def is_too_dear(body: Any) -> bool:
    """Whether the cost limit refused a report; any other error ends the bench."""
    if "errors" not in body:
        return False
    [error] = body["errors"]
    assert error["extensions"]["code"] == QueryTooExpensive.code, error
    return True


def heading(name: str, *columns: str) -> None:
    middle, high, worked, raw, ratio, goal = columns
    load = f"(load {os.getloadavg()[0]:.1f})"
    say(f"\n{f'{name} {load}'[:72]:72} {middle:>8} {high:>8} {worked:>7} {raw:>8} {ratio:>6}  {goal}")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def prepare(folder: Path, orders: int, seed: int) -> None:
    """Makes the big shop where there is none; a marker says that it was finished."""
    done = folder / f"orders-{orders}-{seed}"
    if done.exists():
        return
    if folder.exists():
        raise SystemExit(
            f"{folder} is there, but is not a finished shop of {orders:,} orders. Delete it, or name another."
        )
    say(f"Making a shop of {orders:,} orders in {folder}, once; that takes minutes")
    command = [sys.executable, "-m", "server", "demo", "--orders", str(orders), "--seed", str(seed)]
    subprocess.run(command, cwd=ROOT, env=WholeShop(folder).environment, check=True)
    done.touch()


async def measure(shop: WholeShop, options: argparse.Namespace) -> int:
    postgres = Postgres(shop.data / "postgres")
    database = await asyncpg.connect(postgres.url, server_settings={"application_name": "bench"})
    own = {"sec-fetch-site": "same-origin"}
    async with httpx.AsyncClient(base_url=shop.url, headers=own, timeout=60, trust_env=False) as client:
        (await client.post("/api/auth/signin", json=OWNER)).raise_for_status()
        leader = int((postgres.data / "postmaster.pid").read_text().split()[0])
        bench = Bench(client, database, Processor(shop.pid_of("web"), leader))
        await bench.settled()
        parts = options.only or ["named", "random", "shoppers"]
        if "named" in parts:
            await bench.named(options.rounds)
        if "random" in parts:
            await bench.at_random(options.reports, options.sample)
        if "shoppers" in parts:
            await bench.beside_shoppers(shop.url, 10)
    await database.close()
    return 1 if bench.failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="just bench-analytics", description=__doc__)
    parser.add_argument("data", type=Path, nargs="?", default=ROOT / ".shop-big", help="folder of the big shop")
    parser.add_argument("--orders", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=40, help="how often each named question is asked")
    parser.add_argument("--reports", type=int, default=60, help="how many reports are drawn at random")
    parser.add_argument("--sample", type=int, default=1, help="which ones: another number, other reports")
    parser.add_argument("--only", action="append", choices=("named", "random", "shoppers"))
    options = parser.parse_args()
    prepare(options.data, options.orders, options.seed)
    say(f"{os.cpu_count()} cores. Milliseconds over HTTP, asked of a server in a process of its own.")
    with open_shop(options.data) as shop:
        return asyncio.run(measure(shop, options))


if __name__ == "__main__":
    sys.exit(main())
