"""The GraphQL schema: merges the domains' parts, sets limits, and masks unexpected errors. Serves POST /graphql."""

import asyncio
import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeVar

import orjson
import strawberry
import structlog
from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import Response
from strawberry.extensions import (
    AddValidationRules,
    DisableIntrospection,
    MaxAliasesLimiter,
    QueryDepthLimiter,
    SchemaExtension,
)
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionResult, get_object_definition
from strawberry.types.field import StrawberryField
from strawberry.types.graphql import OperationType

from server.analytics import graphql as analytics
from server.analytics.questions import with_splits_hint
from server.analytics.reports import admin as reports_admin
from server.audit import graphql as audit
from server.cart import graphql as cart
from server.catalog import admin as catalog_admin
from server.catalog import graphql as catalog
from server.catalog.cache import CachedResponse, CatalogCache, asks_catalogue_only
from server.config import Settings
from server.core import errors
from server.core.context import Context
from server.core.db import is_unavailable
from server.core.viewer import Role
from server.gql.cost import LIMIT, CostLimit, SelectionLimit
from server.gql.document_cache import MAX_ERRORS, CachedDocuments, DocumentCache
from server.gql.documents import asked_fields
from server.gql.execution import HIDE_SUGGESTIONS, Execution
from server.gql.introspection import PreparedIntrospection
from server.gql.introspection_cost import IntrospectionPrice
from server.gql.operations import OperationSelection
from server.gql.permissions import Declared, RecentSignIn
from server.gql.requests import MAX_NESTING, is_nested_deeper
from server.gql.scalars import SCALARS
from server.identity import admin as identity_admin
from server.identity import credentials_graphql
from server.identity import graphql as identity
from server.identity.factors import graphql as factors
from server.inventory import graphql as inventory
from server.live import graphql as live
from server.operations import graphql as operations
from server.orders import admin as orders_admin
from server.orders import graphql as orders
from server.payments import admin as payments_admin
from server.payments import graphql as payments
from server.pricing import admin as pricing_admin
from server.pricing import graphql as pricing
from server.privacy import graphql as privacy
from server.shop import graphql as shop
from server.web.compression import accepts
from server.web.cookies import apply_cookies
from server.web.rest import MAX_ADMIN_BODY, MAX_BODY, kept_since, read_body, refusal
from server.wishlist import graphql as wishlist

log = structlog.get_logger()
Root = TypeVar("Root")

MAX_DEPTH = 12
MAX_ALIASES = 30
NO_SUCH_OPERATION = (
    "The document has no such operation for this way of asking: queries and mutations are posted, subscriptions go "
    "through graphql-transport-ws."
)
WORTH_COMPRESSING = 1_400
"""Bytes; a shorter response fits into one packet uncompressed."""
LEVEL, LEVEL_TO_KEEP = 4, 6
"""gzip levels for a response that is sent once, and for one that is cached."""


def _declared(field: StrawberryField) -> list[type[Declared]]:
    return [each for each in field.permission_classes if issubclass(each, Declared)]


def says_who_may(root: type[Root]) -> type[Root]:
    """Appends the requirement of each field that is not open to everyone to its description."""
    for field in get_object_definition(root, strict=True).fields:
        recent = [each.needs for each in field.permission_classes if issubclass(each, RecentSignIn)]
        needs = recent + [each.needs for each in _declared(field) if each.needs]
        field.description = " ".join([field.description or "", *needs])
    return root


@strawberry.type(description="What the whole shop has in common.")
class Shop(pricing.PricingShopFields, catalog.CatalogShopFields): ...


@strawberry.type(description="Who is asking, with everything of their own beneath.")
class Viewer(
    privacy.PrivacyViewerFields,
    payments.PaymentsViewerFields,
    orders.OrdersViewerFields,
    wishlist.WishlistViewerFields,
    cart.CartViewerFields,
    factors.FactorsViewerFields,
    identity.IdentityViewerFields,
): ...


@strawberry.type(description="An account, as admins see it.")
class User(orders.OrdersUserFields, identity_admin.IdentityUserFields): ...


