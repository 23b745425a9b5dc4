"""POST /graphql: answers from the cache, from the reports process or by the schema, and compresses what is long."""

import asyncio
from dataclasses import dataclass
from functools import cached_property, partial
from types import NoneType
from typing import Any, Protocol

import orjson
from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import Response
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from server import schema
from server.catalog.cache import CachedResponse, CatalogCache
from server.catalog.dependencies import CACHE_DEPENDENCIES
from server.config import Settings
from server.platform.core import errors
from server.platform.core.context import Context
from server.platform.core.package_data import package_data
from server.platform.core.viewer import Role
from server.platform.gql import persisted
from server.platform.gql.cost import LIMIT
from server.platform.gql.documents import asked_fields
from server.platform.gql.introspection import PreparedIntrospection
from server.platform.gql.persisted import NOT_FOUND, PersistedOperations, PersistedQueryNotFound
from server.platform.gql.requests import MAX_NESTING, is_nested_deeper
from server.platform.web.compression import accepts, gzip
from server.platform.web.cookies import apply_cookies
from server.platform.web.known_requests import BODY, KnownRequests
from server.platform.web.rest import MAX_ADMIN_BODY, MAX_BODY, kept_since, read_body, refusal

WORTH_COMPRESSING = 1_400
"""Bytes; a shorter response fits into one packet uncompressed."""
BYTES_PER_CHARACTER = 10
"""At most, of what a document and its variables are in memory: a pointer for each value of a list."""
PAUSE = 0.05
"""Seconds between two operations that are prepared, each of which takes some milliseconds."""
OBJECT_OR_NULL, STRING_OR_NULL = (dict, NoneType), (str, NoneType)
LONG = 1_000_000
"""Bytes; a longer response is compressed in a thread."""
UNAVAILABLE = CachedResponse(
    orjson.dumps(
        {
            "data": None,
            "errors": [{"message": str(errors.Unavailable()), "extensions": {"code": errors.Unavailable.code}}],
        }
    ),
    unavailable=True,
    complete=False,
)
"""The response when the viewer is unknown because the database cannot be reached."""


@dataclass(frozen=True)
class GraphQLRequest:
    """A parsed request body."""

    query: str
    variables: dict[str, Any] | None
    operation: str | None

    @cached_property
    def key(self) -> bytes | None:
        """The key of its response in the cache; None when it asks for more than the catalogue."""
        return CatalogCache.key(self.query, self.variables, self.operation)


class ReportsClient(Protocol):
    """Asks the reports process, which answers the same documents."""

    async def answer(self, request: GraphQLRequest, context: Context) -> CachedResponse | None:
        """The response; None when the process cannot be asked."""


