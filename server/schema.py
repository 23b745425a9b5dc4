"""The GraphQL schema: merges the domains' parts, sets limits, and masks unexpected errors."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

import strawberry
import structlog
from graphql import DocumentNode, FieldNode, GraphQLError, GraphQLSyntaxError, get_operation_ast, parse, specified_rules
from strawberry.exceptions import MissingQueryError
from strawberry.extensions import (
    AddValidationRules,
    DisableIntrospection,
    MaxAliasesLimiter,
    QueryDepthLimiter,
    SchemaExtension,
)
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.schema.schema import DEFAULT_ALLOWED_OPERATION_TYPES
from strawberry.types import ExecutionResult, get_object_definition
from strawberry.types.field import StrawberryField
from strawberry.types.graphql import OperationType

from server import nodes
from server.analytics import graphql as analytics
from server.analytics.questions import with_splits_hint
from server.analytics.reports import admin as reports_admin
from server.audit import graphql as audit
from server.cart import graphql as cart
from server.catalog import admin as catalog_admin
from server.catalog import graphql as catalog
from server.catalog.types import SIZE_SCALAR, Size
from server.content import admin as content_admin
from server.content import graphql as content
from server.identity import addresses_graphql, credentials_graphql
from server.identity import admin as identity_admin
from server.identity import graphql as identity
from server.identity.factors import graphql as factors
from server.inventory import graphql as inventory
from server.live import graphql as live
from server.operations import admin as operations_admin
from server.operations import graphql as operations
from server.orders import admin as orders_admin
from server.orders import graphql as orders
from server.payments import admin as payments_admin
from server.payments import graphql as payments
from server.platform.core import errors
from server.platform.core.db import is_unavailable
from server.platform.core.error_codes import ErrorCode
from server.platform.core.viewer import Access
from server.platform.gql import plans
from server.platform.gql.cost import CostLimit, SelectionLimit
from server.platform.gql.descriptions import described
from server.platform.gql.document_cache import MAX_ERRORS, CachedDocuments, DocumentCache, Rules
from server.platform.gql.documents import selected_names
from server.platform.gql.execution import HIDE_SUGGESTIONS, LimitedExecution
from server.platform.gql.introspection_cost import IntrospectionPrice
from server.platform.gql.operations import OperationSelection
from server.platform.gql.permissions import Declared, RecentSignIn
from server.platform.gql.plans.execution import Execution
from server.platform.gql.plans.prepared import Preparation, PreparedOperations
from server.platform.gql.scalars import SCALARS
from server.pricing import admin as pricing_admin
from server.pricing import graphql as pricing
from server.privacy import graphql as privacy
from server.shop import graphql as shop
from server.wishlist import graphql as wishlist

log = structlog.get_logger()
Root = TypeVar("Root")

MAX_DEPTH = 12
MAX_ALIASES = 30
NO_SUCH_OPERATION = (
    "The document has no such operation for this way of asking: queries and mutations are posted, subscriptions go "
    "through graphql-transport-ws."
)


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
    addresses_graphql.AddressViewerFields,
): ...


@strawberry.type(description="An account, as admins see it.")
class User(orders.OrdersUserFields, identity_admin.IdentityUserFields): ...


@strawberry.type(description="A purchase, as admins see it.")
class AdminOrder(payments_admin.PaymentsOrderFields, orders_admin.OrdersOrderFields):
    @classmethod
    def is_type_of(cls, value: object, _info: object) -> bool:
        """Its objects are of the class that the orders' domain makes."""
        return isinstance(value, orders_admin.OrdersOrderFields)


@strawberry.type(description="What admins see and do. Null for everybody else.")
class Admin(
    analytics.AnalyticsAdminFields,
    inventory.InventoryAdminFields,
    pricing_admin.PricingAdminFields,
    content_admin.ContentAdminFields,
    shop.ShopAdminFields,
    orders_admin.OrderListAdminFields,
    orders_admin.ReservationAdminFields,
    catalog_admin.CatalogAdminFields,
    identity_admin.IdentityAdminFields,
    operations.OperationsAdminFields,
    operations_admin.OperationsOwnerFields,
    audit.AuditAdminFields,
): ...