@strawberry.type(description="A purchase, as admins see it.")
class AdminOrder(payments_admin.PaymentsOrderFields, orders_admin.OrdersOrderFields): ...


@strawberry.type(description="What admins see and do. Null for everybody else.")
class Admin(
    analytics.AnalyticsAdminFields,
    inventory.InventoryAdminFields,
    pricing_admin.PricingAdminFields,
    shop.ShopAdminFields,
    orders_admin.OrderListAdminFields,
    catalog_admin.CatalogAdminFields,
    identity_admin.IdentityAdminFields,
    operations.OperationsAdminFields,
    audit.AuditAdminFields,
): ...


@says_who_may
@strawberry.type(description="Everything that can be asked.")
class Query(catalog.CatalogQuery, identity.IdentityQuery, identity_admin.IdentityAdminQuery): ...


@says_who_may
@strawberry.type(description="Everything that can be done. Each answers what has changed, or why nothing has.")
class Mutation(
    reports_admin.SavedReportMutations,
    privacy.PrivacyMutations,
    inventory.InventoryMutations,
    operations.OperationsMutations,
    pricing_admin.PricingMutations,
    shop.ShopMutations,
    payments.PaymentsMutations,
    payments_admin.PaymentsAdminMutations,
    orders.OrdersMutations,
    orders_admin.OrderAdminMutations,
    wishlist.WishlistMutations,
    cart.CartMutations,
    catalog_admin.CatalogAdminMutations,
    factors.FactorsMutations,
    identity.IdentityMutations,
    credentials_graphql.CredentialsMutations,
    identity_admin.IdentityAdminMutations,
): ...


@says_who_may
@strawberry.type(description="What is told the moment it happens, over graphql-transport-ws.")
class Subscription(live.LiveSubscriptions): ...


class Schema(strawberry.Schema):
    """Strawberry's schema, which would print errors to standard error; here only `Errors` logs them, without values."""

    documents: DocumentCache

    def process_errors(self, errors: list[GraphQLError], execution_context: Any = None) -> None:
        """Prints nothing."""
        return


@cache
def build(*, introspection: bool = True) -> Schema:
    """The shop's schema, the same object each time. Raises ValueError when a root field does not declare its access."""
    # Extensions are created for each request, but the validation cache's key contains the limits' rules.
    documents = DocumentCache()
    limits = (MaxAliasesLimiter(max_alias_count=MAX_ALIASES), QueryDepthLimiter(max_depth=MAX_DEPTH))
    rules = [rule for limit in limits for rule in limit.validation_rules]
    extensions: list[Callable[[], SchemaExtension]] = [
        Errors,
        OperationSelection,
        SelectionLimit,
        lambda: CostLimit(IntrospectionPrice),
        lambda: AddValidationRules(rules),
        lambda: CachedDocuments(documents),
    ]
    if not introspection:
        extensions.append(DisableIntrospection)
    made = Schema(
        Query,
        Mutation,
        Subscription,
        extensions=extensions,
        execution_context_class=Execution,
        config=StrawberryConfig(scalar_map=SCALARS),
    )
    made.documents = documents
    # Without introspection, error messages must not suggest names either.
    made._schema.extensions[HIDE_SUGGESTIONS] = not introspection
    undeclared = _undeclared(Query) + _undeclared(Mutation) + _undeclared(Subscription)
    if undeclared:
        raise ValueError(f"No access is declared for {', '.join(undeclared)}.")
    return made


def _undeclared(root: type) -> list[str]:
    fields = get_object_definition(root, strict=True).fields
    return [f"{root.__name__}.{field.name}" for field in fields if not _declared(field)]


class Errors(SchemaExtension):
    """Adds codes to expected errors, masks unexpected ones, and limits their number."""

    def on_operation(self) -> Iterator[None]:
        """Presents the errors of a query or mutation."""
        yield
        result = self.execution_context.result
        found = getattr(result, "errors", None)
        if found:
            result.errors = [_presentable(error) for error in found[:MAX_ERRORS]]  # type: ignore[union-attr]

    def on_stream_result(self, result: Any) -> Iterator[None]:
        """Presents the errors of one event of a subscription before it is sent."""
        if result.errors:
            result.errors = [_presentable(error) for error in result.errors[:MAX_ERRORS]]
        yield


