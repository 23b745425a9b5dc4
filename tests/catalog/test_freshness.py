"""Answers and pages from the cache are at most a second old, whatever changes; compared with plain SQL."""

import asyncio
import os
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import UUID

import httpx
import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.lists import ProductCriteria, ProductListSort
from server.catalog.models import Product, Variant
from server.platform.core.db import Sessions, begin
from server.platform.core.money import decimal_text
from tests.catalog import plain_sql
from tests.catalog.goods import BLACK, RUST, SKY, put_on_offer
from tests.catalog.random_changes import CHANGES, some
from tests.catalog.storefront import ask, client_of, open_app, open_storefront

AVAILABILITY = re.compile(r"schema\.org/(InStock|OutOfStock)")
A_SECOND = 1.0
SECONDS, LEAST_STATES = 2.5, 5
HISTORIES = int(os.environ.get("CATALOGUE_HISTORIES", "1"))
MEN_IN_STOCK = ProductCriteria(gender="men", in_stock=True)
ON_SALE = ProductCriteria(on_sale=True)
QUESTIONS = {
    "list": "{ products(first: 100) { totalCount nodes { id name price stock } } }",
    "in stock": """{ products(first: 100, filter: {inStock: true, department: "men"}, sort: PRICE_ASCENDING) {
        totalCount nodes { id } facets { inStock onSale } } }""",
    "on sale": "{ products(first: 100, filter: {onSale: true}, sort: NEWEST) { totalCount nodes { id } } }",
    "one": "query One($id: ID!) { product(id: $id) { name description variants { id stock } } }",
}


@dataclass
class State:
    """What SQL answers, from before a commit until after the next one."""

    answers: dict[str, Any]
    since: float
    until: float = inf


@dataclass
class Pauses:
    """How long this machine let everybody wait: nobody is to blame for that."""

    longest: float = 0.0

    @asynccontextmanager
    async def noticed(self) -> AsyncIterator[None]:
        async def tick() -> None:
            while True:
                began = monotonic()
                await asyncio.sleep(0.01)
                self.took(began)

        task = asyncio.create_task(tick())
        yield
        task.cancel()
        await asyncio.wait([task])

    def took(self, began: float) -> None:
        self.longest = max(self.longest, monotonic() - began)

    @property
    def allowed(self) -> float:
        return A_SECOND + 3 * self.longest


async def plain_answers(session: AsyncSession, one: UUID) -> dict[str, Any]:
    """What the questions ask, by plain SQL, each fact for itself; of all products their facts by id."""
    pieces = select(func.coalesce(func.sum(Variant.stock), 0)).where(
        Variant.product_id == Product.id, Variant.retired_at.is_(None)
    )
    rows = await session.execute(
        select(Product.id, Product.name, Product.price_cents, pieces.scalar_subquery()).where(
            Product.retired_at.is_(None)
        )
    )
    product = await session.get(Product, one, populate_existing=True)
    stock = await session.execute(
        select(Variant.id, Variant.stock).where(Variant.product_id == one, Variant.retired_at.is_(None))
    )
    total, facets = await plain_sql.total_and_facets(session, MEN_IN_STOCK)
    everything = await plain_sql.listed(session, ProductCriteria(), ProductListSort.FEATURED)
    men = await plain_sql.listed(session, MEN_IN_STOCK, ProductListSort.PRICE_ASCENDING)
    sale = await plain_sql.listed(session, ON_SALE, ProductListSort.NEWEST)
    is_sold = product is not None and product.retired_at is None
    return {
        "facts": {str(row[0]): (row[1], decimal_text(row[2]), row[3]) for row in rows},
        "list": {"order": [str(each) for each in everything], "total": len(everything)},
        "in stock": {
            "order": [str(each) for each in men],
            "total": (total, {"inStock": facets.flags["in_stock"], "onSale": facets.flags["on_sale"]}),
        },
        "on sale": {"order": [str(each) for each in sale], "total": len(sale)},
        "one": {"one": (product.name, product.description, {str(row.id): row.stock for row in stock})}
        if product is not None and is_sold
        else {"one": None},
    }


def claims(name: str, data: dict[str, Any]) -> dict[str, Any]:
    """The same facts of an answer, and those of each product that it tells of."""
    if name == "one":
        product = data["product"]
        stock = {each["id"]: each["stock"] for each in product["variants"]} if product else {}
        return {"one": product and (product["name"], product["description"], stock)}
    products = data["products"]
    total = products["totalCount"]
    order = [each["id"] for each in products["nodes"]]
    cards = {each["id"]: (each["name"], each["price"], each["stock"]) for each in products["nodes"] if "name" in each}
    return {"order": order, "total": (total, products["facets"]) if "facets" in products else total, **cards}


def agrees(state: "State", name: str, claim: str, value: Any, gone: set[str]) -> bool:
    """A list leaves out at once what is sold no longer, before it is counted anew."""
    if claim == "order":
        return value in (
            [each for each in state.answers[name]["order"] if each not in gone],
            state.answers[name][claim],
        )
    return bool(state.answers[name].get(claim, state.answers["facts"].get(claim)) == value)


async def move(session: AsyncSession, dice: random.Random) -> None:
    """Nothing that is announced."""
    variants = await some(session, Variant, dice)
    await session.execute(update(Variant).where(Variant.id.in_(variants)).values(stock=dice.randrange(900, 1_100)))


async def describe(session: AsyncSession, dice: random.Random) -> None:
    await session.execute(update(Product).values(description=f"Number {dice.random()}"))


