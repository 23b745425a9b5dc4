"""Cross-site request forgery: requests that another site's page can cause with the shop's cookie change nothing."""

import json
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import product
from types import MethodType
from typing import Any, cast
from urllib.parse import parse_qsl

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine
from starlette.routing import WebSocketRoute
from starlette.types import Message
from stripe._http_client import HTTPClient

from server import wiring
from server.platform.core import security
from tests.api.conftest import ADDRESS, Shop
from tests.api.inputs import PASSWORD, PIXEL, PRODUCT
from tests.attacks.cookies import cookies_of
from tests.attacks.world import World

ORIGINS = (
    None,
    "http://localhost:23200",
    "http://127.0.0.1:23200",
    "http://LOCALHOST:23200",
    "https://localhost:23200",
    "http://localhost:23201",
    "http://localhost",
    "http://localhost:23200.evil.example",
    "http://evil.example",
    "http://evil.example#http://localhost:23200",
    "null",
    "",
)
OWN = ORIGINS[1:4]
SITES = (None, "same-origin", "same-site", "cross-site", "none", "", "Same-Origin", "same-origin, cross-site")
JSON = "application/json"
TYPES = (
    JSON,
    "application/json; charset=utf-8",
    None,
    "",
    "text/plain",
    "text/plain; application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=b",
    "application/jsonp",
    "application/graphql",
)
WRITING = ("INSERT", "UPDATE", "DELETE", "WITH ")
WRITING_FUNCTIONS = ("add_cart_line(",)
"""Called by a SELECT."""


@dataclass(frozen=True)
class Write:
    """A request that changes something when its own shop's page sends it."""

    role: str
    method: str
    path: str
    body: Any = None
    raw: bytes | None = None

    @property
    def content(self) -> bytes | None:
        return self.raw if self.body is None else json.dumps(self.body).encode()

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def graphql(role: str, document: str) -> Write:
    return Write(role, "POST", "/graphql", {"query": document})


def writes(world: World) -> dict[str, Write]:
    """Every route that writes by its name, and mutations for every kind of caller."""
    people, own = world.shop.people, world.shopper
    sign_up = {"name": "Ada Lovelace", "email": "new@b.co", "password": PASSWORD}
    return {
        "POST /auth/signin": Write("visitor", "POST", "/api/auth/signin", {"email": "a@b.co", "password": PASSWORD}),
        "POST /auth/signup": Write("visitor", "POST", "/api/auth/signup", sign_up),
        "POST /auth/google": Write("visitor", "POST", "/api/auth/google", {"token": "made-up"}),
        "POST /auth/logout": Write("other", "POST", "/api/auth/logout", {}),
        "POST /auth/forgot-password": Write("visitor", "POST", "/api/auth/forgot-password", {"email": "a@b.co"}),
        "POST /auth/reset-password": Write(
            "visitor", "POST", "/api/auth/reset-password", {"resetToken": "x", "newPassword": PASSWORD}
        ),
        "PUT /user/profile": Write("shopper", "PUT", "/api/user/profile", {"name": "Ada King"}),
        "POST /user/request-admin-access": Write("shopper", "POST", "/api/user/request-admin-access", {}),
        "POST /user/address": Write("shopper", "POST", "/api/user/address", ADDRESS),
        "PUT /user/address/{id}": Write("shopper", "PUT", f"/api/user/address/{own.address}", ADDRESS),
        "DELETE /user/address/{id}": Write("shopper", "DELETE", f"/api/user/address/{own.spare_address}"),
        "POST /cart": Write("shopper", "POST", "/api/cart", {"productId": str(people.product), "quantity": 1}),
        "POST /product": Write("primary", "POST", "/api/product", PRODUCT),
        "POST /user/{id}/reject-admin": Write("primary", "POST", f"/api/user/{people.shopper}/reject-admin", {}),
        "PUT /user/{id}/toggle-admin": Write("primary", "PUT", f"/api/user/{people.shopper}/toggle-admin", {}),
        "POST /payment/create-checkout-session": Write("shopper", "POST", "/api/payment/create-checkout-session", {}),
        "POST /payment/checkout-success": Write(
            "shopper", "POST", "/api/payment/checkout-success", {"session_id": own.checkout}
        ),
        "POST /uploads/images": Write("admin", "POST", "/uploads/images", raw=PIXEL),
        "POST /uploads/images/signed": Write("admin", "POST", "/uploads/images/signed", {"size": 1}),
        "POST /uploads/images/signed/{id}": Write("admin", "POST", f"/uploads/images/signed/{own.user}", {}),
        "POST /uploads/products": Write("admin", "POST", "/uploads/products?name=a.csv", raw=b"sku,stock\n"),
        "POST /events": Write(
            "shopper",
            "POST",
            "/events",
            {"visit": str(own.user), "events": [{"kind": "viewed", "products": [str(people.product)]}]},
        ),
        "POST /unsubscribe": Write("shopper", "POST", "/unsubscribe?token=made-up", raw=b"List-Unsubscribe=One-Click"),
        "POST /unsubscribe/link": Write("visitor", "POST", "/unsubscribe/link", raw=b"email=a%40b.co"),
        "a visitor's mutation": graphql("visitor", 'mutation { forgotPassword(email: "a@b.co") { __typename } }'),
        "a shopper's mutation": graphql("shopper", "mutation { requestAdminAccess { id } }"),
        "an admin's mutation": graphql("admin", 'mutation { deactivateDiscountCode(code: "SPRING10") { code } }'),
        "an owner's mutation": graphql(
            "primary", 'mutation { updateSettings(input: { seller: "Evil" }) { __typename } }'
        ),
        # What takes away what the others need comes last.
        "PUT /cart/{id}": Write("shopper", "PUT", f"/api/cart/{people.variants[0]}", {"quantity": 3}),
        "DELETE /cart/{id}": Write("shopper", "DELETE", f"/api/cart/{people.variants[0]}"),
        "DELETE /product/{id}": Write("primary", "DELETE", f"/api/product/{people.product}"),
        "DELETE /user/{id}": Write("primary", "DELETE", f"/api/user/{people.admin}"),
    }


