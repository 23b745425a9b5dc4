"""Requests as the app makes them, and people who have accounts."""

import re
from collections.abc import Sequence
from typing import Any, Protocol
from uuid import UUID

import pytest
from pydantic import SecretStr
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.config import Settings
from server.identity import service as identity
from server.identity.models import User
from server.identity.order_history import OrderHistoryPort
from server.identity.passwords import PasswordHashing
from server.identity.sessions import viewer_of_token
from server.mail.models import Mail
from server.platform.core.context import Context
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.models import Job
from server.platform.core.resources import Resources
from server.platform.core.sealing import Sealer
from server.wiring import ACCOUNT_CONTENTS
from tests.due_jobs import run_all_due
from tests.hashes import COSTLY
from tests.session_tokens import session_token

PASSWORD = "Linen&Shirt4"
OTHER_PASSWORD = "Denim&Jacket5"


class Visit(Protocol):
    """A new request's context; signed in when a token is given, from a known device when its cookie is."""

    async def __call__(
        self, token: str | None = None, *, ip: str = "192.0.2.1", device: str | None = None
    ) -> Context: ...


class MakeUser(Protocol):
    """A new account with PASSWORD."""

    async def __call__(
        self, email: str = "ann@minimal.test", *, name: str = "Ann Shopper", verified: bool = False
    ) -> User: ...


class SignIn(Protocol):
    """The context of a new request of that user, with a session of its own."""

    async def __call__(self, user: User) -> Context: ...


class RunJobs(Protocol):
    """Does this domain's jobs, those of the next moments too."""

    async def __call__(self) -> None: ...


class Outbox(Protocol):
    """Mails to an address, oldest first."""

    async def __call__(self, to: str) -> list[Mail]: ...


def link_in(mail: Mail) -> str:
    """The token of the mail's link."""
    match = re.search(r"token=([\w-]{43})", mail.text_body)
    assert match is not None
    return match[1]


@pytest.fixture(scope="session")
def passwords() -> PasswordHashing:
    return PasswordHashing()


@pytest.fixture(scope="session")
async def password_hash(passwords: PasswordHashing) -> str:
    return await passwords.hash(PASSWORD)


@pytest.fixture
def costly_hashes(passwords: PasswordHashing, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords cost what they cost in life, also those of accounts that there are not."""
    monkeypatch.setattr(passwords, "_argon2", COSTLY)
    monkeypatch.setattr(passwords, "dummy_hash", COSTLY.hash("Nobody&Knows4"))


@pytest.fixture
def settings() -> Settings:
    return Settings(_env_file=None, port=22_500, secret_key=SecretStr("k" * 40))  # type: ignore[call-arg]


async def no_order_ids(_session: AsyncSession, _user_ids: Sequence[UUID]) -> dict[UUID, list[UUID]]:
    return {}


async def no_orders(_session: AsyncSession, _user_id: UUID) -> list[dict[str, Any]]:
    return []


async def never_bought(_session: AsyncSession, _user_id: UUID) -> bool:
    return False


@pytest.fixture
def resources(settings: Settings, passwords: PasswordHashing) -> Resources:
    history = OrderHistoryPort(no_order_ids, no_orders, never_bought)
    sealer = Sealer(settings.secret_key.get_secret_value(), settings.key_file)
    return Resources(settings, passwords, sealer, history, ACCOUNT_CONTENTS)


@pytest.fixture
def visit(settings: Settings, sessions: Sessions, resources: Resources) -> Visit:
    async def visit(token: str | None = None, *, ip: str = "192.0.2.1", device: str | None = None) -> Context:
        context = Context(settings, sessions, resources, ip=ip, user_agent="Test browser", device=device)
        if token:
            async with begin(sessions) as session:
                context.viewer = await viewer_of_token(session, token)
            context.token = token if context.viewer else None
        return context

    return visit


@pytest.fixture
def make_user(sessions: Sessions, password_hash: str) -> MakeUser:
    async def make_user(email: str = "ann@minimal.test", *, name: str = "Ann Shopper", verified: bool = False) -> User:
        async with begin(sessions) as session:
            return await identity.create(
                session, name=name, email=email, password_hash=password_hash, email_verified=verified
            )

    return make_user


@pytest.fixture
def sign_in(sessions: Sessions, visit: Visit) -> SignIn:
    async def sign_in(user: User) -> Context:
        async with begin(sessions) as session:
            token = await session_token(session, user.id)
        return await visit(token)

    return sign_in


@pytest.fixture
def run_jobs(sessions: Sessions, resources: Resources) -> RunJobs:
    async def run_jobs() -> None:
        worker = Worker(JobEnvironment(sessions, resources), identity.HANDLERS)
        async with begin(sessions) as session:
            await session.execute(update(Job).values(run_at=func.now()))
        await run_all_due(worker)

    return run_jobs


@pytest.fixture
def outbox(sessions: Sessions) -> Outbox:
    async def outbox(to: str) -> list[Mail]:
        async with sessions() as session:
            return list(await session.scalars(select(Mail).where(Mail.recipient == to).order_by(Mail.id)))

    return outbox
