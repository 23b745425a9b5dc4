"""What a sign-in or a reset link does for an e-mail is the same whether or not there is such an account."""

import json
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from argon2 import extract_parameters
from sqlalchemy import event
from sqlalchemy.engine import Engine
from structlog.contextvars import get_contextvars

from server.identity.models import User
from server.identity.passwords import PasswordHashing, PasswordVerdict
from server.platform.core.db import Sessions, begin
from server.platform.core.models import RateLimit
from tests.api.conftest import Shop
from tests.api.conftest import shop as shop
from tests.hashes import CHEAP

PASSWORD, OTHER_PASSWORD = "Linen&Shirt4", "Denim&Jacket5"
MOST = 10
"""Wrong passwords of one account, as the settings have it."""
KINDS = ("with a password", "of Google alone", "unconfirmed", "of an admin", "locked", "unknown and locked")
CALLS = {
    "sign in": ("/api/auth/signin", {"email": "{email}", "password": OTHER_PASSWORD}),
    "sign in by GraphQL": (
        "/graphql",
        {"query": f'mutation {{ signIn(email: "{{email}}", password: "{OTHER_PASSWORD}") {{ __typename }} }}'},
    ),
    "forgot password": ("/api/auth/forgot-password", {"email": "{email}"}),
    "forgot password by GraphQL": (
        "/graphql",
        {"query": 'mutation { forgotPassword(email: "{email}") { __typename } }'},
    ),
}
Work = tuple[int, list[tuple[str, int]], list[str]]
"""Status of the answer, statements with their numbers of rows, costs of the hashes."""


def email_of(kind: str) -> str:
    return f"{kind.lower().replace(' ', '-')}@minimal.test"


@pytest.fixture(autouse=True)
async def accounts(shop: Shop, sessions: Sessions) -> None:
    confirmed_at, hashed = datetime.now(UTC), CHEAP.hash(PASSWORD)
    common: dict[str, object] = {"name": "Ann Shopper", "password_hash": hashed, "email_verified_at": confirmed_at}
    of_kind: dict[str, dict[str, object]] = {
        "with a password": {},
        "of Google alone": {"password_hash": None, "google_sub": "1"},
        "unconfirmed": {"email_verified_at": None},
        "of an admin": {"role": "admin"},
        "locked": {},
    }
    ends_at = datetime.now(UTC) + timedelta(minutes=5)
    async with begin(sessions) as session:
        for kind, differs in of_kind.items():
            session.add(User(email=email_of(kind), **{**common, **differs}))
        for kind in ("locked", "unknown and locked"):
            session.add(RateLimit(bucket=f"sign-in:{email_of(kind)}", hits=MOST, ends_at=ends_at))


@contextmanager
def counted_rows() -> Iterator[list[tuple[str, int]]]:
    """The statements of requests within the block, with how many rows each returned or changed."""
    counted: list[tuple[str, int]] = []

    def note(_connection: object, cursor: object, statement: str, *_: object) -> None:
        if "request_id" in get_contextvars():
            counted.append((" ".join(statement.split()), getattr(cursor, "rowcount", -1)))

    event.listen(Engine, "after_cursor_execute", note)
    try:
        yield counted
    finally:
        event.remove(Engine, "after_cursor_execute", note)


async def work_of(shop: Shop, monkeypatch: pytest.MonkeyPatch, call: str, email: str) -> Work:
    path, body = CALLS[call]
    costs: list[str] = []
    verify = PasswordHashing.verify

    async def noted(self: PasswordHashing, hashed: str, password: str, client: Hashable = None) -> PasswordVerdict:
        costs.append(str(extract_parameters(hashed)))
        return await verify(self, hashed, password, client)

    with monkeypatch.context() as patch, counted_rows() as statements:
        patch.setattr(PasswordHashing, "verify", noted)
        answer = await shop.clients["visitor"].post(path, content=json.dumps(body).replace("{email}", email))
    return answer.status_code, statements, costs


@pytest.mark.parametrize("call", CALLS)
async def test_known_email_costs_what_unknown_one_costs(shop: Shop, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    await work_of(shop, monkeypatch, call, "first@minimal.test")
    unknown = await work_of(shop, monkeypatch, call, "nobody@minimal.test")
    works = {kind: await work_of(shop, monkeypatch, call, email_of(kind)) for kind in KINDS}
    locked = works["unknown and locked"]

    assert unknown[1] != []
    assert unknown[2] == [unknown[2][0]] if call.startswith("sign in") else unknown[2] == []
    for kind, work in works.items():
        assert work == (locked if "locked" in kind else unknown), kind
