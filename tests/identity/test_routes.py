"""The specification's account calls, through the whole app."""

from collections.abc import AsyncIterator, Callable
from itertools import product
from time import time
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update
from starlette.applications import Starlette

from server.app import create_app
from server.config import Settings
from server.identity import service as identity
from server.identity.errors import TAKEN, LinkExpired
from server.identity.gateway import GoogleVerifier
from server.identity.models import Address, User
from server.platform.core.db import Sessions, begin
from tests.blanks import ADDRESS_MISSING, BLANKS
from tests.identity.conftest import OTHER_PASSWORD, PASSWORD, MakeUser, Outbox, RunJobs, link_in
from tests.identity.google_keys import CLIENT_ID, Key, serving

HOME = {
    "name": "Ann Shopper",
    "address1": "1 High St",
    "address2": "",
    "city": "Leeds",
    "country": "United Kingdom",
    "postalCode": "LS1 4AP",
    "phone": "0113 496 0000",
    "isDefault": False,
}
Browser = Callable[[], httpx.AsyncClient]


@pytest.fixture
async def app(database_url: str) -> AsyncIterator[Starlette]:
    app = create_app(Settings(_env_file=None, port=22_500, database_url=database_url))  # type: ignore[call-arg]
    yield app
    await app.state.shop.engine.dispose()


@pytest.fixture
def browser(app: Starlette) -> Browser:
    """Makes browsers, each with cookies of its own."""

    def browser() -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url="http://localhost:22500/api",
            headers={"content-type": "application/json", "sec-fetch-site": "same-origin"},
        )

    return browser


async def signed_in(browser: Browser, email: str = "ann@minimal.test") -> httpx.AsyncClient:
    client = browser()
    answer = await client.post("/auth/signin", json={"email": email, "password": PASSWORD})
    assert answer.status_code == 200
    return client


@pytest.fixture
async def owner(browser: Browser, make_user: MakeUser, sessions: Sessions) -> httpx.AsyncClient:
    """The primary admin's browser."""
    await make_user("owner@minimal.test", name="Olga Owner")
    async with begin(sessions) as session:
        await identity.make_primary_admin(session, "owner@minimal.test")
    return await signed_in(browser, "owner@minimal.test")


@pytest.mark.spec("entities.user", "calls.auth.signup")
async def test_signing_up_answers_the_user_and_sets_a_cookie_that_scripts_cannot_read(browser: Browser) -> None:
    answer = await browser().post(
        "/auth/signup", json={"name": "Ann Shopper", "email": "Ann@minimal.test", "password": PASSWORD}
    )

    user = answer.json()
    assert answer.status_code == 201
    assert {name: user[name] for name in user if name not in ("_id", "expiresAt")} == {
        "name": "Ann Shopper",
        "email": "ann@minimal.test",
        "role": "user",
        "adminRequest": False,
        "addresses": [],
        "orders": [],
    }
    assert 0 <= time() * 1000 + 86_400_000 - user["expiresAt"] < 10_000
    cookie, hint, device = answer.headers.get_list("set-cookie")
    assert cookie.startswith("accessToken-22500=")
    assert {part.strip().lower() for part in cookie.split(";")[1:]} == {
        "httponly",
        "max-age=86400",
        "path=/",
        "samesite=lax",
    }
    assert hint.startswith(f"signedIn-22500={user['expiresAt'] // 10_000}")
    assert "httponly" not in hint.lower()
    assert device.startswith("device-22500=")
    assert "httponly; max-age=31536000; path=/; samesite=lax" in device.lower()
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.spec("calls.auth.signup")
async def test_a_bad_sign_up_names_every_field_with_its_message(browser: Browser) -> None:
    answer = await browser().post("/auth/signup", json={"email": "nobody"})

    assert answer.status_code == 400
    assert answer.json() == {
        "message": "Name must be at least 5 characters",
        "errors": [
            "name: Name must be at least 5 characters",
            "email: Please enter a valid email",
            "password: Password must contain at least 8 characters, including uppercase, lowercase, numbers and"
            " special characters (!@#$%^&*)",
        ],
    }


async def test_a_taken_email_is_a_conflict_on_its_field(browser: Browser, make_user: MakeUser) -> None:
    await make_user()

    answer = await browser().post(
        "/auth/signup", json={"name": "Ann Again", "email": "ann@minimal.test", "password": PASSWORD}
    )

    assert answer.status_code == 409
    assert answer.json()["errors"] == [f"email: {TAKEN}"]


@pytest.mark.spec("calls.auth.signin")
async def test_a_wrong_password_is_401_and_too_many_are_429_with_a_wait(browser: Browser, make_user: MakeUser) -> None:
    await make_user()
    wrong = {"email": "ann@minimal.test", "password": OTHER_PASSWORD}

    answers = [await browser().post("/auth/signin", json=wrong) for _ in range(11)]

    assert [answer.status_code for answer in answers] == [401] * 10 + [429]
    assert answers[0].json() == {"message": "Invalid credentials"}
    assert 280 <= int(answers[-1].headers["retry-after"]) <= 300