def _presentable(error: GraphQLError) -> GraphQLError:
    cause = error.original_error
    if cause is None or isinstance(cause, GraphQLError):
        return with_splits_hint(error)
    if isinstance(cause, errors.InvalidInput):
        return _error(error, str(cause), cause.code, fields=cause.errors)
    if isinstance(cause, errors.StoreError):
        more: dict[str, Any] = {"fields": {cause.field: str(cause)}} if cause.field else {}
        if isinstance(cause, errors.TooManyRequests):
            more["retryAfter"] = cause.retry_after
        return _error(error, str(cause), cause.code, **more)
    if isinstance(cause, InvalidOperationTypeError | CannotGetOperationTypeError):
        return _error(error, NO_SUCH_OPERATION, errors.InvalidInput.code)
    if is_unavailable(cause):
        log.warning("database.away", error=type(cause).__name__)
        return _error(error, str(errors.Unavailable()), errors.Unavailable.code)
    if isinstance(cause, ValueError) and error.path is None and error.nodes:
        return _error(error, "A value in this document cannot be read.", errors.InvalidInput.code)
    path = ".".join(str(part) for part in error.path or ())
    log.error("field.failed", name=path, error=type(cause).__name__, exc_info=cause)
    return _error(error, "Something went wrong", "INTERNAL")


def _error(error: GraphQLError, message: str, code: str, **more: Any) -> GraphQLError:
    return GraphQLError(message, nodes=error.nodes, path=error.path, extensions={"code": code, **more})


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


class ReportsClient(Protocol):
    """Asks the reports process, which answers the same documents."""

    async def answer(self, asked: "GraphQLRequest", context: Context) -> CachedResponse | None:
        """The response; None when the process cannot be asked."""

    async def close(self) -> None:
        """Ends the process, if it runs."""


