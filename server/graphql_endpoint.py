"""/graphql over HTTP: answers from the cache, from the reports process or by the schema, and compresses what is long.

It follows the GraphQL-over-HTTP specification: https://graphql.github.io/graphql-over-http/draft/.
"""

import asyncio
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote, urlencode

import orjson
from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from server import schema
from server.catalog.cache import CachedResponse, CatalogCache
from server.catalog.dependencies import CACHE_DEPENDENCIES
from server.config import Settings
from server.platform.core import errors
from server.platform.core.context import Context
from server.platform.core.error_codes import ErrorCode
from server.platform.core.package_data import package_data
from server.platform.core.viewer import Role
from server.platform.gql import persisted
from server.platform.gql.cost import LIMIT
from server.platform.gql.documents import asked_fields
from server.platform.gql.introspection import PreparedAnswer, PreparedIntrospection
from server.platform.gql.persisted import PersistedOperations, PersistedQueryNotFound
from server.platform.gql.requests import BatchRefused, in_body, in_url, read_parameters, texts_in_url
from server.platform.web.compression import accepts, gzip
from server.platform.web.cookies import apply_cookies
from server.platform.web.known_requests import BODY, KnownRequests
from server.platform.web.media_types import JSON, preferred, prefers_html
from server.platform.web.refusals import graphql_refusal
from server.platform.web.rest import MAX_ADMIN_BODY, MAX_BODY, kept_since, read_body

WORTH_COMPRESSING = 1_400
"""Bytes; a shorter response fits into one packet uncompressed."""
BYTES_PER_CHARACTER = 10
"""At most, of what a document and its variables are in memory: a pointer for each value of a list."""
PAUSE = 0.05
"""Seconds between two operations that are prepared, each of which takes some milliseconds."""
LONG = 1_000_000
"""Bytes; a longer response is compressed in a thread."""
METHODS = ("GET", "HEAD", "POST")
GRAPHQL_JSON = "application/graphql-response+json"
MEDIA_TYPES = (JSON, GRAPHQL_JSON)
WORKBENCH = "/graphiql"
UNAVAILABLE = CachedResponse(
    orjson.dumps({"errors": [{"message": str(errors.Unavailable()), "extensions": errors.Unavailable().extensions}]}),
    unavailable=True,
    complete=False,
)
"""The response when the viewer is unknown because the database cannot be reached."""


@dataclass(frozen=True)
class GraphQLRequest:
    """A parsed request."""

    query: str
    variables: dict[str, Any] | None
    operation: str | None
    reads_only: bool = False
    """Whether it came by a safe method, which executes no mutation."""

    @cached_property
    def key(self) -> bytes | None:
        """The key of its response in the cache; None when it asks for more than the catalogue."""
        return CatalogCache.key(self.query, self.variables, self.operation)


class ReportsClient(Protocol):
    """Asks the reports process, which answers the same documents."""

    async def answer(self, request: GraphQLRequest, context: Context) -> CachedResponse | None:
        """The response; None when the process cannot be asked."""


