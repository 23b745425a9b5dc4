"""Secrets sent to a real server, valid and invalid ones, never appear in logs, errors or other tables."""

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import IntegrityError

from server.identity.models import Address, User
from server.platform.core.db import Sessions, begin, create_engine, sessionmaker
from server.platform.processes.postgres import DATABASE, Postgres
from server.run.migrations import upgrade
from tests.collector import receiving
from tests.folders import temporary_folder
from tests.ports import free_ports
from tests.session_tokens import session_token
from tests.siege.servers import WORKER, browser, serving

pytestmark = pytest.mark.slow

CANARIES = {
    "password": "Canary&Password7",
    "new password": "Canary&Newpass8",
    "card": "4242424242424242",
    "street": "7 Canary Wharf Lane",
    "phone": "+44 7700 900777",
    "e-mail": "canary.bird@minimal.test",
    "link": "canary-link-0123456789-0123456789-0123456789",
    "google": "canary.google.token",
    "code": "734 915",
    "recovery code": "cana-ryca-nary-cana",
    "passkey answer": "Y2FuYXJ5LXBhc3NrZXktYW5zd2Vy",
    "challenge": "canary-challenge-0123456789-0123456789",
}
MAY_STAND_IN = {
    "addresses": {"street", "phone"},
    "audit_entries": {"e-mail"},
    "email_verifications": {"e-mail"},
    "jobs": {"e-mail"},
    "failed_jobs": {"e-mail"},
    "mails": {"e-mail"},
    "rate_limits": {"e-mail"},
    "users": {"e-mail"},
}
"""What is kept in the clear, and where. The audit log names whose account an admin changed; a job that looks for an
account knows the e-mail that was typed; attempts are counted by it, in a table that a crash empties. Logs have the path
of a request, which names nothing but ids, and never its query."""
NOTHING_IN = {
    *("alembic_version", "analytics_state", "cart_lines", "carts", "checkout_lines", "checkouts", "delivery_countries"),
    *("delivery_rates", "delivery_zones", "discount_codes", "disputes", "event_members", "google_tokens", "images"),
    *("imports", "order_lines", "order_notes", "orders", "password_resets", "product_colors", "product_images"),
    *("products", "refund_lines", "refunds", "return_lines", "returns", "sale_facts", "sale_members", "sales_by_day"),
    *("sales_by_day_category", "sales_by_day_product", "saved_reports", "sessions", "shipment_lines", "shipments"),
    *("shop_events", "shop_facts", "shop_settings", "stock_alerts", "stock_movements", "tax_rates", "variants"),
    "size_systems",
    *("webhook_events", "wishlist_items", "known_devices"),
    *("totp_secrets", "recovery_codes", "sign_in_challenges", "passkeys"),
    *("categories", "departments", "kinds", "redirects", "document_images", "document_versions", "documents"),
    *("analytics_outbox", "popularity_changes", "sales_by_day_pair", "settled_visits", "visits_by_day", "heartbeats"),
}
"""All other tables. A new one has to be entered in one of the two."""


@dataclass
class Told:
    """What came back, and what was left behind."""

    said: str
    said_by_postgres: str
    answers: list[httpx.Response]
    tokens: list[str]
    tables: dict[str, str]

    @property
    def secrets(self) -> dict[str, str]:
        return {**CANARIES, **{f"session {number}": token for number, token in enumerate(self.tokens)}}

    def in_logs(self) -> set[str]:
        return {name for name, secret in self.secrets.items() if secret in self.said}

    def in_the_log_of_postgres(self) -> set[str]:
        return {name for name, secret in self.secrets.items() if secret in self.said_by_postgres}

    def in_refusals(self) -> set[str]:
        refused = "".join(each.text for each in self.answers if each.status_code >= 400 or '"errors"' in each.text)
        return {name for name, secret in self.secrets.items() if secret in refused}

    def in_table(self, table: str) -> set[str]:
        return {name for name, secret in self.secrets.items() if secret in self.tables[table]}