@says_who_may
@strawberry.type(description="Everything that can be asked.")
class Query(
    nodes.NodeQuery,
    content.ContentQuery,
    catalog.CatalogQuery,
    identity.IdentityQuery,
    identity_admin.IdentityAdminQuery,
): ...


@says_who_may
@strawberry.type(description="Everything that can be done. Each answers what has changed, or why nothing has.")
class Mutation(
    reports_admin.SavedReportMutations,
    privacy.PrivacyMutations,
    inventory.InventoryMutations,
    operations.OperationsMutations,
    pricing_admin.PricingMutations,
    content_admin.ContentMutations,
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
    addresses_graphql.AddressMutations,
    credentials_graphql.CredentialsMutations,
    identity_admin.IdentityAdminMutations,
): ...


@says_who_may
@strawberry.type(description="What is told the moment it happens, over graphql-transport-ws.")
class Subscription(live.LiveSubscriptions): ...


class Schema(strawberry.Schema):
    """Strawberry's schema, with a shorter way for operations that it has executed before.

    It would print errors to standard error; here only `Errors` logs them, without values.
    """

    documents: DocumentCache
    prepared: PreparedOperations
    rules: Rules
    """Of validation, besides the specification's."""

    def prepare(self, query: str, operation_name: str) -> None:
        """Prepares a shopper's operation before its first request, unless it is invalid."""
        if not plans.ENABLED or self.prepared.get(query, operation_name) is not None:
            return
        if self._is_for_admins(parse(query, no_location=True), operation_name):
            return
        document = self.documents.parse(query)
        if not self.documents.errors(self._schema, query, document, (*specified_rules, *self.rules)):
            self.prepared.add(self._schema, query, operation_name, document)

    def selected_names(self, query: str, operation_name: str | None, variables: Mapping[str, Any]) -> frozenset[str]:
        """Names of the fields that an operation selects at any depth, without what @skip and @include leave out."""
        prepared = self.prepared.get(query, operation_name)
        if prepared is not None:
            return prepared.selected_names(variables)
        return selected_names(self.documents.parse(query), operation_name, variables)

    def _is_for_admins(self, document: DocumentNode, operation_name: str) -> bool:
        operation = get_operation_ast(document, operation_name)
        root = self._schema.get_root_type(operation.operation) if operation else None
        if operation is None or root is None:
            return False
        names = {node.name.value for node in operation.selection_set.selections if isinstance(node, FieldNode)}
        fields = [described(root.fields[name]) for name in names if name in root.fields]
        accesses = {each.access for field in fields if field for each in _declared(field)}
        return "admin" in names or not accesses.isdisjoint((Access.ADMIN, Access.PRIMARY_ADMIN))

    def process_errors(self, errors: list[GraphQLError], execution_context: Any = None) -> None:
        """Prints nothing."""
        return

    async def execute(
        self,
        query: str | None,
        variable_values: dict[str, Any] | None = None,
        context_value: Any | None = None,
        root_value: Any | None = None,
        operation_name: str | None = None,
        allowed_operation_types: Iterable[OperationType] | None = None,
        operation_extensions: dict[str, Any] | None = None,
    ) -> ExecutionResult:
        """As in Strawberry. An operation that is known to be valid is executed by its plan right away."""
        prepared = self.prepared.get(query, operation_name) if query else None
        if query and prepared and prepared.kind in (allowed_operation_types or DEFAULT_ALLOWED_OPERATION_TYPES):
            result = await prepared.execute(variable_values or {}, context_value, root_value)
            if result is not None:
                self.prepared.count(query, operation_name, prepared)
                if result.errors:
                    result.errors = [_presentable(error) for error in result.errors[:MAX_ERRORS]]
                return result
        return await super().execute(
            query,
            variable_values,
            context_value,
            root_value,
            operation_name,
            allowed_operation_types,
            operation_extensions,
        )