@pytest.mark.spec("calls.auth.google", "errors.google")
async def test_a_bad_google_token_is_401(browser: Browser) -> None:
    answer = await browser().post("/auth/google", json={"token": "made.up.token"})

    assert (answer.status_code, answer.json()) == (401, {"message": "Google authentication failed"})


async def test_a_google_token_signs_in_once_and_answers_with_the_account(
    app: Starlette, browser: Browser, sessions: Sessions
) -> None:
    key, client = Key("current"), browser()
    token = {"token": key.token(email="Ann@Minimal.test")}
    with serving(key) as certificates:
        app.state.shop.resources.add(GoogleVerifier(CLIENT_ID, certificates.url))
        answer = await client.post("/auth/google", json=token)
        profile = await client.get("/user/profile")
        again = await browser().post("/auth/google", json=token)

    shown = answer.json()
    assert answer.status_code == 200
    assert (shown["name"], shown["email"], shown["role"]) == ("Ann Google", "ann@minimal.test", "user")
    assert (shown["addresses"], shown["orders"]) == ([], [])
    assert profile.json() == shown
    assert again.status_code == 401
    async with sessions() as session:
        assert str(await session.scalar(select(User.id))) == shown["_id"]


@pytest.mark.spec("entities.user", "calls.user.profile")
async def test_the_profile_is_the_whole_user_with_the_sessions_end(browser: Browser, make_user: MakeUser) -> None:
    user = await make_user()
    client = await signed_in(browser)
    address = (await client.post("/user/address", json=HOME)).json()[0]

    answer = await client.get("/user/profile")

    shown = answer.json()
    assert shown["_id"] == str(user.id)
    assert shown["addresses"] == [address]
    assert shown["orders"] == []
    assert "password" not in answer.text.lower()
    assert isinstance(shown["expiresAt"], int)


@pytest.mark.spec("states.session.signout", "calls.auth.logout")
async def test_signing_out_ends_the_session_and_deletes_the_cookie(browser: Browser, make_user: MakeUser) -> None:
    await make_user()
    client = await signed_in(browser)
    token = client.cookies["accessToken-22500"]

    answer = await client.post("/auth/logout")
    again = await browser().get("/user/profile", headers={"cookie": f"accessToken-22500={token}"})

    assert (answer.status_code, answer.content) == (204, b"")
    assert list(client.cookies) == ["device-22500"]
    assert again.status_code == 401
    assert 'accessToken-22500=""; HttpOnly; Max-Age=0' in again.headers["set-cookie"]


@pytest.mark.spec("calls.auth.logout")
async def test_a_visitor_may_sign_out(browser: Browser) -> None:
    assert (await browser().post("/auth/logout")).status_code == 204


@pytest.mark.spec("calls.user.profile")
async def test_a_new_password_by_the_profile_signs_out(browser: Browser, make_user: MakeUser) -> None:
    await make_user()
    client = await signed_in(browser)

    answer = await client.put("/user/profile", json={"password": OTHER_PASSWORD})

    assert answer.status_code == 200
    assert "expiresAt" not in answer.json()
    assert (await client.get("/user/profile")).status_code == 401


@pytest.mark.spec("calls.auth.recovery")
async def test_a_reset_goes_by_mail_and_answers_nothing(
    browser: Browser, make_user: MakeUser, run_jobs: RunJobs, outbox: Outbox
) -> None:
    await make_user()
    client = browser()
    for email in ("ann@minimal.test", "nobody@minimal.test"):
        answer = await client.post("/auth/forgot-password", json={"email": email})
        assert (answer.status_code, answer.content) == (204, b"")
    await run_jobs()
    [link] = await outbox("ann@minimal.test")
    body = {"resetToken": link_in(link), "newPassword": "Linen?Shirt42"}

    first = await client.post("/auth/reset-password", json=body)
    second = await client.post("/auth/reset-password", json=body)

    assert (first.status_code, first.content) == (204, b"")
    assert (second.status_code, second.json()) == (400, {"message": str(LinkExpired())})


async def test_a_country_is_accepted_by_name_or_code_and_an_unknown_one_is_400(
    browser: Browser, make_user: MakeUser
) -> None:
    await make_user()
    client = await signed_in(browser)

    answers = [
        await client.post("/user/address", json={**HOME, "country": country, "postalCode": ""})
        for country in ("USA", "us", "United States", "Deutschland")
    ]
    refused = await client.post("/user/address", json={**HOME, "country": "Narnia"})

    assert [answer.json()[-1]["country"] for answer in answers] == ["United States"] * 3 + ["Germany"]
    assert refused.status_code == 400
    [problem] = refused.json()["errors"]
    assert problem.startswith("country: ")


@pytest.mark.spec("validation.address")
async def test_address_of_blanks_is_refused_line_by_line(
    browser: Browser, make_user: MakeUser, subtests: pytest.Subtests
) -> None:
    await make_user()
    client = await signed_in(browser)

    for blank, (line, message) in product(BLANKS, ADDRESS_MISSING.items()):
        with subtests.test(line, blank=ascii(blank)):
            refused = await client.post("/user/address", json={**HOME, line: blank})

            assert (refused.status_code, refused.json()["errors"]) == (400, [f"{line}: {message}"])