LOOK_FIRST = {
    *("POST /payment/create-checkout-session", "POST /payment/checkout-success", "POST /unsubscribe"),
    "POST /uploads/images/signed",
}
"""These write once they have found what they were told of, or the payment provider has answered, or in a bucket."""
BY_SIGNATURE = {"POST /payment/webhook"}
"""Comes from another site by its nature, and is believed for its signature."""


@dataclass(frozen=True)
class Envelope:
    """What a browser says of where a request comes from and what is in it."""

    origin: str | None
    site: str | None
    type: str | None = JSON

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        said = {b"origin": self.origin, b"sec-fetch-site": self.site, b"content-type": self.type}
        return [(name, value.encode()) for name, value in said.items() if value is not None]

    @property
    def is_own(self) -> bool:
        """From a page of the shop, by the browser's word or by its origin; or from no page, by the browser's word."""
        if self.site is None:
            return self.origin in OWN
        return self.site == "same-origin" or (self.site == "none" and self.origin is None)

    def may(self, write: Write) -> bool:
        any_type = write.path.partition("?")[0] in wiring.RAW_BODIES
        is_empty = write.content is None and write.method != "POST"
        return self.is_own and (any_type or is_empty or self.type in TYPES[:2])


ENVELOPES = [Envelope(*each) for each in product(ORIGINS, SITES, TYPES)]
FROM_EVIL = Envelope("https://evil.example", "cross-site", "text/plain")


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    reads: int
    writes: int


_heard: ContextVar[list[str]] = ContextVar("heard")
"""Statements of the request under way; what the shop does in the background is in another context."""