class GraphQLEndpoint:
    """One JSON document in, one JSON response out. No GET, no batches, no files.

    Admins' documents about analytics go to the reports process, if there is one and it can answer.
    """

    def __init__(
        self, settings: Settings, reports: ReportsClient | None = None, known: KnownRequests | None = None
    ) -> None:
        self.schema = schema.build(introspection=settings.introspection)
        introspection = PreparedIntrospection(self.schema._schema, self.schema.documents, limit=LIMIT)
        self._introspection = introspection if settings.introspection else None
        self._reports = reports
        self._known = known
        self._persisted = PersistedOperations(package_data(persisted.FILE))

    async def prepare(self) -> None:
        """Prepares the client's operations one at a time, so that the first who asks for one waits for none of it."""
        for each in self._persisted.by_hash.values():
            self.schema.prepare(each.text, each.name)
            await asyncio.sleep(PAUSE)

    async def endpoint(self, request: Request) -> Response:
        """Responds 200 with data or errors, 503 when the viewer is unknown, 4xx to an invalid request."""
        context: Context = request.state.context
        most = MAX_ADMIN_BODY if context.viewer and context.viewer.is_admin else MAX_BODY
        try:
            body = request.scope.get(BODY)
            if body is None or len(body) > most:
                body = await read_body(request, most)
            graphql_request = _parsed(body, self._persisted)
        except PersistedQueryNotFound:
            return Response(orjson.dumps(NOT_FOUND), 200, {"cache-control": "no-store"}, "application/json")
        except errors.StoreError as error:
            return refusal(error)
        if context.unknown and graphql_request.key is None:
            answer = UNAVAILABLE
        else:
            answer = await self.answer(graphql_request, context)
        for_everybody = _is_for_everybody(graphql_request, context)
        takes_gzip = accepts(request.headers.get("accept-encoding", ""), "gzip")
        if for_everybody and context.viewer is None:
            self._remember(request, body, graphql_request, context, takes_gzip)
        response = _response(answer, for_everybody, takes_gzip)
        apply_cookies(context, response)
        return response

    def _remember(
        self, request: Request, body: bytes, graphql_request: GraphQLRequest, context: Context, takes_gzip: bool
    ) -> None:
        """Lets the next one who sends the same body have the cached response without any of this."""
        cache, key = context.resources.get(CatalogCache), graphql_request.key
        if self._known is not None and key is not None and cache.current(key) is not None:
            self._known.remember(request.scope, body, partial(_known_response, cache, key, takes_gzip))

    async def answer(self, request: GraphQLRequest, context: Context) -> CachedResponse:
        """The response as JSON; a shopper's query of the catalogue alone comes from the cache."""
        if request.key is not None and not _is_admin(context):
            cache = context.resources.get(CatalogCache)
            return await cache.answer(request.key, lambda: self._answer_to_keep(request, context), context.sessions)
        if self._introspection and (prepared := await self._introspection.answer(request.query, request.operation)):
            return CachedResponse(prepared.body, gzipped=prepared.gzipped)
        if _is_admin(context):
            return await self._answered_by_reports(request, context) or await self._execute(request, context)
        return await self._execute(request, context)

    async def _answer_to_keep(self, request: GraphQLRequest, context: Context) -> CachedResponse:
        if dependencies := CACHE_DEPENDENCIES.get():
            names = self.schema.selected_names(request.query, request.operation, request.variables or {})
            dependencies.shows_variants, dependencies.shows_stock = "variants" in names, "stock" in names
            dependencies.request_bytes = BYTES_PER_CHARACTER * (
                len(request.query) + len(orjson.dumps(request.variables))
            )
        return await self.answer_packed(request, context)

    async def _answered_by_reports(self, request: GraphQLRequest, context: Context) -> CachedResponse | None:
        if self._reports is None or "analytics" not in asked_fields(request.query, request.operation, under="admin"):
            return None
        return await self._reports.answer(request, context)

    async def answer_packed(self, request: GraphQLRequest, context: Context) -> CachedResponse:
        """A new response, compressed when it is long enough."""
        answer = await self._execute(request, context)
        if len(answer.body) < WORTH_COMPRESSING:
            return answer
        if len(answer.body) > LONG:
            return answer._replace(gzipped=await asyncio.to_thread(gzip, answer.body))
        return answer._replace(gzipped=gzip(answer.body))

    async def _execute(self, request: GraphQLRequest, context: Context) -> CachedResponse:
        result = await self._result(request, context)
        answer: dict[str, Any] = {"data": result.data}
        unavailable = False
        if result.errors:
            answer["errors"] = [error.formatted for error in result.errors]
            unavailable = any((error.extensions or {}).get("code") == "UNAVAILABLE" for error in result.errors)
        if result.extensions:
            answer["extensions"] = result.extensions
        return CachedResponse(orjson.dumps(answer), unavailable, complete=not result.errors, stale=context.stale)

    async def _result(self, request: GraphQLRequest, context: Context) -> ExecutionResult:
        try:
            return await self.schema.execute(
                request.query,
                request.variables,
                context_value=context,
                operation_name=request.operation,
                allowed_operation_types={OperationType.QUERY, OperationType.MUTATION},
            )
        except (InvalidOperationTypeError, CannotGetOperationTypeError):
            error = GraphQLError(schema.NO_SUCH_OPERATION, extensions={"code": errors.InvalidInput.code})
            return ExecutionResult(data=None, errors=[error])


def _is_for_everybody(request: GraphQLRequest, context: Context) -> bool:
    """Whether a browser may cache the response beyond the session: it holds only what every shopper sees."""
    return not _is_admin(context) and not context.cookies and request.key is not None


def _is_admin(context: Context) -> bool:
    return context.viewer is not None and context.viewer.role is Role.ADMIN


def _known_response(cache: CatalogCache, key: bytes, takes_gzip: bool) -> Response | None:
    answer = cache.current(key)
    return None if answer is None else _response(answer, True, takes_gzip)


def _response(answer: CachedResponse, for_everybody: bool, takes_gzip: bool) -> Response:
    body, encoding = _encoded(answer, takes_gzip)
    cache_control = "public, no-cache" if answer.complete and for_everybody else "no-store"
    status = 503 if answer.unavailable else 200
    response = Response(body, status, {"cache-control": cache_control, **encoding}, "application/json")
    if answer.stale is not None:
        response.headers.update(kept_since(answer.stale))
    if answer.unavailable:
        response.headers["retry-after"] = str(errors.Unavailable().retry_after)
    return response


def _encoded(answer: CachedResponse, takes_gzip: bool) -> tuple[bytes, dict[str, str]]:
    """The body in a content coding that the client accepts, with its headers."""
    if len(answer.body) < WORTH_COMPRESSING:
        return answer.body, {}
    if not takes_gzip:
        return answer.body, {"vary": "accept-encoding"}
    body = answer.gzipped or gzip(answer.body)
    return body, {"vary": "accept-encoding", "content-encoding": "gzip"}


def _parsed(body: bytes, persisted: PersistedOperations) -> GraphQLRequest:
    """Raises InvalidInput for a body that is not a GraphQL request, and PersistedQueryNotFound."""
    try:
        payload = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise errors.InvalidInput({"body": "is not valid JSON"}) from error
    query = persisted.document(payload.get("query"), payload.get("extensions")) if isinstance(payload, dict) else None
    if not isinstance(query, str) or not query:
        raise errors.InvalidInput({"query": "is required: a GraphQL document as a string"})
    if is_nested_deeper(payload):
        raise errors.InvalidInput({"variables": f"are nested more than {MAX_NESTING} levels deep"})
    variables, operation = payload.get("variables"), payload.get("operationName")
    if not isinstance(variables, OBJECT_OR_NULL) or not isinstance(operation, STRING_OR_NULL):
        raise errors.InvalidInput({"variables": "is an object, `operationName` a string"})
    return GraphQLRequest(query, variables, operation or None)