@dataclass
class Watched:
    """Random changes, and random questions to processes of the shop meanwhile."""

    sessions: Sessions
    one: UUID
    pauses: Pauses = field(default_factory=Pauses)
    states: list[State] = field(default_factory=list)
    heard: list[tuple[str, float, float, Any]] = field(default_factory=list)

    async def read(self, began: float) -> None:
        now = monotonic()
        async with self.sessions() as session:
            self.states.append(State(await plain_answers(session, self.one), began))
        self.pauses.took(now)
        for before in self.states[-2:-1]:
            before.until = now

    def goes_on(self, end: float) -> bool:
        """Until this moment, on a slow machine until enough has changed to tell anything."""
        return monotonic() < end or len(self.states) <= LEAST_STATES

    async def change(self, dice: random.Random, end: float) -> None:
        while self.goes_on(end):
            began = monotonic()
            async with self.sessions() as session:
                await dice.choice([*CHANGES, move, move, describe])(session, dice)
                await session.commit()
            self.pauses.took(began)
            await self.read(began)
            await asyncio.sleep(dice.choice([0, 0.01, 0.1]))

    async def ask(self, visitor: httpx.AsyncClient, dice: random.Random, end: float) -> None:
        while self.goes_on(end):
            name = dice.choice(list(QUESTIONS))
            began = monotonic()
            variables = {"id": str(self.one)} if name == "one" else {}
            data = await ask(visitor, QUESTIONS[name], **variables)
            self.heard.append((name, began, monotonic(), claims(name, data)))
            await asyncio.sleep(dice.choice([0.002, 0.02]))

    def older_than_allowed(self) -> list[tuple[str, str, Any]]:
        """Claims of answers that no state bears out which was one within the second before the question."""
        wrong = []
        for name, begun, done, answer in self.heard:
            states = [each for each in self.states if each.since <= done and each.until >= begun - self.pauses.allowed]
            gone = set().union(*(each.answers["facts"] for each in states)) - set(states[-1].answers["facts"])
            for claim, value in answer.items():
                if not any(agrees(state, name, claim, value, gone) for state in states):
                    wrong.append((name, claim, value))
        return wrong


@pytest.mark.parametrize("seed", range(HISTORIES))
async def test_no_answer_of_any_process_is_older_than_a_second(
    database_url: str, sessions: Sessions, session: AsyncSession, tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    one = await put_on_offer(session, "Oxford Shirt", colors=(SKY, BLACK), stock=12)
    for number in range(6):
        await put_on_offer(session, f"Jean {number}", category="men_jeans", colors=(RUST,), discounted=7_000)
    watched = Watched(sessions, one)
    async with (
        open_storefront(database_url, sessions, tmp_path, catches_up=False) as first,
        open_app(database_url, tmp_path) as other,
        client_of(other) as second,
        watched.pauses.noticed(),
    ):
        await watched.read(monotonic())
        end = monotonic() + SECONDS
        asking = [
            watched.ask(shop, random.Random(seed + at), end) for at, shop in enumerate([first.visitor, second] * 3)
        ]
        await asyncio.gather(watched.change(dice, end), *asking)

    assert watched.older_than_allowed() == []
    assert len(watched.states) > LEAST_STATES
    assert len(watched.heard) > len(watched.states)


async def test_a_page_never_says_for_longer_than_a_second_that_there_is_what_is_sold_out(
    database_url: str,
    sessions: Sessions,
    session: AsyncSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.platform.pages.renderer.LONGEST_SECONDS", 20.0)
    product_id_of_page = await put_on_offer(session, "Oxford Shirt", sizes=("M",), stock=3)
    for number in range(5):
        await put_on_offer(session, f"Jean {number}", category="men_jeans", stock=9)
    address = f"/product/{product_id_of_page}"
    pauses, turns, end = Pauses(), [(monotonic(), True)], inf
    heard: list[tuple[float, float, bool]] = []

    async def buy(product_id: UUID | None, stock: int) -> None:
        began = monotonic()
        condition = Variant.product_id == product_id if product_id else Variant.product_id != product_id_of_page
        async with begin(sessions) as buying:
            await buying.execute(update(Variant).where(condition).values(stock=stock))
        pauses.took(began)

    async def sell_others() -> None:
        while monotonic() < end:
            await buy(None, random.randrange(1, 9))
            await asyncio.sleep(0.01)

    async def look(shop: httpx.AsyncClient, path: str) -> None:
        while monotonic() < end:
            asked = monotonic()
            response = await shop.get(path)
            said = AVAILABILITY.search(response.text)
            if said and path == address:
                heard.append((asked, monotonic(), said[1] == "InStock"))
            await asyncio.sleep(0.005)

    async with (
        open_app(database_url, tmp_path) as app,
        client_of(app) as visitor,
        pauses.noticed(),
    ):
        for path in (address, "/category/men"):
            assert (await visitor.get(path)).status_code == 200
        end = monotonic() + 2.9 * A_SECOND
        looking = [asyncio.create_task(look(visitor, path)) for path in (address, address, "/category/men", "/")]
        selling = asyncio.create_task(sell_others())
        for stock in (0, 2):
            await asyncio.sleep(0.3)
            await buy(product_id_of_page, stock)
            turns.append((monotonic(), stock > 0))
            await asyncio.sleep(1.2 * A_SECOND)
        await asyncio.gather(*looking, selling)

    for (since, is_there), (until, _) in zip(turns, [*turns[1:], (inf, False)], strict=True):
        late = [said for asked, told, said in heard if asked > since + pauses.allowed and told < until - pauses.longest]
        assert set(late) <= {is_there}
    assert {said for _, _, said in heard} == {True, False}
    assert len(heard) > 20
