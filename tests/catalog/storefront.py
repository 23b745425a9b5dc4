"""The whole app in this process with an account of every role, for tests over HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from server.app import create_app
from server.background import BackgroundWork
from server.catalog.live import LiveCatalog
from server.config import Settings
from server.identity.models import User
from server.platform.core.db import Sessions, begin
from tests.session_tokens import session_token

PORT = 22_700


class Storefront:
    """`visitor` has no cookie; `folder` holds the picture files."""

    def __init__(self, clients: dict[str, httpx.AsyncClient], folder: Path, app: Any) -> None:
        self.visitor = clients["visitor"]
        self.shopper = clients["shopper"]
        self.admin = clients["admin"]
        self.primary = clients["primary"]
        self.folder = folder
        self.app = app

    def files(self) -> list[str]:
        """Every picture file there is, as id/name."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())


@asynccontextmanager
async def open_storefront(
    database_url: str, sessions: Sessions, data: Path, *, catches_up: bool = True, **settings: Any
) -> AsyncIterator[Storefront]:
    """With `catches_up`, each request first waits until the app knows of every change that the test has made."""
    async with open_app(database_url, data, **settings) as app:
        hooks = {"request": [lambda _: catch_up(app)]} if catches_up else None
        clients = {role: client_of(app, token, hooks) for role, token in (await _tokens(sessions)).items()}
        yield Storefront(clients, data / "images", app)
        for client in clients.values():
            await client.aclose()


@asynccontextmanager
async def working(storefront: Storefront) -> AsyncIterator[None]:
    """With a worker of this shop beside it."""
    async with BackgroundWork(storefront.app.state.shop.settings).running():
        yield


@asynccontextmanager
async def open_app(database_url: str, data: Path, **settings: Any) -> AsyncIterator[Any]:
    """The app, which listens and knows the whole catalogue."""
    app = create_app(
        Settings(_env_file=None, port=PORT, database_url=database_url, shop_data=data, **settings)  # type: ignore[call-arg]
    )
    async with app.router.lifespan_context(app):
        async with asyncio.timeout(60):
            while not app.state.shop.listener.is_connected:  # noqa: ASYNC110 - it tells nobody when it connects
                await asyncio.sleep(0.01)
            await app.state.shop.follower.complete_index()
        yield app


async def _tokens(sessions: Sessions) -> dict[str, str | None]:
    people = {
        "shopper": User(email="shopper@shop.test", name="Ada Lovelace"),
        "admin": User(email="admin@shop.test", name="Alan Turing", role="admin"),
        "primary": User(email="owner@shop.test", name="Edsger Dijkstra", role="admin", is_primary=True),
    }
    async with begin(sessions) as session:
        session.add_all(people.values())
        await session.flush()
        tokens: dict[str, str | None] = {role: await session_token(session, user.id) for role, user in people.items()}
    return {"visitor": None, **tokens}


async def catch_up(app: Any) -> None:
    """Until this process knows of every change that the test has committed: it hears of it a moment later."""
    catalog = app.state.shop.resources.get(LiveCatalog)
    await catalog.follower.complete_index()
    async with asyncio.timeout(60):
        while not await catalog.catch_up(app.state.shop.sessions):  # noqa: ASYNC110 - it gives up after a second
            await asyncio.sleep(0.01)


def client_of(app: Any, token: str | None = None, hooks: Any = None) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url=f"http://localhost:{PORT}",
        headers={"sec-fetch-site": "same-origin"},
        event_hooks=hooks,
        cookies={f"accessToken-{PORT}": token} if token else None,
    )


async def ask(client: httpx.AsyncClient, query: str, **variables: Any) -> Any:
    """The data of a GraphQL answer without errors."""
    answer = await graphql(client, query, **variables)
    assert "errors" not in answer, answer
    return answer["data"]


async def graphql(client: httpx.AsyncClient, query: str, **variables: Any) -> Any:
    """A whole GraphQL answer."""
    response = await client.post("/graphql", json={"query": query, "variables": variables})
    assert response.status_code == 200, response.text
    return response.json()