@cache
def build(*, introspection: bool = True) -> Schema:
    """The shop's schema, the same object each time. Raises ValueError when a root field does not declare its access."""
    # Extensions are created for each request, but the validation cache's key contains the limits' rules.
    documents, prepared = DocumentCache(), PreparedOperations()
    limits = (MaxAliasesLimiter(max_alias_count=MAX_ALIASES), QueryDepthLimiter(max_depth=MAX_DEPTH))
    rules = tuple(rule for limit in limits for rule in limit.validation_rules)
    extensions: list[Callable[[], SchemaExtension]] = [
        Errors,
        OperationSelection,
        SelectionLimit,
        lambda: CostLimit(IntrospectionPrice),
        lambda: AddValidationRules(list(rules)),
        lambda: CachedDocuments(documents),
    ]
    if not introspection:
        extensions.append(DisableIntrospection)
    if plans.ENABLED:
        extensions.append(lambda: Preparation(prepared))
    schema = Schema(
        Query,
        Mutation,
        Subscription,
        extensions=extensions,
        execution_context_class=Execution if plans.ENABLED else LimitedExecution,
        config=StrawberryConfig(scalar_map={**SCALARS, Size: SIZE_SCALAR}),
    )
    schema.documents, schema.prepared, schema.rules = documents, prepared, rules
    # Without introspection, error messages must not suggest names either.
    schema._schema.extensions[HIDE_SUGGESTIONS] = not introspection
    undeclared = _undeclared(Query) + _undeclared(Mutation) + _undeclared(Subscription)
    if undeclared:
        raise ValueError(f"No access is declared for {', '.join(undeclared)}.")
    return schema


def _undeclared(root: type) -> list[str]:
    fields = get_object_definition(root, strict=True).fields
    return [f"{root.__name__}.{field.name}" for field in fields if not _declared(field)]


class Errors(SchemaExtension):
    """Adds codes to expected errors, masks unexpected ones, and limits their number."""

    def on_operation(self) -> Iterator[None]:
        """Presents the errors of a query or mutation, also of one that fails as a whole."""
        try:
            yield
        except (MissingQueryError, CannotGetOperationTypeError, InvalidOperationTypeError):
            raise
        except Exception as error:
            whole = error if isinstance(error, GraphQLError) else GraphQLError(str(error), original_error=error)
            raise _presentable(whole) from error
        result = self.execution_context.result
        errors_of_result = getattr(result, "errors", None)
        if errors_of_result:
            result.errors = [_presentable(error) for error in errors_of_result[:MAX_ERRORS]]  # type: ignore[union-attr]

    def on_stream_result(self, result: Any) -> Iterator[None]:
        """Presents the errors of one event of a subscription before it is sent."""
        if result.errors:
            result.errors = [_presentable(error) for error in result.errors[:MAX_ERRORS]]
        yield


def _presentable(error: GraphQLError) -> GraphQLError:
    cause = error.original_error
    if cause is None or isinstance(cause, GraphQLError):
        return _coded(with_splits_hint(error))
    if isinstance(cause, errors.StoreError):
        return _error(error, str(cause), cause.extensions)
    if isinstance(cause, InvalidOperationTypeError | CannotGetOperationTypeError):
        return _error(error, NO_SUCH_OPERATION, {"code": ErrorCode.BAD_USER_INPUT})
    if is_unavailable(cause):
        log.warning("database.away", error=type(cause).__name__)
        return _error(error, str(errors.Unavailable()), errors.Unavailable().extensions)
    if isinstance(cause, ValueError) and error.path is None and error.nodes:
        return _error(error, "A value in this document cannot be read.", {"code": ErrorCode.BAD_USER_INPUT})
    path = ".".join(str(part) for part in error.path or ())
    log.error("field.failed", name=path, error=type(cause).__name__, exc_info=cause)
    return _error(error, "Something went wrong", {"code": ErrorCode.INTERNAL})


def _coded(error: GraphQLError) -> GraphQLError:
    """graphql-core's own error with a code. What neither parsing nor validation has refused is a variable."""
    if "code" not in (error.extensions or {}):
        is_syntax = isinstance(error, GraphQLSyntaxError)
        code = ErrorCode.GRAPHQL_PARSE_FAILED if is_syntax else ErrorCode.GRAPHQL_VARIABLES_INVALID
        error.extensions = {**(error.extensions or {}), "code": code}
    return error


def _error(error: GraphQLError, message: str, extensions: dict[str, Any]) -> GraphQLError:
    return GraphQLError(message, nodes=error.nodes, path=error.path, extensions=extensions)
