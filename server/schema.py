"""Merges every domain's part of the schema, sets its limits and masks what nobody should see."""

from collections.abc import Iterator
from typing import Any

import orjson
import strawberry
import structlog
from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import Response
from strawberry.extensions import (
    DisableIntrospection,
    MaxAliasesLimiter,
    MaxTokensLimiter,
    ParserCache,
    QueryDepthLimiter,
    SchemaExtension,
    ValidationCache,
)
from strawberry.schema.config import StrawberryConfig

from server.config import Settings
from server.core import errors
from server.core.cost import CostLimit
from server.core.db import is_unavailable
from server.core.graphql import SCALARS

log = structlog.get_logger()

MAX_DEPTH = 12
MAX_ALIASES = 30
MAX_TOKENS = 1_500
MAX_ERRORS = 20


class Errors(SchemaExtension):
    """Gives expected errors their code, masks unexpected ones and caps the list."""

    def on_operation(self) -> Iterator[None]:
        yield
        result = self.execution_context.result
        found = getattr(result, "errors", None)
        if found:
            result.errors = [_presentable(error) for error in found[:MAX_ERRORS]]  # type: ignore[union-attr]


def _presentable(error: GraphQLError) -> GraphQLError:
    cause = error.original_error
    if cause is None or isinstance(cause, GraphQLError):
        return error
    if isinstance(cause, errors.StoreError):
        return _error(error, str(cause), cause.code)
    if is_unavailable(cause):
        log.warning("database.away", error=type(cause).__name__)
        return _error(error, str(errors.Unavailable()), errors.Unavailable.code)
    path = ".".join(str(part) for part in error.path or ())
    log.error("field.failed", name=path, error=type(cause).__name__, exc_info=cause)
    return _error(error, "Something went wrong", "INTERNAL")


def _error(error: GraphQLError, message: str, code: str) -> GraphQLError:
    return GraphQLError(message, nodes=error.nodes, path=error.path, extensions={"code": code})


class GraphQLEndpoint:
    """POST /graphql: one JSON document in, one JSON answer out. No GET, no batches, no files."""

    def __init__(self, settings: Settings) -> None:
        self._schema = build(introspection=settings.introspection)

    async def endpoint(self, request: Request) -> Response:
        context: Context = request.state.context
        try:
            asked = _asked(await request.body())
        except errors.InvalidInput as error:
            return refusal(error)
        cache = context.resources.get(CatalogCache)
        key = cache.key(asked.query, asked.variables, asked.operation) if context.viewer is None else None
        if key is None:
            body, unavailable = await self._execute(asked, context)
        else:
            body, unavailable = await cache.answer(key, lambda: self._execute(asked, context))
        response = Response(body, 503 if unavailable else 200, NO_STORE, "application/json")
        if unavailable:
            response.headers["retry-after"] = str(errors.Unavailable().retry_after)
        apply_cookies(context, response)
        return response

    async def _execute(self, asked: "Asked", context: Context) -> tuple[bytes, bool]:
        result = await self._schema.execute(
            asked.query, asked.variables, context_value=context, operation_name=asked.operation
        )
        answer: dict[str, Any] = {"data": result.data}
        unavailable = False
        if result.errors:
            answer["errors"] = [error.formatted for error in result.errors]
            unavailable = any((error.extensions or {}).get("code") == "UNAVAILABLE" for error in result.errors)
        if result.extensions:
            answer["extensions"] = result.extensions
        return orjson.dumps(answer), unavailable


@dataclass(frozen=True)
class Asked:
    query: str
    variables: dict[str, Any] | None
    operation: str | None


def _asked(body: bytes) -> Asked:
    """Raises InvalidInput for what is no GraphQL request."""
    try:
        given = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise errors.InvalidInput({"body": "is not valid JSON"}) from error
    if not isinstance(given, dict) or not isinstance(given.get("query"), str):
        raise errors.InvalidInput({"query": "is required: a GraphQL document as a string"})
    variables, operation = given.get("variables"), given.get("operationName")
    if not isinstance(variables, dict | None) or not isinstance(operation, str | None):
        raise errors.InvalidInput({"variables": "is an object, `operationName` a string"})
    return Asked(given["query"], variables, operation)
