"""Reports wait for each other, and nobody else waits for them."""

import asyncio

import httpx
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from server.analytics.reports.pool import Warehouse
from server.core.admission import Admission


async def test_reports_that_wait_for_each_other_keep_nobody_out_of_the_shop(database_url: str) -> None:
    warehouse, begun, over = Warehouse(database_url), asyncio.Event(), asyncio.Event()

    async def shop(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/report":
            async with warehouse.snapshot():
                begun.set()
                await over.wait()
        await PlainTextResponse("Here")(scope, receive, send)

    door = Admission(shop, most_at_once=1, patience=0.2)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(door), base_url="http://shop.test") as visitor:
        reports = [asyncio.create_task(visitor.get("/report")) for _ in range(3)]
        await begun.wait()
        page = await visitor.get("/")
        over.set()
        answers = await asyncio.gather(*reports)
    await warehouse.close()

    assert page.status_code == 200
    assert [answer.status_code for answer in answers] == [200, 200, 200]
