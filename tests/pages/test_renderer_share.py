"""Endless addresses, such as searches, have a share of the renderer and of the cache, and V8 a process of its own."""

import asyncio
import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.pages.rendering import MOST_ENDLESS
from server.platform.core.metrics import PAGES_UNDRAWN
from server.platform.pages.drawing_turns import DrawingTurns
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import Storefront, client_of
from tests.pages.drawn_pages import failures
from tests.platform.web.limited_app import settled

FLOOD = 60
UNDRAWN = '<div id="root"></div>'


def undrawn() -> float:
    [metric] = PAGES_UNDRAWN.collect()
    return next(sample.value for sample in metric.samples if sample.name.endswith("_total"))


async def test_a_product_is_drawn_before_a_flood_of_searches(
    storefront: Storefront, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    product = await put_on_offer(session)
    renderer = storefront.app.state.shop.pages.views.renderer
    await storefront.visitor.get("/about")
    expressions: list[str] = []
    waited_for: list[int] = []
    evaluate, ask = renderer._evaluate, renderer._send

    async def wanted(expression: str, **also: Any) -> Any:
        if f"/product/{product}" in expression:
            waited_for.append(len(expressions))
        return await evaluate(expression, **also)

    async def noted(expression: str) -> Any:
        if f"/product/{product}" in expression:
            waited_for[-1] = len(expressions) - waited_for[-1]
        expressions.append(expression)
        return await ask(expression)

    monkeypatch.setattr(renderer, "_evaluate", wanted)
    monkeypatch.setattr(renderer, "_send", noted)
    before = undrawn()

    async with client_of(storefront.app) as crowd:
        flood = [asyncio.create_task(crowd.get(f"/search?q=word{n}")) for n in range(FLOOD)]
        async with asyncio.timeout(60):
            while not expressions:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        page = await crowd.get(f"/product/{product}")
        searches: list[httpx.Response] = await asyncio.gather(*flood)

    assert UNDRAWN not in page.text
    # Of every four drawings one may be a search's.
    assert len(waited_for) >= 3
    assert max(waited_for) <= 1
    assert {each.status_code for each in searches} == {200}
    drawn = sum(UNDRAWN not in each.text for each in searches)
    assert MOST_ENDLESS <= drawn < FLOOD
    assert undrawn() - before == FLOOD - drawn
    assert failures(storefront) == 0


async def test_endless_addresses_are_cached_apart(storefront: Storefront, session: AsyncSession) -> None:
    product = await put_on_offer(session)
    views = storefront.app.state.shop.pages.views
    endless = ["/search?q=a", "/category/men/shirts?size=S", "/?quantity=3", f"/product/{uuid4()}", "/product/nothing"]
    endless += ["/signin?redirect=%2Fcart", "/pages/nothing"]
    own = ["/category/men/shirts", f"/product/{product}", "/?utm_source=mail", "/nowhere", "/signup"]

    for address in (*endless, *own):
        await storefront.visitor.get(address)

    assert len(views.endless_cache._entries) == len(endless)
    assert len(views.cache._entries) == len(own)


async def test_turns_go_to_the_shops_own_screens_and_every_fourth_to_an_endless_address() -> None:
    turns, order = DrawingTurns(), list[bool]()

    async def draw(*, is_endless: bool) -> None:
        async with turns.turn(is_endless=is_endless):
            order.append(is_endless)

    async with turns.turn(is_endless=False):
        waiting = [asyncio.create_task(draw(is_endless=each)) for each in [True] * 4 + [False] * 7]
        await settled()
    await asyncio.gather(*waiting)

    assert order == [False, False, False, True, False, False, False, True, False, True, True]
    async with asyncio.timeout(5), turns.turn(is_endless=False):
        pass


async def test_who_leaves_takes_nobodys_turn_to_be_drawn() -> None:
    turns = DrawingTurns()

    async def draw() -> None:
        async with turns.turn(is_endless=False):
            pass

    async with turns.turn(is_endless=False):
        leaver, stayer = asyncio.create_task(draw()), asyncio.create_task(draw())
        await settled()
        leaver.cancel()
    await stayer

    async with asyncio.timeout(5), turns.turn(is_endless=False):
        pass


async def test_v8_runs_in_a_process_that_ends_with_the_shops(storefront: Storefront) -> None:
    renderer = storefront.app.state.shop.pages.views.renderer
    await storefront.visitor.get("/about")
    of_renderer = f"/proc/{renderer.pid}"
    libraries, environment = (_read(f"{of_renderer}/{each}") for each in ("maps", "environ"))

    await renderer.close()

    assert "libmini_racer" in libraries
    assert "libmini_racer" not in _read("/proc/self/maps")
    assert "HOME=" in _read("/proc/self/environ")
    assert "HOME=" not in environment
    assert str(of_renderer.rpartition("/")[2]) not in os.listdir("/proc")
    assert UNDRAWN not in (await storefront.visitor.get("/terms")).text


def _read(path: str) -> str:
    return Path(path).read_text()
