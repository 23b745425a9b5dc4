"""Session fixation, theft and replay, tried through every way to sign in."""

from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from server.app import create_app
from server.config import Settings
from server.identity import sessions as sessions_of_identity
from server.identity.models import Session, User
from server.identity.passwords import PasswordHashing
from server.platform.core.db import Sessions, begin
from tests.api.conftest import Shop, client_of
from tests.api.inputs import PASSWORD

ANN = "ann@minimal.test"
PLANTED = "planted-by-somebody-else-before-she-signed-in"
PROFILE = "/api/user/profile"
SIGN_IN = f'mutation {{ signIn(email: "{ANN}", password: "{PASSWORD}") {{ __typename }} }}'
SIGN_UP = f'mutation {{ signUp(name: "Bea New", email: "bea@minimal.test", password: "{PASSWORD}") {{ __typename }} }}'
ENTRANCES: dict[str, tuple[str, dict[str, Any]]] = {
    "REST sign-in": ("/api/auth/signin", {"email": ANN, "password": PASSWORD}),
    "REST sign-up": ("/api/auth/signup", {"name": "Bea New", "email": "bea@minimal.test", "password": PASSWORD}),
    "GraphQL sign-in": ("/graphql", {"query": SIGN_IN}),
    "GraphQL sign-up": ("/graphql", {"query": SIGN_UP}),
}


@pytest.fixture
async def ann(shop: Shop) -> None:
    """An account with a password."""
    hashed = await PasswordHashing().hash(PASSWORD)
    async with begin(shop.sessions) as session:
        session.add(User(email=ANN, name="Ann Shopper", password_hash=hashed))


async def enter(shop: Shop, entrance: str, had: str | None) -> str:
    """Returns the token that the browser has afterwards; `had` is the one before."""
    client = client_of(shop.app, had)
    path, body = ENTRANCES[entrance]
    answer = await client.post(path, json=body)
    assert answer.status_code in (200, 201)
    [token] = [
        cookie.value for cookie in client.cookies.jar if cookie.name == "accessToken-23200" and cookie.value != had
    ]
    assert token
    return token


async def is_signed_in(shop: Shop, token: str) -> bool:
    return (await client_of(shop.app, token).get(PROFILE)).status_code == 200


@pytest.mark.parametrize("entrance", ENTRANCES)
async def test_a_token_planted_beforehand_never_becomes_a_session(shop: Shop, ann: None, entrance: str) -> None:
    token = await enter(shop, entrance, PLANTED)

    assert token != PLANTED
    assert not await is_signed_in(shop, PLANTED)
    assert await is_signed_in(shop, token)


async def test_an_entrance_that_keeps_the_browsers_token_is_found(
    shop: Shop, ann: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions_of_identity, "new_token", lambda: PLANTED)

    answer = await client_of(shop.app, PLANTED).post("/api/auth/signin", json={"email": ANN, "password": PASSWORD})

    assert answer.status_code == 200
    assert await is_signed_in(shop, PLANTED)


@pytest.mark.parametrize("entrance", ["REST sign-in", "GraphQL sign-in"])
async def test_a_session_that_was_somebody_elses_ends_when_she_signs_in_over_it(
    shop: Shop, ann: None, entrance: str
) -> None:
    planted = shop.clients["other"].cookies["accessToken-23200"]

    token = await enter(shop, entrance, planted)

    assert token != planted
    assert not await is_signed_in(shop, planted)


async def test_a_kept_cookie_opens_nothing_after_signing_out(shop: Shop, ann: None) -> None:
    token = await enter(shop, "REST sign-in", None)
    await client_of(shop.app, token).post("/api/auth/logout", json={})

    assert not await is_signed_in(shop, token)


async def test_a_kept_cookie_opens_nothing_after_a_new_password_wherever_it_was_set(shop: Shop, ann: None) -> None:
    here, elsewhere = await enter(shop, "REST sign-in", None), await enter(shop, "GraphQL sign-in", None)

    answer = await client_of(shop.app, here).put(PROFILE, json={"password": "Denim&Jacket5!"})

    assert answer.status_code == 200
    assert [await is_signed_in(shop, token) for token in (here, elsewhere)] == [False, False]


async def test_a_session_ends_24_hours_after_it_began_however_much_it_is_used(shop: Shop, ann: None) -> None:
    token = await enter(shop, "REST sign-in", None)

    await move_clock(shop.sessions, timedelta(hours=23, minutes=59))
    used = [await is_signed_in(shop, token) for _ in range(3)]
    await move_clock(shop.sessions, timedelta(minutes=1))
    after = await is_signed_in(shop, token)

    assert (used, after) == ([True] * 3, False)


async def move_clock(sessions: Sessions, by: timedelta) -> None:
    """As if so much time had passed since everything that a session knows."""
    moved = {name: getattr(Session, name) - by for name in ("created_at", "last_seen_at", "expires_at")}
    async with begin(sessions) as session:
        await session.execute(update(Session).values(**moved))


async def test_a_demoted_admins_next_call_is_refused(shop: Shop) -> None:
    admin = shop.clients["admin"]
    before = [(await admin.get(path)).status_code for path in ("/api/user", "/exports/products.csv")]

    answer = await shop.clients["primary"].put(f"/api/user/{shop.people.admin}/toggle-admin", json={})
    after = [(await admin.get(path)).status_code for path in ("/api/user", "/exports/products.csv")]
    response = await admin.post("/graphql", json={"query": "{ admin { carriers } }"})
    done = await admin.post("/graphql", json={"query": 'mutation { deactivateDiscountCode(code: "X") { code } }'})

    assert (answer.json(), before, after) == ({"role": "user"}, [200, 200], [403, 403])
    assert response.json()["data"] == {"admin": None}
    assert done.json()["errors"][0]["extensions"]["code"] == "FORBIDDEN"


@pytest.mark.parametrize(
    ("public_url", "name", "is_secure"),
    [("http://localhost:23200", "accessToken-23200", False), ("https://minimal.example", "__Host-accessToken", True)],
)
async def test_the_cookie_is_for_this_shop_alone_and_not_for_scripts(
    database_url: str, sessions: Sessions, public_url: str, name: str, is_secure: bool
) -> None:
    hashed = await PasswordHashing().hash(PASSWORD)
    async with begin(sessions) as session:
        session.add(User(email=ANN, name="Ann Shopper", password_hash=hashed))
    app = create_app(Settings(_env_file=None, public_url=public_url, database_url=database_url))  # type: ignore[call-arg]
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=public_url) as client:
        answer = await client.post(
            "/api/auth/signin", json={"email": ANN, "password": PASSWORD}, headers={"sec-fetch-site": "same-origin"}
        )
    await app.state.shop.engine.dispose()

    [cookie] = [each for each in answer.headers.get_list("set-cookie") if each.startswith(f"{name}=")]
    flags = {flag.strip().lower() for flag in cookie.split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/", "max-age=86400"} <= flags
    assert ("secure" in flags) is is_secure
    assert not any(flag.startswith("domain") for flag in flags)


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
async def test_no_address_in_a_query_leads_away_from_the_shop(shop: Shop, target: str) -> None:
    names = ("redirect", "next", "return", "returnTo", "return_url", "url", "continue", "to")
    query = "&".join(f"{name}={target}" for name in names) + "&action=addToCart"

    for role in ("visitor", "shopper"):
        for path in ("/signin", "/signup", "/", "/payment/return", "/unsubscribe"):
            answer = await shop.clients[role].get(f"{path}?{query}")
            assert answer.headers.get("location", "/") == "/"
