"""A shop with one or two servers, and clients subscribed to it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import uvicorn
from starlette.applications import Starlette
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from server.app import create_app
from server.config import Settings
from server.identity.models import User
from server.live.service import EventHub
from server.platform.core.db import Sessions, begin
from server.platform.core.security import cookie_name
from tests.ports import free_ports
from tests.session_tokens import session_token

EVENTS = """
subscription {
  adminEvents {
    __typename
    ... on OrderPlaced { order { number totalAmount } }
    ... on StockLow { variants { name color size stock } }
    ... on AdminRequested { user { email adminRequest } }
  }
}
"""


@dataclass
class Ear:
    """One connection that has introduced itself."""

    socket: ClientConnection

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self, seconds: float = 10) -> dict[str, Any]:
        """The next message of the server."""
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), seconds))
        return message

    async def subscribe(self, document: str = EVENTS, id: str = "1") -> None:
        await self.say(type="subscribe", id=id, payload={"query": document})

    async def event(self) -> dict[str, Any]:
        """What the next event says."""
        message = await self.hear()
        assert message["type"] == "next", message
        event: dict[str, Any] = message["payload"]["data"]["adminEvents"]
        return event

    async def is_silent(self, seconds: float = 0.4) -> bool:
        try:
            await self.hear(seconds)
        except TimeoutError:
            return True
        return False


Listen = Callable[..., Awaitable[Ear]]
"""`listen(email)` connects as that account and subscribes; `server=1` at the second server."""
OWN_ORIGIN = "the shop's own"


def listeners(app: Starlette) -> int:
    """How many subscriptions are told what this server hears."""
    return len(app.state.shop.resources.get(EventHub)._listening)


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(  # type: ignore[call-arg]
        _env_file=None, port=free_ports(2)[0], outside_port=31_520, database_url=database_url, shop_data=tmp_path
    )


@asynccontextmanager
async def serving(settings: Settings, port: int) -> AsyncIterator[Starlette]:
    """It hears the database by then: who listens before that is told of events that were missed."""
    app = create_app(settings)
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", ws_max_size=1_000_000)
    )
    task = asyncio.create_task(server.serve())
    while not (server.started and app.state.shop.listener.is_connected):
        assert not task.done()
        await asyncio.sleep(0.01)
    yield app
    server.should_exit = True
    await task


@pytest.fixture
async def shop(settings: Settings) -> AsyncIterator[Starlette]:
    async with serving(settings, settings.port) as app:
        yield app


@pytest.fixture
async def second_server(settings: Settings) -> AsyncIterator[Starlette]:
    """Another process of the same shop: it too says that the shop is at the first port."""
    async with serving(settings, settings.port + 1) as app:
        yield app


@pytest.fixture
async def people(sessions: Sessions) -> dict[str, UUID]:
    async with begin(sessions) as session:
        users = {
            "shopper": User(email="shopper@minimal.test", name="Ada Lovelace"),
            "admin": User(email="admin@minimal.test", name="Alan Turing", role="admin"),
            "owner": User(email="owner@minimal.test", name="Edsger Dijkstra", role="admin", is_primary=True),
        }
        session.add_all(users.values())
    return {role: user.id for role, user in users.items()}


@pytest.fixture
async def listen(
    settings: Settings, sessions: Sessions, people: dict[str, UUID], shop: Starlette, request: pytest.FixtureRequest
) -> AsyncIterator[Listen]:
    async with AsyncExitStack() as connections:

        async def listen(
            role: str | None,
            *,
            server: int = 0,
            origin: str | None = OWN_ORIGIN,
            subscribed: bool = True,
        ) -> Ear:
            headers = {}
            if role:
                async with begin(sessions) as session:
                    token = await session_token(session, people[role])
                headers["cookie"] = f"{cookie_name(settings)}={token}"
            socket = await connections.enter_async_context(
                connect(
                    f"ws://127.0.0.1:{settings.port + server}/graphql",
                    subprotocols=[Subprotocol("graphql-transport-ws")],
                    additional_headers=headers,
                    origin=settings.public_url if origin == OWN_ORIGIN else origin,  # type: ignore[arg-type]
                )
            )
            ear = Ear(socket)
            await ear.say(type="connection_init")
            assert await ear.hear() == {"type": "connection_ack"}
            if subscribed:
                app = request.getfixturevalue("second_server") if server else shop
                before = listeners(app)
                await ear.subscribe()
                async with asyncio.timeout(20):
                    while listeners(app) == before:  # noqa: ASYNC110, nobody sets an event for it
                        await asyncio.sleep(0.01)
            return ear

        yield listen