async def test_an_address_changed_by_rest_keeps_its_state_in_the_same_country(
    browser: Browser, make_user: MakeUser, sessions: Sessions
) -> None:
    user = await make_user()
    client = await signed_in(browser)
    address_id = (await client.post("/user/address", json={**HOME, "country": "US", "postalCode": ""})).json()[0]["_id"]
    async with begin(sessions) as session:
        await session.execute(update(Address).values(state="CA"))
    states = []
    for country in ("United States", "Canada"):
        await client.put(f"/user/address/{address_id}", json={**HOME, "country": country, "postalCode": ""})
        async with sessions() as session:
            states += [address.state for address in await identity.addresses_of(session, user.id)]

    assert states == ["CA", ""]


@pytest.mark.spec("entities.address", "calls.user.addresses", "errors.address.limit")
async def test_addresses_answer_the_list_and_an_eleventh_is_400(browser: Browser, make_user: MakeUser) -> None:
    await make_user()
    client = await signed_in(browser)

    added = [await client.post("/user/address", json=HOME) for _ in range(11)]
    first = added[0].json()[0]["_id"]
    changed = await client.put(f"/user/address/{first}", json={**HOME, "city": "York", "isDefault": True})
    left = await client.delete(f"/user/address/{first}")

    assert [answer.status_code for answer in added] == [201] * 10 + [400]
    assert added[10].json() == {"message": "You have reached the maximum number of addresses."}
    assert added[0].json() == [{**HOME, "_id": first, "isDefault": True}]
    assert changed.json()[0] == {**HOME, "_id": first, "city": "York", "isDefault": True}
    assert [address["isDefault"] for address in left.json()] == [False] * 8 + [True]


@pytest.mark.spec("roles.primary", "calls.user.admin")
async def test_admins_see_users_with_ids_and_only_the_primary_changes_them(
    browser: Browser, make_user: MakeUser, owner: httpx.AsyncClient
) -> None:
    ann = await make_user()
    client = await signed_in(browser)
    address = (await client.post("/user/address", json=HOME)).json()[0]["_id"]
    response = await client.post("/user/request-admin-access")
    as_shopper = await client.get("/user")

    listed = (await owner.get("/user")).json()
    page = (await owner.get("/user?limit=1&offset=1")).json()
    pending = (await owner.get("/user/admin-requests")).json()
    promoted = await owner.put(f"/user/{ann.id}/toggle-admin")
    as_admin = [
        await client.get("/user"),
        await client.put(f"/user/{ann.id}/toggle-admin"),
        await client.delete(f"/user/{ann.id}"),
        await client.post(f"/user/{ann.id}/reject-admin"),
    ]

    assert (response.status_code, as_shopper.status_code) == (204, 403)
    assert [user["email"] for user in listed] == ["ann@minimal.test", "owner@minimal.test"]
    assert listed[0]["addresses"] == [address]
    assert page == listed[1:]
    assert pending == listed[:1]
    assert (promoted.status_code, promoted.json()) == (200, {"role": "admin"})
    assert [answer.status_code for answer in as_admin] == [200, 403, 403, 403]
    assert as_admin[1].json() == {"message": "You lack privileges to use these controls"}


@pytest.mark.spec("calls.user.request", "calls.user.admin")
async def test_the_primary_admin_rejects_and_deletes_others_but_not_itself(
    make_user: MakeUser, owner: httpx.AsyncClient, browser: Browser
) -> None:
    ann = await make_user()
    await (await signed_in(browser)).post("/user/request-admin-access")
    itself = (await owner.get("/user/profile")).json()["_id"]

    rejected = await owner.post(f"/user/{ann.id}/reject-admin")
    deleted = await owner.delete(f"/user/{ann.id}")
    gone = await owner.delete(f"/user/{ann.id}")
    refused = [await owner.delete(f"/user/{itself}"), await owner.put(f"/user/{itself}/toggle-admin")]

    assert (rejected.status_code, rejected.json()["adminRequest"]) == (200, False)
    assert (deleted.status_code, deleted.content, gone.status_code) == (204, b"", 404)
    assert [(answer.status_code, answer.json()["message"]) for answer in refused] == [
        (403, "You lack privileges to use these controls")
    ] * 2


PROTECTED = [
    ("GET", "/user/profile"),
    ("PUT", "/user/profile"),
    ("POST", "/user/request-admin-access"),
    ("POST", "/user/address"),
    ("PUT", "/user/address/1"),
    ("DELETE", "/user/address/1"),
    ("GET", "/user"),
    ("GET", "/user/admin-requests"),
    ("POST", "/user/1/reject-admin"),
    ("PUT", "/user/1/toggle-admin"),
    ("DELETE", "/user/1"),
]


async def test_a_visitor_is_asked_to_sign_in(browser: Browser) -> None:
    client = browser()

    answers: list[Any] = [await client.request(method, path) for method, path in PROTECTED]

    assert {answer.status_code for answer in answers} == {401}
    assert {answer.json()["message"] for answer in answers} == {"Please sign in."}
