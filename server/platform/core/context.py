"""What one request carries, for GraphQL and REST alike."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core import db, statements
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import Unauthenticated
from server.platform.core.limits import network
from server.platform.core.resources import Resources
from server.platform.core.site import Site
from server.platform.core.statements import DriverConnection
from server.platform.core.viewer import Viewer

if TYPE_CHECKING:
    from strawberry.dataloader import DataLoader

K = TypeVar("K")
V = TypeVar("V")
Batch = Callable[[AsyncSession, Sequence[K]], Awaitable[Mapping[K, V]]]


@dataclass(frozen=True)
class ResponseCookie:
    """A cookie that the response sets; `value` None deletes it."""

    name: str
    value: str | None
    max_age: int = 0


@dataclass
class Context:
    """A request's viewer, client address, tokens, and access to the database. Lives as long as the request."""

    site: Site
    sessions: Sessions
    resources: Resources
    viewer: Viewer | None = None
    token: str | None = None
    """The session token, when there is a viewer."""
    device: str | None = None
    """The token in the browser's device cookie, not yet verified."""
    browser: str | None = None
    """A visitor's token in a short-lived cookie, which ties a sign-in in progress to this browser."""
    unknown: bool = False
    """True when there is a token, but its session could not be looked up."""
    ip: str = ""
    user_agent: str = ""
    cookies: list[ResponseCookie] = field(default_factory=list)
    stale: float | None = None
    """Seconds for which something in the response may have been outdated; None when nothing is."""
    _loaders: "dict[Any, DataLoader[Any, Any]]" = field(default_factory=dict)

    @property
    def signed_in(self) -> Viewer:
        """The viewer. Raises Unauthenticated for a visitor."""
        if self.viewer is None:
            raise Unauthenticated
        return self.viewer

    @property
    def network(self) -> str:
        """The client's network, as rate limits count it."""
        return network(self.ip)

    async def load(self, batch: Batch[K, V], key: K) -> V | None:
        """One value of a batch function; keys loaded in the same tick share one call and one short session."""
        if batch not in self._loaders:
            # A worker, which answers no GraphQL, would load all of Strawberry with it.
            from strawberry.dataloader import DataLoader

            async def load_many(keys: list[K]) -> list[V | None]:
                async with reading(self) as session:
                    values = await batch(session, keys)
                return [values.get(key) for key in keys]

            self._loaders[batch] = DataLoader(load_fn=load_many)
        value: V | None = await self._loaders[batch].load(key)
        return value

    def forget_loaded(self) -> None:
        """Drops what `load` has cached. Call it after a change."""
        self._loaders.clear()


def transaction(context: Context) -> AbstractAsyncContextManager[AsyncSession]:
    """One transaction, committed at the end of the block.

    Open it inside the edge's `try`, so that a refusal rolls back.
    """
    context.forget_loaded()
    return begin(context.sessions)


def reading(context: Context) -> AbstractAsyncContextManager[AsyncSession]:
    """A short session for reads. Close it before awaiting a loader."""
    return db.autocommit(context.sessions)


def connection(context: Context) -> AbstractAsyncContextManager[DriverConnection]:
    """A connection on which each statement is a transaction of its own: for a change that is one statement."""
    context.forget_loaded()
    return statements.connection(context.sessions)