@pytest.fixture(autouse=True)
def listening() -> Iterator[None]:
    def hear(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        _heard.get([]).append(statement.strip())

    event.listen(Engine, "before_cursor_execute", hear)
    yield
    event.remove(Engine, "before_cursor_execute", hear)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no payment provider here, and waiting for it would tell nothing."""
    monkeypatch.setattr(HTTPClient, "INITIAL_DELAY", 0)
    monkeypatch.setattr(HTTPClient, "MAX_DELAY", 0)


async def send(shop: Shop, write: Write, envelope: Envelope) -> Answer:
    """As a browser with cookies sends it, without a client in between that would mend the headers."""
    path, _, query = write.path.partition("?")
    content = write.content or b""
    headers = [(b"host", b"localhost:23200"), (b"cookie", cookies_of(shop, write.role)), *envelope.headers]
    if content:
        headers.append((b"content-length", str(len(content)).encode()))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "root_path": "",
        "method": write.method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": headers,
        "client": ("127.0.0.1", 50_000),
        "server": ("localhost", 23_200),
    }
    came = iter([{"type": "http.request", "body": content, "more_body": False}])
    sent: list[Message] = []

    async def receive() -> Message:
        return next(came, {"type": "http.disconnect"})

    async def take(message: Message) -> None:
        sent.append(message)

    heard: list[str] = []
    token = _heard.set(heard)
    await shop.app(scope, receive, take)
    _heard.reset(token)
    own = [each for each in heard if "FROM sessions JOIN users" not in each]
    writes = [each for each in own if each.startswith(WRITING) or any(name in each for name in WRITING_FUNCTIONS)]
    return Answer(
        status=sent[0]["status"],
        headers={name.decode(): value.decode() for name, value in sent[0]["headers"]},
        reads=len(heard) - len(writes),
        writes=len(writes),
    )


def test_every_route_that_writes_is_tried(world: World) -> None:
    declared = {route.name for route in (*wiring.API_ROUTES, *wiring.OTHER_ROUTES)}
    exempt = {route.name for route in wiring.API_ROUTES if getattr(route, "cross_site", False)}

    tried = {name for name in writes(world) if name.partition(" ")[2].startswith("/")}

    assert tried == {name for name in declared if not name.startswith("GET ")} - BY_SIGNATURE
    assert exempt == BY_SIGNATURE


async def test_no_other_site_writes_whatever_it_sends(world: World, subtests: pytest.Subtests) -> None:
    before = await world.shop.snapshot()
    for name, write in writes(world).items():
        with subtests.test(name):
            foreign = [each for each in ENVELOPES if not each.may(write)]

            answers = [await send(world.shop, write, each) for each in foreign]

            assert len(foreign) > 500
            assert {answer.status for answer in answers} <= {400, 403}
            assert {answer.reads + answer.writes for answer in answers} == {0}
            assert not any(name.startswith("access-control") for answer in answers for name in answer.headers)
    assert await world.shop.snapshot() == before


async def test_the_shops_own_pages_are_let_through(world: World) -> None:
    write = writes(world)["a visitor's mutation"]

    answers = [await send(world.shop, write, each) for each in ENVELOPES if each.may(write)]

    assert len(answers) == 2 * (len(OWN) + len(ORIGINS) + 1)
    assert {answer.status for answer in answers} == {200}
    assert all(answer.writes for answer in answers)


async def test_without_the_guard_each_of_them_writes(
    world: World, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.setattr(security, "is_same_site", lambda *_: True)
    monkeypatch.setattr(security, "is_json", lambda _: True)

    for name, write in writes(world).items():
        with subtests.test(name):
            answer = await send(world.shop, write, FROM_EVIL)

            assert answer.writes or (name in LOOK_FIRST and answer.reads), answer


LOGGED_READS = ("/exports/", "/invoice.pdf", "/packing-slip.pdf", "/address-label.pdf")
"""What an admin takes out of the shop stands in the audit log, whichever page asked for it; nothing else is written."""


async def test_a_get_writes_nothing_but_who_read(world: World, subtests: pytest.Subtests) -> None:
    before = await world.shop.snapshot()
    for path in reads(world):
        for method in ("GET", "HEAD", "OPTIONS"):
            with subtests.test(f"{method} {path}"):
                answer = await send(world.shop, Write("primary", method, path), Envelope(None, "cross-site", None))

                assert answer.writes == 0 or any(part in path for part in LOGGED_READS)
                assert answer.status < 500
                assert not any(name.startswith("access-control") for name in answer.headers)
    after = await world.shop.snapshot()
    assert {name for name in after if after[name] != before[name]} == {"audit_entries"}


def reads(world: World) -> Iterator[str]:
    """Every route that is read, screens, and mutations that try to be read."""
    mutation = 'mutation{deactivateDiscountCode(code:"SPRING10"){code}}'
    for route in wiring.API_ROUTES:
        if route.name.startswith("GET "):
            yield f"/api{route.path}".replace("{id}", str(world.shop.people.product)).format(
                category="men", subcategory="shirts"
            )
    yield from (route.path.format(id=world.shopper.order, file="900.webp") for route in wiring.OTHER_ROUTES)
    yield from ("/", "/signin", "/cart", f"/product/{world.shop.people.product}", "/sitemap.xml", "/graphiql")
    yield "/schema.graphql"
    yield from (
        f"/graphql?query={mutation}",
        f"/api/graphql?query={mutation}",
        "/api/auth/logout",
        "/unsubscribe?token=x",
    )


QUERIES = ("{viewer{name}}", "{shop{name}}", "{products{totalCount}}", "{admin{users{totalCount}}}", "")
HTML = "text/html,*/*;q=0.8"


async def test_no_other_sites_page_reads_by_a_query_in_a_url(world: World) -> None:
    """Its answer would be unreadable there, but its time and its cost would not."""
    foreign = [each for each in ENVELOPES if not each.is_own]
    reads = [Write("primary", method, f"/graphql?query={query}") for method in ("GET", "HEAD") for query in QUERIES]

    answers = [await send(world.shop, read, each) for read in reads for each in foreign]

    assert len(answers) > 1_000
    assert {answer.status for answer in answers} == {403}
    assert {answer.reads + answer.writes for answer in answers} == {0}


async def test_the_shops_own_pages_read_by_a_query_in_a_url(world: World) -> None:
    read = Write("primary", "GET", "/graphql?query={viewer{name}}")

    answers = [await send(world.shop, read, each) for each in ENVELOPES if each.is_own]

    assert {answer.status for answer in answers} == {200}
    assert not any(answer.writes for answer in answers)


async def test_a_link_of_another_site_leads_to_graphiql_and_executes_nothing(world: World) -> None:
    headers = {"accept": HTML, "sec-fetch-site": "cross-site"}

    for query in QUERIES:
        answer = await world.shop.clients["primary"].get(f"/graphql?query={query}", headers=headers)

        page, _, fragment = answer.headers["location"].partition("#")
        assert (answer.status_code, page) == (302, "/graphiql")
        assert dict(parse_qsl(fragment)) == ({"query": query} if query else {})


async def test_without_the_guard_another_sites_page_reads_by_a_url(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "is_same_site", lambda *_: True)

    answer = await send(world.shop, Write("primary", "GET", "/graphql?query={admin{users{totalCount}}}"), FROM_EVIL)

    assert answer.status == 200
    assert answer.reads


async def test_no_other_sites_page_opens_a_socket(world: World) -> None:
    for envelope in (Envelope(origin, site, None) for origin, site in product(ORIGINS, SITES)):
        assert await opens(world.shop, envelope) is envelope.is_own, envelope


async def test_without_both_its_guards_another_sites_page_opens_a_socket(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    evil = Envelope("https://evil.example", "cross-site", None)
    [endpoint] = [route.endpoint for route in world.shop.app.routes if isinstance(route, WebSocketRoute)]
    protocol = vars(cast(MethodType, endpoint).__self__)["_protocol"]
    monkeypatch.setattr(security, "is_same_site", lambda *_: True)
    with_one = await opens(world.shop, evil)
    monkeypatch.setattr(protocol, "allowed_origins", [evil.origin])
    with_none = await opens(world.shop, evil)

    assert (with_one, with_none) == (False, True)


async def opens(shop: Shop, envelope: Envelope) -> bool:
    """Whether an admin's browser gets a connection."""
    scope = {
        "type": "websocket",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "ws",
        "root_path": "",
        "path": "/graphql",
        "raw_path": b"/graphql",
        "query_string": b"",
        "subprotocols": ["graphql-transport-ws"],
        "client": ("127.0.0.1", 50_000),
        "server": ("localhost", 23_200),
        "headers": [(b"host", b"localhost:23200"), (b"cookie", cookies_of(shop, "admin")), *envelope.headers],
    }
    came = iter([{"type": "websocket.connect"}])
    sent: list[str] = []

    async def receive() -> Message:
        return next(came, {"type": "websocket.disconnect", "code": 1001})

    async def take(message: Message) -> None:
        sent.append(message["type"])

    await shop.app(scope, receive, take)
    return sent[0] == "websocket.accept"
