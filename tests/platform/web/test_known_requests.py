"""Requests that were answered from a cache before find their response by their bytes, and no rule is lost by it."""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from server import graphql_endpoint
from server.pages.rendering import RenderedPages
from server.platform.core.db import Sessions
from server.platform.gql import requests
from server.platform.web.known_requests import KnownRequests
from server.platform.web.load_shedding import MAX_BESIDE_QUEUES, MAX_FROM_MEMORY, ConcurrencyLimiter
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import PORT, Storefront, catch_up, client_of, open_storefront
from tests.platform.web.limited_app import COOKIE, Kitchen, settled, token, until, visitors

LIST = {"query": "{ products(first: 5) { nodes { name price } } }"}
GZIP, PLAIN = {"accept-encoding": "gzip"}, {"accept-encoding": "identity"}


@pytest.fixture
async def storefront(
    database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Storefront]:
    monkeypatch.setattr("server.platform.pages.renderer.LONGEST_SECONDS", 20.0)
    async with open_storefront(database_url, sessions, tmp_path, catches_up=False) as storefront:
        yield storefront


@pytest.fixture
async def visitor(storefront: Storefront, session: AsyncSession) -> AsyncIterator[httpx.AsyncClient]:
    """Asks the app as it is served, behind its load shedding. There is one product."""
    await put_on_offer(session)
    await catch_up(storefront.app)
    shop = storefront.app.state.shop
    async with client_of(ConcurrencyLimiter(storefront.app, shop.visitors, shop.known)) as client:
        yield client


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was parsed of requests: the documents of /graphql, and addresses of pages."""
    seen: list[str] = []
    read, page = requests.read_parameters, RenderedPages.page

    def counted(payload: dict[str, Any], *also: Any) -> Any:
        seen.append(payload["query"])
        return read(payload, *also)

    async def drawn(pages: RenderedPages, url: str, context: Any) -> Any:
        seen.append(url)
        return await page(pages, url, context)

    monkeypatch.setattr(graphql_endpoint, "read_parameters", counted)
    monkeypatch.setattr(RenderedPages, "page", drawn)
    return seen


def told(response: httpx.Response) -> tuple[int, dict[str, str], str]:
    """All of a response but what is another each time."""
    headers = {name: value for name, value in response.headers.items() if name != "x-request-id"}
    assert len(response.headers["x-request-id"]) == 32
    return response.status_code, headers, response.text


@pytest.mark.parametrize("coding", [GZIP, PLAIN])
async def test_who_asks_the_same_again_gets_the_same_without_its_being_parsed(
    visitor: httpx.AsyncClient, parsed: list[str], coding: dict[str, str]
) -> None:
    lists = [await visitor.post("/graphql", json=LIST, headers=coding) for _ in range(3)]
    pages = [await visitor.get("/category/men/shirts?utm_source=mail", headers=coding) for _ in range(3)]

    first_list, first_page, *rest = told(lists[0]), told(pages[0]), *map(told, lists[1:]), *map(told, pages[1:])
    assert rest == [first_list] * 2 + [first_page] * 2
    assert json.loads(first_list[2])["data"]["products"]["nodes"][0]["name"] == "Oxford Shirt"
    assert first_list[1]["cache-control"] == first_page[1]["cache-control"] == "public, no-cache"
    assert "Oxford Shirt" in first_page[2]
    assert first_page[1]["content-security-policy"].startswith("default-src 'self'; script-src")
    # The page's own queries are not asked by a body.
    assert [each for each in parsed if each.startswith("/")] == ["/category/men/shirts"]
    assert len(parsed) == 2


@pytest.mark.parametrize("coding", [GZIP, PLAIN])
async def test_repeated_form_is_not_rendered_anew_and_stays_private(
    visitor: httpx.AsyncClient, parsed: list[str], coding: dict[str, str]
) -> None:
    first, *rest = [told(await visitor.get("/signin?utm_source=mail", headers=coding)) for _ in range(3)]

    assert rest == [first] * 2
    assert first[1]["cache-control"] == "private, no-cache"
    assert parsed == ["/signin?utm_source=mail"]


GRAPHQL_JSON = "application/graphql-response+json"


async def test_a_repeated_get_is_known_by_its_url_and_by_what_it_accepts(
    visitor: httpx.AsyncClient, parsed: list[str]
) -> None:
    answers = [
        await visitor.get("/graphql", params=LIST, headers={"accept": accept})
        for accept in (GRAPHQL_JSON, "application/json")
        for _ in range(2)
    ]
    from_elsewhere = await visitor.get("/graphql", params=LIST, headers={"sec-fetch-site": "cross-site"})

    assert [each.headers["content-type"] for each in answers] == [GRAPHQL_JSON] * 2 + ["application/json"] * 2
    assert len({each.text for each in answers}) == 1
    assert answers[0].json()["data"]["products"]["nodes"][0]["name"] == "Oxford Shirt"
    assert {each.headers["cache-control"] for each in answers} == {"public, no-cache"}
    assert len(parsed) == 2
    assert from_elsewhere.status_code == 403


async def test_a_change_is_in_the_next_answer(
    storefront: Storefront, visitor: httpx.AsyncClient, session: AsyncSession
) -> None:
    before = [(await visitor.post("/graphql", json=LIST)).text for _ in range(2)]
    page_before = [(await visitor.get("/category/men/shirts")).text for _ in range(2)]
    await session.execute(text("UPDATE products SET name = 'Poplin Shirt'"))
    await session.commit()
    await catch_up(storefront.app)

    after = [(await visitor.post("/graphql", json=LIST)).text for _ in range(2)]
    page_after = [(await visitor.get("/category/men/shirts")).text for _ in range(2)]

    assert ["Poplin Shirt" in each for each in before + page_before] == [False] * 4
    assert ["Poplin Shirt" in each for each in after + page_after] == [True] * 4


async def test_a_known_request_keeps_to_every_rule(
    visitor: httpx.AsyncClient, parsed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        await visitor.post("/graphql", json=LIST)
        await visitor.get("/about")
    capsys.readouterr()
    parsed.clear()

    elsewhere = [
        await visitor.post("/graphql", json=LIST, headers={"host": "evil.test"}),
        await visitor.get("/about", headers={"host": "evil.test"}),
    ]
    from_elsewhere = await visitor.post("/graphql", json=LIST, headers={"sec-fetch-site": "cross-site"})
    form = await visitor.post("/graphql", content=json.dumps(LIST), headers={"content-type": "text/plain"})
    response = await visitor.post("/graphql", json=LIST)

    logged = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"request"' in line]
    assert [each.status_code for each in (*elsewhere, from_elsewhere, form, response)] == [421, 421, 403, 400, 200]
    assert [(each["path"], each["status"]) for each in logged] == [
        ("/graphql", 421),
        ("/about", 421),
        ("/graphql", 403),
        ("/graphql", 400),
        ("/graphql", 200),
    ]
    assert logged[-1]["request_id"] == response.headers["x-request-id"]
    assert response.headers["x-content-type-options"] == "nosniff"
    assert parsed == []


async def test_a_session_is_looked_up_each_time(visitor: httpx.AsyncClient, parsed: list[str]) -> None:
    cookie = {"cookie": f"accessToken-{PORT}=nobody"}
    for _ in range(2):
        await visitor.post("/graphql", json=LIST)
    answers = [await visitor.post("/graphql", json=LIST, headers=cookie) for _ in range(2)]

    assert all(f'accessToken-{PORT}=""' in each.headers["set-cookie"] for each in answers)
    assert [each.headers["cache-control"] for each in answers] == ["no-store"] * 2
    assert len(parsed) == 3


def known_to(address: str) -> KnownRequests:
    known_requests = KnownRequests("accessToken")
    scope = {"type": "http", "method": "GET", "path": address, "query_string": b"", "headers": []}
    known_requests.remember(scope, b"", lambda: PlainTextResponse("known"))
    return known_requests


def test_requests_that_differ_anywhere_are_told_apart() -> None:
    known_requests = KnownRequests("accessToken")
    base = {"type": "http", "method": "POST", "path": "/graphql", "query_string": b"", "headers": []}
    known_requests.remember(base, b"body", Response)

    others: list[tuple[dict[str, Any], bytes]] = [
        ({}, b"body "),
        ({"query_string": b"b"}, b"ody"),
        ({"headers": [(b"accept-encoding", b"gzip")]}, b"body"),
        ({"headers": [(b"accept", b"gzip")]}, b"body"),
        ({"headers": [(b"cookie", b"a=b; accessToken=c")]}, b"body"),
        ({"path": "/graphql/"}, b"body"),
        ({"method": "GET"}, b"body"),
        ({"method": "PUT"}, b"body"),
    ]
    assert known_requests.find(base, b"body") is Response
    assert [known_requests.find({**base, **changed}, body) for changed, body in others] == [None] * len(others)


async def kitchen_or_known(kitchen: Kitchen, scope: Scope, receive: Receive, send: Send) -> None:
    await scope.get("known_response", kitchen)(scope, receive, send)


@pytest.mark.parametrize(("others", "most"), [(0, MAX_FROM_MEMORY), (2, MAX_BESIDE_QUEUES)])
async def test_only_some_known_responses_skip_the_queue_in_one_iteration(others: int, most: int) -> None:
    kitchen, count, skipped = Kitchen(), 3 * MAX_FROM_MEMORY, []
    app = partial(kitchen_or_known, kitchen)
    limiter = ConcurrencyLimiter(app, visitors(), known_to("/known"), max_concurrent=2, read_queue_timeout=60)
    may_skip = limiter._may_skip_slot
    limiter._may_skip_slot = lambda: skipped.append(may_skip()) or skipped[-1]  # type: ignore[method-assign,func-returns-value]
    scope = {"type": "http", "method": "GET", "query_string": b"", "headers": [], "client": ("::1", 1)}

    async def sent(_message: Any) -> None:
        return None

    def ask(path: str) -> asyncio.Task[None]:
        return asyncio.create_task(limiter({**scope, "path": path}, _nothing, sent))

    waiting = [ask("/") for _ in range(others)]
    await settled()
    known_tasks = [ask("/known") for _ in range(count)]
    await settled()
    kitchen.doors.set()
    await asyncio.gather(*waiting, *known_tasks)

    assert len(skipped) == count
    assert skipped.count(True) == most


async def _nothing() -> Any:
    return {"type": "http.request"}


@pytest.mark.parametrize(
    ("who", "waits"),
    [
        ("buyer0 buyer1 buyer2 buyer3", True),
        ("buyer0 nobody nobody nobody", True),
        ("nobody nobody nobody nobody", False),
    ],
    ids=["behind buyers", "beside a buyer who is served", "behind others"],
)
async def test_a_known_request_waits_where_buyers_do_or_are_served_beside_a_queue(who: str, waits: bool) -> None:
    kitchen = Kitchen()
    app = partial(kitchen_or_known, kitchen)
    limiter = ConcurrencyLimiter(app, visitors(), known_to("/known"), max_concurrent=2, read_queue_timeout=60)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(limiter), base_url="http://localhost") as client:
        headers = {"accept-encoding": ""}
        at_once = await client.get("/known", headers=headers)
        # Who is known counts as what he is, however idle the shop.
        await limiter._visitors._sessions.session(token("buyer0"))
        others = []
        for name in who.split():
            cookie = {"cookie": f"{COOKIE}={token(name)}"}
            others.append(asyncio.create_task(client.get("/", headers=headers | cookie)))
            await settled()
        await until(lambda: sum(map(len, limiter._queues.values())) + kitchen.inside == len(others))
        task = asyncio.create_task(client.get("/known", headers=headers))
        await settled()
        was_done = task.done()
        kitchen.doors.set()
        answers = await asyncio.gather(task, *others)

    assert at_once.text == "known"
    assert was_done is not waits
    assert [each.status_code for each in answers] == [200] * 5
    assert answers[0].text == "known"