class GraphQLEndpoint:
    """One operation in, one JSON response out: by POST as JSON, and queries by GET as well. No batches, no files.

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
        """Responds 200 with data or errors, 503 when the viewer is unknown, 4xx to an invalid request.

        Errors before execution are 4xx for clients that accept GraphQL's own media type. A browser that wants a page
        is redirected to GraphiQL, which shows the URL's document and executes nothing by itself.
        """
        accept = request.headers.get("accept")
        if request.method != "POST" and prefers_html(accept):
            location = _workbench(request.scope["query_string"])
            return RedirectResponse(location, 302, {"cache-control": "no-store", "vary": "accept"})
        media_type = preferred(accept, MEDIA_TYPES)
        if media_type is None:
            return graphql_refusal(errors.NotAcceptable(MEDIA_TYPES))
        # Of what is no response to one operation: clients read the status of JSON alone.
        plain_type = preferred(accept, (JSON,)) or media_type
        try:
            return await self._respond(request, media_type, plain_type)
        except BatchRefused as error:
            return graphql_refusal(error, plain_type)
        except PersistedQueryNotFound as error:
            return graphql_refusal(error, media_type, 200 if media_type == JSON else None)
        except errors.StoreError as error:
            return graphql_refusal(error, media_type)

    async def _respond(self, request: Request, media_type: str, plain_type: str) -> Response:
        context: Context = request.state.context
        body = await _body(request, MAX_ADMIN_BODY if context.viewer and context.viewer.is_admin else MAX_BODY)
        payload = in_body(body) if request.method == "POST" else in_url(request.scope["query_string"])
        parameters = read_parameters(payload, self._persisted)
        graphql_request = GraphQLRequest(*parameters, reads_only=request.method != "POST")
        if context.unknown and graphql_request.key is None:
            answer = UNAVAILABLE
        else:
            answer = await self.answer(graphql_request, context)
        delivery = Delivery(
            _is_for_everybody(graphql_request, context),
            accepts(request.headers.get("accept-encoding", ""), "gzip"),
            media_type,
            plain_type,
        )
        if delivery.for_everybody and context.viewer is None:
            self._remember(request, body, graphql_request, context, delivery)
        response = _response(answer, delivery)
        apply_cookies(context, response)
        return response

    def _remember(
        self, request: Request, body: bytes, graphql_request: GraphQLRequest, context: Context, delivery: "Delivery"
    ) -> None:
        """Lets the next one who sends the same request have the cached response without any of this."""
        cache, key = context.resources.get(CatalogCache), graphql_request.key
        if self._known is not None and key is not None and cache.current(key) is not None:
            self._known.remember(request.scope, body, partial(_known_response, cache, key, delivery))

    async def answer(self, request: GraphQLRequest, context: Context) -> CachedResponse:
        """The response as JSON; a shopper's query of the catalogue alone comes from the cache."""
        if request.key is not None and not _is_admin(context):
            cache = context.resources.get(CatalogCache)
            return await cache.answer(request.key, lambda: self._answer_to_keep(request, context), context.sessions)
        if prepared := await self._introspect(request):
            return CachedResponse(prepared.body, gzipped=prepared.gzipped)
        if _is_admin(context):
            return await self._answered_by_reports(request, context) or await self._execute(request, context)
        return await self._execute(request, context)

    async def _introspect(self, request: GraphQLRequest) -> PreparedAnswer | None:
        if self._introspection is None:
            return None
        return await self._introspection.answer(request.query, request.operation, request.variables or {})

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
        codes = {(error.extensions or {}).get("code") for error in result.errors or ()}
        unavailable = ErrorCode.UNAVAILABLE in codes
        answer: dict[str, Any] = {}
        # Without `data` where nothing was executed, or its result is withheld.
        if not (unavailable or _is_request_error(result)):
            answer["data"] = result.data
        if result.errors:
            answer["errors"] = [error.formatted for error in result.errors]
        if result.extensions:
            answer["extensions"] = result.extensions
        return CachedResponse(
            orjson.dumps(answer),
            unavailable,
            complete=not result.errors,
            status=200 if "data" in answer else 500 if ErrorCode.INTERNAL in codes else 400,
            stale=context.stale,
        )

    async def _result(self, request: GraphQLRequest, context: Context) -> ExecutionResult:
        """Raises MethodNotAllowed for a mutation by a safe method."""
        mutation = set() if request.reads_only else {OperationType.MUTATION}
        try:
            return await self.schema.execute(
                request.query,
                request.variables,
                context_value=context,
                operation_name=request.operation,
                allowed_operation_types={OperationType.QUERY, *mutation},
            )
        except (InvalidOperationTypeError, CannotGetOperationTypeError) as error:
            if isinstance(error, InvalidOperationTypeError) and error.operation_type is OperationType.MUTATION:
                raise errors.MethodNotAllowed(frozenset({"POST"}), "Mutations are sent by POST.") from error
            refused = GraphQLError(schema.NO_SUCH_OPERATION, extensions={"code": ErrorCode.BAD_USER_INPUT})
            return ExecutionResult(data=None, errors=[refused])


def _workbench(query_string: bytes) -> str:
    """GraphiQL's URL with a request's document, variables and operation name in the fragment, as text."""
    try:
        texts = texts_in_url(query_string)
    except errors.InvalidInput:
        return WORKBENCH
    shown = [(name, texts[name]) for name in ("query", "variables", "operationName") if name in texts]
    return f"{WORKBENCH}#{urlencode(shown, quote_via=quote)}" if "query" in texts else WORKBENCH


def _is_request_error(result: ExecutionResult) -> bool:
    """Whether nothing was executed. Errors of execution belong to a field, or to the size of the whole response."""
    return result.data is None and not any(
        error.path or (error.extensions or {}).get("code") == ErrorCode.TOO_LARGE for error in result.errors or ()
    )


def _is_for_everybody(request: GraphQLRequest, context: Context) -> bool:
    """Whether a browser may cache the response beyond the session: it holds only what every shopper sees."""
    return not _is_admin(context) and not context.cookies and request.key is not None


def _is_admin(context: Context) -> bool:
    return context.viewer is not None and context.viewer.role is Role.ADMIN


class Delivery(NamedTuple):
    """How a response is sent."""

    for_everybody: bool
    """Whether a browser may cache it beyond the session."""
    takes_gzip: bool
    media_type: str
    plain_type: str
    """The media type of what is no response of GraphQL's."""


def _known_response(cache: CatalogCache, key: bytes, delivery: Delivery) -> Response | None:
    answer = cache.current(key)
    return None if answer is None else _response(answer, delivery)


def _response(answer: CachedResponse, delivery: Delivery) -> Response:
    body, encoding = _encoded(answer, delivery.takes_gzip)
    cache_control = "public, no-cache" if answer.complete and delivery.for_everybody else "no-store"
    media_type = delivery.plain_type if answer.unavailable else delivery.media_type
    status = 503 if answer.unavailable else 200 if media_type == JSON else answer.status
    response = Response(body, status, {"cache-control": cache_control, **encoding}, media_type)
    if answer.stale is not None:
        response.headers.update(kept_since(answer.stale))
    if answer.unavailable:
        response.headers.update(errors.Unavailable().headers)
    return response


def _encoded(answer: CachedResponse, takes_gzip: bool) -> tuple[bytes, dict[str, str]]:
    """The body in a content coding that the client accepts, with its headers."""
    if len(answer.body) < WORTH_COMPRESSING:
        return answer.body, {"vary": "accept"}
    if not takes_gzip:
        return answer.body, {"vary": "accept, accept-encoding"}
    body = answer.gzipped or gzip(answer.body)
    return body, {"vary": "accept, accept-encoding", "content-encoding": "gzip"}


async def _body(request: Request, most: int) -> bytes:
    """The body, which load shedding may have read. Raises TooLarge."""
    body: bytes | None = request.scope.get(BODY)
    return await read_body(request, most) if body is None or len(body) > most else body
