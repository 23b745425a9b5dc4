"""DNS rebinding: requests under another site's name that points to this machine are refused."""

import httpx
import pytest
from starlette.types import Message

from server.identity.models import User
from server.identity.passwords import PasswordHashing
from server.platform.core.db import begin
from server.platform.web.hosts import AllowedHosts
from tests.api.conftest import Shop
from tests.api.inputs import PASSWORD
from tests.attacks.cookies import cookies_of

ANN = "ann@minimal.test"
EVIL = "evil.example:23200"
REBOUND = {"host": EVIL, "origin": f"http://{EVIL}", "sec-fetch-site": "same-origin"}


async def attack(shop: Shop) -> dict[str, httpx.Response]:
    """Signs in, reads and writes as the browser does for that page."""
    async with begin(shop.sessions) as session:
        session.add(User(email=ANN, name="Ann", password_hash=await PasswordHashing().hash(PASSWORD)))
    visitor, shopper = shop.clients["visitor"], shop.clients["shopper"]
    credentials = {"email": ANN, "password": PASSWORD}
    return {
        "sign in": await visitor.post("/api/auth/signin", json=credentials, headers=REBOUND),
        "read": await shopper.get("/api/user/profile", headers=REBOUND),
        "ask": await shopper.post("/graphql", json={"query": "{ viewer { email } }"}, headers=REBOUND),
        "page": await visitor.get("/", headers=REBOUND),
        "picture": await visitor.get("/images/x/400.avif", headers=REBOUND),
    }


@pytest.mark.spec("guards.host")
async def test_a_rebound_name_is_sent_to_the_shops_own(shop: Shop) -> None:
    answers = await attack(shop)

    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(answers, 421)
    assert answers["sign in"].json() == {"message": "This shop is at http://localhost:23200."}
    assert not any("set-cookie" in answer.headers for answer in answers.values())


async def test_without_a_look_at_the_host_a_rebound_name_signs_in(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AllowedHosts, "_refusal", lambda *_: None)

    answers = await attack(shop)

    assert [answers[name].status_code for name in ("sign in", "read", "ask")] == [200, 200, 200]
    assert "accessToken-23200=" in answers["sign in"].headers["set-cookie"]


@pytest.mark.parametrize("extensions", [{}, {"websocket.http.response": {}}])
async def test_a_socket_is_not_opened_either(shop: Shop, extensions: dict[str, object]) -> None:
    headers = {"host": EVIL, "sec-fetch-site": "same-origin", "origin": "http://localhost:23200"}
    scope = {
        "type": "websocket",
        "path": "/graphql",
        "query_string": b"",
        "extensions": extensions,
        "client": ("127.0.0.1", 50_000),
        "headers": [(b"cookie", cookies_of(shop, "admin")), *((k.encode(), v.encode()) for k, v in headers.items())],
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def take(message: Message) -> None:
        sent.append(message)

    await shop.app(scope, receive, take)

    assert sent[0].get("status", sent[0].get("code")) == (421 if extensions else 1008)
