"""GraphQL subscriptions over WebSocket (graphql-transport-ws), at the same path as queries and mutations."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, cast

import orjson
from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.types.execution import PreExecutionError
from strawberry.types.graphql import OperationType

from server.config import Settings
from server.platform.core import security
from server.platform.core.context import Context
from server.platform.core.limits import concurrency_slot
from server.platform.gql.requests import MAX_NESTING, is_nested_deeper
from server.schema import Schema

MAX_CONNECTIONS_PER_ACCOUNT = 4
"""Over all processes."""
PLACE_SECONDS = 30
"""So long those of a killed process count."""
MAX_CONNECTIONS = 200
"""Of one process."""
MAX_SUBSCRIPTIONS = 5
CONNECTION_INIT_TIMEOUT = timedelta(seconds=10)
"""How long a new connection may take to send its first message."""
IDLE_SECONDS = 30.0
"""A connection without subscriptions is closed after this; the client reopens it when needed."""
POLICY_VIOLATION = 1008
IDLE = 1000
"""Close code of a normal end."""

_subscriptions: ContextVar["Subscriptions"] = ContextVar("subscriptions")


class Subscriptions:
    """Counts one connection's open subscriptions, and since when it has none."""

    def __init__(self) -> None:
        self._open = 0
        self._idle_since = asyncio.get_running_loop().time()

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Counts a subscription for the duration of the block."""
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            self._idle_since = asyncio.get_running_loop().time()

    async def until_idle(self) -> None:
        """Returns when there has been no subscription for IDLE_SECONDS."""
        loop = asyncio.get_running_loop()
        while self._open or loop.time() - self._idle_since < IDLE_SECONDS:
            since = loop.time() if self._open else self._idle_since
            await asyncio.sleep(max(0.01, since + IDLE_SECONDS - loop.time()))


class GraphQLSocket:
    """One connection per browser tab, from the shop's own pages and for accounts that may subscribe.

    All subscriptions are for admins, so other accounts get no connection and cannot use up the limit.
    """

    def __init__(self, settings: Settings, schema: Schema) -> None:
        self._settings = settings
        self._protocol = _Protocol(
            cast(Schema, _SubscriptionsOnly(schema)),
            graphql_ide=None,
            subscription_protocols=[GRAPHQL_TRANSPORT_WS_PROTOCOL],
            connection_init_wait_timeout=CONNECTION_INIT_TIMEOUT,
            max_subscriptions_per_connection=MAX_SUBSCRIPTIONS,
            allowed_origins=sorted(security.allowed_origins(settings)),
        )
        self._open = 0

    async def endpoint(self, socket: WebSocket) -> None:
        """Serves a connection; closes it with 1008 when the viewer may not subscribe or there are too many."""
        context = cast(Context, socket.state.context)
        viewer = context.viewer
        if viewer is None or not viewer.is_admin or not security.is_same_site(socket.headers, self._settings):
            await socket.close(POLICY_VIOLATION)
            return
        if self._open >= MAX_CONNECTIONS:
            await socket.close(POLICY_VIOLATION)
            return
        self._open += 1
        try:
            bucket = f"live connections:{viewer.user_id}"
            places = concurrency_slot(context.sessions, bucket, MAX_CONNECTIONS_PER_ACCOUNT, PLACE_SECONDS)
            async with places as has_place:
                await (self._run(socket) if has_place else socket.close(POLICY_VIOLATION))
        finally:
            self._open -= 1

    async def _run(self, socket: WebSocket) -> None:
        """Runs until the client disconnects or has been idle for too long."""
        subscriptions = Subscriptions()
        _subscriptions.set(subscriptions)
        idle = asyncio.create_task(self._close_when_idle(socket, subscriptions))
        try:
            await self._protocol.run(socket)
        finally:
            idle.cancel()

    async def _close_when_idle(self, socket: WebSocket, subscriptions: Subscriptions) -> None:
        await subscriptions.until_idle()
        with suppress(RuntimeError):  # It has been closed in the meantime.
            await socket.close(IDLE, "No subscription")


class _SubscriptionsOnly:
    """Refuses queries and mutations: a request reads the session for each and can set cookies."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    async def stream(self, query: str, **options: Any) -> AsyncGenerator[Any, None]:
        return self._results(query, options)

    async def _results(self, query: str, options: dict[str, Any]) -> AsyncGenerator[Any, None]:
        only = {OperationType.SUBSCRIPTION}
        try:
            with _subscriptions.get().one_more():
                async with aclosing(
                    await self._schema.stream(query, allowed_operation_types=only, **options)
                ) as results:
                    async for result in results:
                        yield result
        except GraphQLError as error:
            # An error of this subscription only; as a syntax error it would close the connection with all the others.
            yield PreExecutionError(data=None, errors=[GraphQLError(error.message, extensions=error.extensions)])


class _Protocol(GraphQL[Context, None]):
    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        return cast(Context, request.state.context)

    def decode_json(self, data: str | bytes) -> object:
        """Raises JSONDecodeError, which closes the connection with a reason, instead of RecursionError."""
        message = orjson.loads(data)
        if is_nested_deeper(message):
            raise orjson.JSONDecodeError(f"nested more than {MAX_NESTING} levels deep", "", 0)
        return message

    def encode_json(self, data: object) -> str:
        return orjson.dumps(data).decode()
