"""Subscriptions over graphql-transport-ws, at the same address as every other document."""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import timedelta
from typing import Any, cast
from uuid import UUID

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
from server.core import security
from server.core.context import Context
from server.schema import Schema

MOST_OF_ONE_ACCOUNT = 10
MOST_IN_ALL = 200
MOST_SUBSCRIPTIONS = 5
PATIENCE = timedelta(seconds=10)
"""How long a fresh connection may keep silent."""
POLICY_VIOLATION = 1008


class GraphQLSocket:
    """One connection a browser tab. The handshake asks for the shop's own page and a session, or is refused."""

    def __init__(self, settings: Settings, schema: Schema) -> None:
        self._settings = settings
        self._protocol = _Protocol(
            cast(Schema, _SubscriptionsOnly(schema)),
            graphql_ide=None,
            subscription_protocols=[GRAPHQL_TRANSPORT_WS_PROTOCOL],
            connection_init_wait_timeout=PATIENCE,
            max_subscriptions_per_connection=MOST_SUBSCRIPTIONS,
            allowed_origins=sorted(security.allowed_origins(settings)),
        )
        self._open: Counter[UUID] = Counter()

    async def endpoint(self, socket: WebSocket) -> None:
        viewer = cast(Context, socket.state.context).viewer
        if viewer is None or not security.is_same_site(socket.headers, self._settings) or self._is_full(viewer.user_id):
            await socket.close(POLICY_VIOLATION)
            return
        self._open[viewer.user_id] += 1
        try:
            await self._protocol.run(socket)
        finally:
            self._open[viewer.user_id] -= 1
            if not self._open[viewer.user_id]:
                del self._open[viewer.user_id]

    def _is_full(self, user_id: UUID) -> bool:
        return self._open[user_id] >= MOST_OF_ONE_ACCOUNT or self._open.total() >= MOST_IN_ALL


class _SubscriptionsOnly:
    """Queries and mutations go the way that reads the session anew for each and can set its cookie."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    async def stream(self, query: str, **asked: Any) -> AsyncGenerator[Any, None]:
        return self._results(query, asked)

    async def _results(self, query: str, asked: dict[str, Any]) -> AsyncGenerator[Any, None]:
        only = {OperationType.SUBSCRIPTION}
        try:
            async with aclosing(await self._schema.stream(query, allowed_operation_types=only, **asked)) as results:
                async for result in results:
                    yield result
        except GraphQLError as error:
            # As an error of this one subscription: a syntax error would close the connection with all of them.
            yield PreExecutionError(data=None, errors=[GraphQLError(error.message)])


class _Protocol(GraphQL[Context, None]):
    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        return cast(Context, request.state.context)

    def encode_json(self, data: object) -> str:
        return orjson.dumps(data).decode()