async def tell(postgres: Postgres, folder: Path, *, without: str = "") -> Told:
    """A visit with everything that a person types: rightly, wrongly, in the wrong place; and an admin's acts."""
    engine = create_engine(postgres.url)
    sessions = sessionmaker(engine)
    port, metrics_port = free_ports(2)
    with (
        receiving() as collector,
        serving(
            postgres.url,
            folder,
            port,
            without=without,
            beside=WORKER,
            METRICS_PORT=str(metrics_port),
            OTEL_EXPORTER_OTLP_ENDPOINT=collector.endpoint,
        ) as server,
    ):
        async with browser(server) as person, browser(server) as admin:
            answers = [await each for each in visit(person)]
            tokens = [cookie.value or "" for cookie in person.cookies.jar if cookie.name.startswith("accessToken")]
            owner = await owner_of(sessions, server.port)
            admin.cookies.update(owner)
            answers += [await each for each in acts(admin, await id_of(sessions))]
            answers += [await each for each in mistakes(person)]
            tokens += owner.values()
        await fail(sessions)
        await asyncio.sleep(1)
        async with httpx.AsyncClient(trust_env=False) as prometheus:
            metrics = (await prometheus.get(f"http://127.0.0.1:{metrics_port}/metrics")).text
        assert "minimal_request_seconds_count" in metrics
        tables = {name: await dump(sessions, name) for name in await names_of_tables(sessions)}
    await engine.dispose()
    assert {"POST graphql", "INSERT"} <= {span.name for span in collector.spans}
    said = server.said() + metrics + collector.raw
    return Told(said, postgres.log.read_text(), answers, [token for token in tokens if token], tables)


Calls = list[Any]


def visit(person: httpx.AsyncClient) -> Calls:
    email, password = CANARIES["e-mail"], CANARIES["password"]
    address = {"name": "Canary Bird", "address1": CANARIES["street"], "city": "London", "country": "United Kingdom"}
    address["phone"] = CANARIES["phone"]
    save = "mutation ($a: AddressInput!) { createAddress(input: $a) { __typename } }"
    return [
        person.post("/api/auth/signup", json={"name": "Canary Bird", "email": email, "password": password}),
        person.post("/api/auth/signin", json={"email": email, "password": password}),
        person.post("/api/user/address", json=address),
        person.post("/graphql", json={"query": save, "variables": {"a": address}}),
        person.post("/api/auth/forgot-password", json={"email": email}),
        person.post("/api/auth/google", json={"token": CANARIES["google"]}),
        person.post("/api/payment/create-checkout-session", json={"card": CANARIES["card"]}),
        person.get("/api/user/profile"),
    ]


def mistakes(person: httpx.AsyncClient) -> Calls:
    email, password, card = CANARIES["e-mail"], CANARIES["password"], CANARIES["card"]
    new = {"resetToken": CANARIES["link"], "newPassword": CANARIES["new password"]}
    sign_in = f'mutation {{ signIn(email: "{email}", password: "{password}x") {{ __typename }} }}'
    every = {name.replace(" ", ""): value for name, value in CANARIES.items()}
    return [
        person.post("/api/auth/signin", json={"email": email, "password": password + "x"}),
        person.post("/api/auth/signin", json={"email": [email], "password": {"is": password}}),
        person.post("/api/auth/signin", content=json.dumps(every).encode()[:-1]),
        person.post("/api/auth/signin", json=every, headers={"content-type": "text/plain"}),
        person.post("/api/auth/signin", json={"email": email, "password": password, "code": [CANARIES["code"]]}),
        *(person.post("/graphql", json={"query": CONFIRM, "variables": each}) for each in second_factors()),
        *(person.post("/graphql", json={"query": PROVE, "variables": each}) for each in second_factors()),
        person.post("/api/auth/signup", json={"name": "Canary Bird", "email": email, "password": password}),
        person.post("/api/auth/reset-password", json=new),
        person.post("/api/payment/checkout-success", json={"session_id": card}),
        person.post("/api/payment/webhook", json=every, headers={"stripe-signature": card}),
        person.post("/api/cart", json={"productId": card, "quantity": card}),
        person.post("/events", json={**every, "visit": card}),
        person.post("/browser-errors", json={"name": email, "message": card, "stack": password, "page": f"/{card}"}),
        person.post("/graphql", json={"query": sign_in}),
        person.post("/graphql", json={"query": "{ shop { name }", "variables": every}),
        person.post("/graphql", json={"query": "query ($first: Int!) { __typename }", "variables": every}),
        person.post("/graphql", content=json.dumps(every).encode()),
        person.get(f"/verify-email?token={CANARIES['link']}"),
        person.get(f"/api/product/search?q={card}", headers={"authorization": f"Bearer {password}"}),
        person.get("/api/nothing", headers={"cookie": f"accessToken={password}"}),
        person.put("/api/user/profile", json={"password": CANARIES["new password"], "email": 7}),
        person.put("/api/user/profile", json={"password": CANARIES["new password"]}),
    ]


def second_factors() -> Calls:
    """Codes and answers of authenticators, alone and beside what they should not stand beside."""
    challenge, answer = CANARIES["challenge"], json.dumps({"rawId": CANARIES["passkey answer"]})
    ways = ({"code": CANARIES["code"]}, {"code": CANARIES["recovery code"]}, {"passkey": answer})
    return [{"challenge": challenge, **way} for way in (*ways, {"code": CANARIES["code"], "passkey": answer})]


