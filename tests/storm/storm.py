"""Shoppers, random kills and outages at once; then a quiet time and the comparison of the ledgers."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random

import httpx
from sqlalchemy import text

from server.platform.core.db import Sessions, begin, create_engine, is_unavailable, sessionmaker
from tests.crash_points import PURCHASE
from tests.storm import books
from tests.storm.ledgers import Shop, read_provider, read_shop
from tests.storm.shop import StormShop, furnish
from tests.storm.shoppers import USUAL, Buyer, Crowd, Habits

WITHIN_SECONDS = 60
"""After everything answers again, so long may the books differ as much as before: a busy machine only takes longer."""
PATIENCE_SECONDS = 300
"""After so long something will not come any more: recovery, a shopper at an armed point, a process to kill."""
SETTLE_MS = 700
IMPATIENCE = 0.2
"""How often the next blow falls before the shop has got up from the last one."""
WEATHER: Sequence[Mapping[str, object]] = (
    {},
    {"duplicate": 2},
    {"shuffle": True},
    {"delay_ms": 800},
    {"drop": True},
    {"duplicate": 1, "shuffle": True, "delay_ms": 300},
)
FAULTS = ("lost", "error_after", "unavailable", "rate_limit", "error", "slow")


_TIME_IS_OVER = """
UPDATE checkouts
SET check_at = now(), expires_at = CASE WHEN stripe_session_id IS NULL THEN expires_at ELSE now() END
WHERE status IN ('open', 'processing')
"""
_LEFT = """
SELECT extract(epoch FROM max(greatest(expires_at, check_at)) - now())
FROM checkouts WHERE status IN ('open', 'processing')
"""


@dataclass(frozen=True)
class Plan:
    """How often each thing is killed, and how many payments there must be at least."""

    web: int = 0
    worker: int = 0
    postgres: int = 0
    stand_ins: int = 0
    each_point: int = 0
    points: Sequence[str] = PURCHASE
    payments: int = 10

    def acts(self, dice: Random) -> list[str]:
        acts = (
            ["web"] * self.web
            + ["worker"] * self.worker
            + ["postgres"] * self.postgres
            + ["stand-ins"] * self.stand_ins
        )
        acts += [point for point in self.points for _ in range(self.each_point)]
        dice.shuffle(acts)
        return acts


@dataclass
class Outcome:
    """What was hit, what shoppers did, and what the books say."""

    seed: int
    hits: Counter[str] = field(default_factory=Counter)
    weather: Counter[str] = field(default_factory=Counter)
    crowd: Crowd = field(default_factory=Crowd)
    problems: list[str] = field(default_factory=list)
    orders: int = 0
    payments: int = 0
    storm_seconds: float = 0
    complaints: list[str] = field(default_factory=list)
    """Errors and deadlocks in the logs."""
    rest_seconds: float = 0
    """From recovery until the books agreed, or until nobody waited any longer."""


@dataclass
class Storm:
    """`is_patient` moves no clock: buyers settle what they left, and leases of dead workers run out by themselves.

    A shop that `is_restored` cannot know what happened after its backup: its books are compared without that.
    """

    shop: StormShop
    plan: Plan
    seed: int
    buyers: int = 8
    habits: Habits = USUAL
    weather: Sequence[Mapping[str, object]] = WEATHER
    is_patient: bool = False
    is_restored: bool = False
    within_seconds: float = WITHIN_SECONDS
    say: Callable[[str], None] = lambda _: None
    outcome: Outcome = field(init=False)

    def __post_init__(self) -> None:
        self.outcome = Outcome(self.seed)

    async def run(self) -> Outcome:
        began = time.monotonic()
        async with self.shoppers() as browser:
            weather = asyncio.create_task(self._weather(browser))
            try:
                await self._break_things(browser)
                await self.until_paid(self.plan.payments)
            finally:
                weather.cancel()
        self.outcome.storm_seconds = time.monotonic() - began
        return self.outcome

    @asynccontextmanager
    async def shoppers(self) -> AsyncIterator[httpx.AsyncClient]:
        """They buy for the time of the block; afterwards it gets calm, and the books are compared."""
        engine = create_engine(self.shop.database_url, pool_size=3)
        sessions, outside = sessionmaker(engine), httpx.AsyncClient(timeout=10, trust_env=False, verify=False)
        payer = httpx.AsyncClient(base_url=self.shop.outside_url, timeout=20, trust_env=False, verify=False)
        async with sessions() as session:
            shoppers, stocked = await furnish(session, self.buyers)
        self.outcome.crowd.told.stocked.update(stocked)
        buyers = [
            Buyer(
                each.email,
                await self.shop.let_in(sessions, each),
                payer,
                list(stocked),
                Random(f"{self.seed}/{number}"),
                self.outcome.crowd,
                self.habits,
                number,
            )
            for number, each in enumerate(shoppers)
        ]
        await self._tell(outside, "settings", settle_after_ms=SETTLE_MS)
        shopping = [asyncio.create_task(buyer.shop()) for buyer in buyers]
        try:
            yield outside
            self.outcome.crowd.is_over = True
            await asyncio.gather(*shopping)
            await self.calm(outside)
            if self.is_patient:
                await self._settle(buyers)
            await self.rest(sessions)
        finally:
            for each in shopping:
                each.cancel()
            for client in (outside, payer, *(buyer.browser for buyer in buyers)):
                await client.aclose()
            await engine.dispose()

    async def _break_things(self, browser: httpx.AsyncClient) -> None:
        dice = Random(f"{self.seed}/breaker")
        for act in self.plan.acts(dice):
            if dice.random() > IMPATIENCE:
                await self.recovered(browser)
            await asyncio.sleep(dice.uniform(0, 0.5))
            if act in PURCHASE:
                await self._reach(act)
            else:
                await self._kill(act, dice)
            self.outcome.hits[act] += 1
            self.say(act)

    async def until_paid(self, payments: int) -> None:
        """Until the provider has taken so many, and who shall vanish has vanished."""

        async def enough() -> bool:
            if self.outcome.crowd.did["vanish"] < self.habits.vanish:
                return False
            return len(read_provider(self.shop.data).payments) >= payments

        await _until(enough, PATIENCE_SECONDS, "Hardly anybody bought anything.")

    async def _kill(self, act: str, dice: Random) -> None:
        """Of something that lives; what is dead just now is waited for."""
        by_connection = act == "postgres" and dice.random() < 0.5

        async def killed() -> bool:
            if by_connection:
                return await self.shop.kill_connection()
            return self.shop.kill_postgres() if act == "postgres" else self.shop.kill_child(act)

        await _until(killed, PATIENCE_SECONDS, f"There was nothing to kill: {act}.")
        if act == "postgres":
            self.outcome.hits["one connection" if by_connection else "the whole of it"] += 1

    async def _reach(self, point: str) -> None:
        self.shop.arm(point)

        async def reached() -> bool:
            return not self.shop.is_armed(point)

        await _until(reached, PATIENCE_SECONDS, f"Nobody came by {point}.")

    async def _weather(self, browser: httpx.AsyncClient) -> None:
        """What the provider does to its webhooks, and now and then to its answers."""
        dice = Random(f"{self.seed}/weather")
        while True:
            switches = dice.choice(self.weather)
            if await self._tell(browser, "webhooks", **switches):
                self.outcome.weather.update(switches.keys() or ["fair"])
            if dice.random() < 0.3:
                kind = dice.choice(FAULTS)
                delay = {"delay_ms": 500} if kind == "slow" else {}
                if await self._tell(browser, "faults", kind=kind, **delay):
                    self.outcome.weather[f"answer: {kind}"] += 1
            await asyncio.sleep(dice.uniform(0.3, 1.5))

    async def calm(self, browser: httpx.AsyncClient) -> None:
        """Everything answers, and the provider behaves."""
        await self.recovered(browser)
        for switch in ("webhooks", "faults"):
            await self._tell(browser, switch)

    async def _settle(self, buyers: Sequence[Buyer]) -> None:
        """Nobody leaves a checkout open: it would keep its half hour, and the books would wait for it."""
        self.outcome.crowd.is_over = False
        await asyncio.gather(*(buyer.settle() for buyer in buyers))
        self.outcome.crowd.is_over = True

    async def rest(self, sessions: Sessions) -> None:
        """The books, until they agree, or differ as much for longer than they may."""
        recovered, fewest, fewer = time.monotonic(), math.inf, 0.0
        await asyncio.sleep(SETTLE_MS / 1000)
        most = self.within_seconds
        if self.is_patient:
            most += await self._seconds_left(sessions)
            self.say(f"the last checkout's time is over in {most - self.within_seconds:.0f} s")
        else:
            await self._put_the_clock_forward(sessions)
        while True:
            self.outcome.problems = await self._problems(sessions)
            self.outcome.rest_seconds = time.monotonic() - recovered
            if len(self.outcome.problems) < fewest:
                fewest, fewer = len(self.outcome.problems), self.outcome.rest_seconds
            if not self.outcome.problems or self.outcome.rest_seconds - fewer > most:
                break
            await asyncio.sleep(1)
        self.outcome.complaints = self.shop.complaints

    async def _seconds_left(self, sessions: Sessions) -> float:
        """Until nobody may pay any more what is held now: checkouts that were left open take half an hour."""
        async with sessions() as session:
            return float(await session.scalar(text(_LEFT)) or 0)

    async def _put_the_clock_forward(self, sessions: Sessions) -> None:
        """The time of every checkout is over, and so is that of work which died half done.

        One whose card form was never noted keeps its own time: that is part of what the provider was asked for.
        """
        async with begin(sessions) as session:
            await session.execute(text(_TIME_IS_OVER))
            await session.execute(text("UPDATE jobs SET leased_until = NULL, run_at = now()"))

    async def _problems(self, sessions: Sessions) -> list[str]:
        try:
            async with sessions() as session:
                shop: Shop = await read_shop(session)
        except Exception as error:
            if not is_unavailable(error):
                raise
            return [f"The database is away: {type(error).__name__}."]
        provider = read_provider(self.shop.data)
        if self.is_restored:
            provider = provider.as_known_to(shop)
        self.outcome.orders, self.outcome.payments = len(shop.orders), len(provider.payments)
        return books.problems(shop, provider, self.outcome.crowd.told)

    async def recovered(self, browser: httpx.AsyncClient) -> None:
        await _until(lambda: self.shop.is_whole(browser), PATIENCE_SECONDS, "The shop did not recover.")

    async def _tell(self, browser: httpx.AsyncClient, control: str, **told: object) -> bool:
        """False when the stand-ins are away."""
        try:
            url = f"{self.shop.outside_url}/_control/{control}"
            return (await browser.post(url, json=told)).is_success
        except httpx.TransportError:
            return False


class NotReached(AssertionError):
    """Something that the storm waits for did not happen."""


async def _until(happened: Callable[[], Awaitable[bool]], seconds: float, otherwise: str) -> None:
    deadline = time.monotonic() + seconds
    while not await happened():
        if time.monotonic() > deadline:
            raise NotReached(otherwise)
        await asyncio.sleep(0.03)