class GraphQLEndpoint:
    """POST /graphql: one JSON document in, one JSON response out. No GET, no batches, no files.

    Admins' documents about analytics go to `elsewhere`, if there is such a process and it can answer.
    """

    def __init__(self, settings: Settings, elsewhere: ReportsClient | None = None) -> None:
        self.schema = build(introspection=settings.introspection)
        introspection = PreparedIntrospection(self.schema._schema, self.schema.documents, limit=LIMIT)
        self._introspection = introspection if settings.introspection else None
        self._elsewhere = elsewhere

    async def endpoint(self, request: Request) -> Response:
        """Responds 200 with data or errors, 503 when the viewer is unknown, 4xx to an invalid request."""
        context: Context = request.state.context
        most = MAX_ADMIN_BODY if context.viewer and context.viewer.is_admin else MAX_BODY
        try:
            asked = _asked(await read_body(request, most))
        except errors.StoreError as error:
            return refusal(error)
        if context.unknown and not asks_catalogue_only(asked.query, asked.operation):
            answer = UNAVAILABLE
        else:
            answer = await self.answer(asked, context)
        status = 503 if answer.unavailable else 200
        body, encoding = _encoded(answer, request.headers.get("accept-encoding", ""))
        kept = "public, no-cache" if answer.complete and _is_for_everybody(asked, context) else "no-store"
        response = Response(body, status, {"cache-control": kept, **encoding}, "application/json")
        if answer.stale is not None:
            response.headers.update(kept_since(answer.stale))
        if answer.unavailable:
            response.headers["retry-after"] = str(errors.Unavailable().retry_after)
        apply_cookies(context, response)
        return response

    async def answer(self, asked: "GraphQLRequest", context: Context) -> CachedResponse:
        """The response as JSON; a shopper's query of the catalogue alone comes from the cache."""
        if self._introspection and (prepared := await self._introspection.answer(asked.query, asked.operation)):
            return CachedResponse(prepared.body, gzipped=prepared.gzipped)
        if _is_admin(context):
            return await self._answered_elsewhere(asked, context) or await self._execute(asked, context)
        cache = context.resources.get(CatalogCache)
        key = cache.key(asked.query, asked.variables, asked.operation)
        if key is None:
            return await self._execute(asked, context)
        return await cache.answer(key, lambda: self.answer_packed(asked, context, LEVEL_TO_KEEP))

    async def _answered_elsewhere(self, asked: "GraphQLRequest", context: Context) -> CachedResponse | None:
        if self._elsewhere is None or "analytics" not in asked_fields(asked.query, asked.operation, under="admin"):
            return None
        return await self._elsewhere.answer(asked, context)

    async def answer_packed(self, asked: "GraphQLRequest", context: Context, level: int = LEVEL) -> CachedResponse:
        """A new response, compressed in a thread when it is long enough."""
        answer = await self._execute(asked, context)
        if len(answer.body) < WORTH_COMPRESSING:
            return answer
        return answer._replace(gzipped=await asyncio.to_thread(gzip.compress, answer.body, level, mtime=0))

    async def _execute(self, asked: "GraphQLRequest", context: Context) -> CachedResponse:
        result = await self._result(asked, context)
        answer: dict[str, Any] = {"data": result.data}
        unavailable = False
        if result.errors:
            answer["errors"] = [error.formatted for error in result.errors]
            unavailable = any((error.extensions or {}).get("code") == "UNAVAILABLE" for error in result.errors)
        if result.extensions:
            answer["extensions"] = result.extensions
        return CachedResponse(orjson.dumps(answer), unavailable, complete=not result.errors, stale=context.stale)

    async def _result(self, asked: "GraphQLRequest", context: Context) -> ExecutionResult:
        try:
            return await self.schema.execute(
                asked.query,
                asked.variables,
                context_value=context,
                operation_name=asked.operation,
                allowed_operation_types={OperationType.QUERY, OperationType.MUTATION},
            )
        except (InvalidOperationTypeError, CannotGetOperationTypeError):
            error = GraphQLError(NO_SUCH_OPERATION, extensions={"code": errors.InvalidInput.code})
            return ExecutionResult(data=None, errors=[error])


def _is_for_everybody(asked: "GraphQLRequest", context: Context) -> bool:
    """Whether a browser may cache the response beyond the session: it holds only what every shopper sees."""
    return not _is_admin(context) and not context.cookies and asks_catalogue_only(asked.query, asked.operation)


def _is_admin(context: Context) -> bool:
    return context.viewer is not None and context.viewer.role is Role.ADMIN


def _encoded(answer: CachedResponse, accepted: str) -> tuple[bytes, dict[str, str]]:
    """The body in a content coding that the client accepts, with its headers."""
    if len(answer.body) < WORTH_COMPRESSING:
        return answer.body, {}
    if not accepts(accepted, "gzip"):
        return answer.body, {"vary": "accept-encoding"}
    body = answer.gzipped or gzip.compress(answer.body, LEVEL, mtime=0)
    return body, {"vary": "accept-encoding", "content-encoding": "gzip"}


@dataclass(frozen=True)
class GraphQLRequest:
    """A parsed request body."""

    query: str
    variables: dict[str, Any] | None
    operation: str | None


def _asked(body: bytes) -> GraphQLRequest:
    """Raises InvalidInput for a body that is not a GraphQL request."""
    try:
        given = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise errors.InvalidInput({"body": "is not valid JSON"}) from error
    if not isinstance(given, dict) or not isinstance(given.get("query"), str) or not given["query"]:
        raise errors.InvalidInput({"query": "is required: a GraphQL document as a string"})
    if is_nested_deeper(given):
        raise errors.InvalidInput({"variables": f"are nested more than {MAX_NESTING} levels deep"})
    variables, operation = given.get("variables"), given.get("operationName")
    if not isinstance(variables, dict | None) or not isinstance(operation, str | None):
        raise errors.InvalidInput({"variables": "is an object, `operationName` a string"})
    return GraphQLRequest(given["query"], variables, operation or None)