CONFIRM = """mutation ($challenge: String!, $code: String, $passkey: String) {
  confirmSignIn(challenge: $challenge, code: $code, passkey: $passkey) { __typename }
}"""
PROVE = """mutation ($challenge: String!, $code: String, $passkey: String) {
  reauthenticate(input: { challenge: $challenge, code: $code, passkey: $passkey }) { __typename }
}"""


def acts(admin: httpx.AsyncClient, user_id: str) -> Calls:
    sign_out = "mutation ($id: ID!) { signOutUser(id: $id) { email } }"
    return [
        admin.put(f"/api/user/{user_id}/toggle-admin", json={}),
        admin.put(f"/api/user/{user_id}/toggle-admin", json={}),
        admin.post("/graphql", json={"query": sign_out, "variables": {"id": user_id}}),
    ]


async def owner_of(sessions: Sessions, port: int) -> dict[str, str]:
    """The primary admin's cookie."""
    async with begin(sessions) as session:
        owner = User(email="owner@minimal.test", name="Olga Owner", role="admin", is_primary=True)
        session.add(owner)
        await session.flush()
        token = await session_token(session, owner.id)
    return {f"accessToken-{port}": token}


async def id_of(sessions: Sessions) -> str:
    async with begin(sessions) as session:
        row_id = await session.scalar(
            update(User).where(User.email == CANARIES["e-mail"]).values(name="Canary Bird").returning(User.id)
        )
    return str(row_id)


async def fail(sessions: Sessions) -> None:
    """Rows that the database refuses, as two at the same moment or a defect of the shop would write them."""
    where = {"user_id": await id_of(sessions), "address1": CANARIES["street"], "phone": CANARIES["phone"]}
    nameless = Address(**where, name=None, city="London", country="GB")
    for refused in (User(email=CANARIES["e-mail"], name="Canary Bird"), nameless):
        with pytest.raises(IntegrityError):
            async with begin(sessions) as session:
                session.add(refused)


async def names_of_tables(sessions: Sessions) -> list[str]:
    async with sessions() as session:
        return list(await session.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")))


async def dump(sessions: Sessions, table: str) -> str:
    async with sessions() as session:
        return "\n".join(await session.scalars(text(f"SELECT t::text FROM {table} t")))


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    """The shop's own, with a log that nobody else writes."""
    with temporary_folder() as folder, Postgres(folder / "postgres", durable=False) as postgres:
        upgrade(postgres.url)
        yield postgres


async def test_no_secret_stands_in_a_log_a_refusal_or_a_table_of_happenings(postgres: Postgres) -> None:
    with temporary_folder() as folder:
        evidence = await tell(postgres, folder)

    statuses = [answer.status_code for answer in evidence.answers]
    assert statuses[:3] == [201, 200, 201]
    assert [
        answer.url.path for answer in evidence.answers if answer.status_code >= 500 or '"INTERNAL"' in answer.text
    ] == []
    assert len(evidence.tokens) >= 2
    assert len(re.findall(r'"event": ?"request"', evidence.said)) >= len(statuses)
    assert evidence.in_logs() == set()
    assert 'duplicate key value violates unique constraint "uq_users_email"' in evidence.said_by_postgres
    assert 'null value in column "name" of relation "addresses"' in evidence.said_by_postgres
    assert evidence.in_the_log_of_postgres() == set()
    assert evidence.in_refusals() == set()
    assert set(evidence.tables) == MAY_STAND_IN.keys() | NOTHING_IN
    assert {table: evidence.in_table(table) - MAY_STAND_IN.get(table, set()) for table in evidence.tables} == {
        table: set() for table in evidence.tables
    }


async def test_planted_loggers_of_bodies_and_statements_are_found(postgres: Postgres) -> None:
    await asyncio.to_thread(make_talkative, postgres)

    with temporary_folder() as folder:
        evidence = await tell(postgres, folder, without="discretion")

    assert {"password", "new password", "card", "street", "e-mail"} <= evidence.in_logs()
    assert {"street", "phone", "e-mail"} <= evidence.in_the_log_of_postgres()


def make_talkative(postgres: Postgres) -> None:
    """As PostgreSQL is by itself, and as people set it who look for an error."""
    for setting in ("log_error_verbosity = 'default'", "log_parameter_max_length_on_error = -1"):
        command = f"ALTER DATABASE {DATABASE} SET {setting}"
        subprocess.run([postgres.program("psql"), postgres.url, "-c", command], check=True, capture_output=True)
