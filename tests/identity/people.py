"""People with browsers of their own, who speak GraphQL and REST to a whole shop in this process."""

import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pyotp
import pytest
from sqlalchemy import func, text, update
from starlette.applications import Starlette

from server.app import create_app
from server.config import Settings
from server.identity import service as identity
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.models import Job
from tests.due_jobs import run_all_due
from tests.identity.authenticator import Authenticator
from tests.identity.conftest import PASSWORD

ORIGIN = "http://localhost:22500"
CHANGED = "__typename ... on SecondFactorsChanged { recoveryCodes } ... on UserError { message }"
SIGNED_IN = "__typename ... on SignedIn { viewer { email } } ... on UserError { message }"
STEP_SECONDS = 30


@dataclass
class Person:
    """Somebody with an account, one browser and an authenticator app."""

    client: httpx.AsyncClient
    sessions: Sessions
    email: str
    secret: str = ""
    recovery_codes: list[str] = field(default_factory=list)

    async def ask(self, document: str, **variables: Any) -> dict[str, Any]:
        """The whole answer of GraphQL."""
        answer = await self.client.post("/graphql", json={"query": document, "variables": variables})
        body: dict[str, Any] = answer.json()
        return body

    async def do(self, document: str, **variables: Any) -> Any:
        """What the one field of a document has answered."""
        answer = await self.ask(document, **variables)
        assert "errors" not in answer, answer
        [value] = answer["data"].values()
        return value

    async def code(self, document: str, **variables: Any) -> str | None:
        """`extensions.code` of a refusal at the top level."""
        answer = await self.ask(document, **variables)
        error_code: str | None = answer["errors"][0]["extensions"]["code"] if "errors" in answer else None
        return error_code

    async def sign_in(self, password: str = PASSWORD) -> Any:
        return await self.do(
            "mutation ($email: String!, $password: String!) { signIn(email: $email, password: $password) {"
            " ... on SecondFactorRequired { challenge methods passkeyOptions } " + SIGNED_IN + " } }",
            email=self.email,
            password=password,
        )

    async def confirm(self, challenge: str, **proof: str) -> Any:
        return await self.do(
            "mutation ($challenge: String!, $code: String, $passkey: String) {"
            f" confirmSignIn(challenge: $challenge, code: $code, passkey: $passkey) {{ {SIGNED_IN} }} }}",
            challenge=challenge,
            **proof,
        )

    async def passkey_request(self) -> Any:
        return await self.do("mutation { startPasskey { ... on PasskeyRequest { challenge options } } }")

    async def sign_in_with_passkey(self, challenge: str, credential: str) -> Any:
        return await self.do(
            "mutation ($challenge: String!, $credential: String!) {"
            f" signInWithPasskey(challenge: $challenge, credential: $credential) {{ {SIGNED_IN} }} }}",
            challenge=challenge,
            credential=credential,
        )

    async def reauthenticate(self, **proof: str) -> Any:
        return await self.do(
            "mutation ($input: ReauthenticateInput!) { reauthenticate(input: $input)"
            " { __typename ... on UserError { message } } }",
            input=proof,
        )

    async def turn_codes_on(self) -> Any:
        setup = await self.do("mutation { startCodeSetup { ... on CodeSetup { secret uri qrCode } } }")
        self.secret = setup["secret"]
        changed = await self.do(
            f"mutation ($code: String!) {{ enableCodes(code: $code) {{ {CHANGED} }} }}", code=self.code_at(0)
        )
        self.recovery_codes = changed.get("recoveryCodes") or self.recovery_codes
        return changed

    async def registration(self) -> Any:
        return await self.do("mutation { startPasskeyRegistration { ... on PasskeyRequest { challenge options } } }")

    async def add_passkey(self, challenge: str, credential: str, name: str = "Phone") -> Any:
        changed = await self.do(
            "mutation ($challenge: String!, $credential: String!, $name: String!) {"
            f" addPasskey(challenge: $challenge, credential: $credential, name: $name) {{ {CHANGED} }} }}",
            challenge=challenge,
            credential=credential,
            name=name,
        )
        self.recovery_codes = changed.get("recoveryCodes") or self.recovery_codes
        return changed

    async def new_passkey(self) -> Authenticator:
        """A passkey that is added to the account."""
        authenticator, registration = Authenticator(ORIGIN), await self.registration()
        added = await self.add_passkey(registration["challenge"], authenticator.create(registration["options"]))
        assert added["__typename"] == "SecondFactorsChanged", added
        return authenticator

    def code_at(self, steps: int = 1) -> str:
        """The app's code of so many time steps later. The next one is not older than the one before, whatever the
        clock strikes meanwhile, and the shop tolerates it."""
        return pyotp.TOTP(self.secret).at(time.time() + steps * STEP_SECONDS)

    async def leave(self) -> None:
        await self.do("mutation { signOut { ok } }")

    async def age(self, minutes: int = 17) -> None:
        """Lets the person's sign-ins lie so long in the past, and all activity since."""
        statement = (
            "UPDATE sessions SET authenticated_at = authenticated_at - make_interval(mins => :minutes),"
            " active_at = active_at - make_interval(mins => :minutes)"
            " WHERE user_id = (SELECT id FROM users WHERE email = :email)"
        )
        async with begin(self.sessions) as session:
            await session.execute(text(statement), {"minutes": minutes, "email": self.email})


def settings_of(database_url: str, data: Path, **changes: Any) -> Settings:
    return Settings(  # type: ignore[call-arg]
        _env_file=None, port=22_500, database_url=database_url, shop_data=data, **changes
    )


def client_of(app: Starlette) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url=ORIGIN,
        headers={"content-type": "application/json", "sec-fetch-site": "same-origin"},
    )


@pytest.fixture
async def app(database_url: str, tmp_path: Path) -> AsyncIterator[Starlette]:
    app = create_app(settings_of(database_url, tmp_path))
    yield app
    await app.state.shop.engine.dispose()


async def run_jobs(app: Starlette) -> None:
    """Does the jobs of accounts, those of the next moments too."""
    shop = app.state.shop
    async with begin(shop.sessions) as session:
        await session.execute(update(Job).values(run_at=func.now()))
    await run_all_due(Worker(JobEnvironment(shop.sessions, shop.resources), identity.HANDLERS))


def bent(credential: str, **changes: Any) -> str:
    """An authenticator's answer with members of its response changed."""
    whole = json.loads(credential)
    whole["response"].update(changes)
    return json.dumps(whole)
