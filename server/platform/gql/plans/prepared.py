"""Operations that are known to be valid, with their plans: they are executed without Strawberry's steps before that."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graphql import (
    ArgumentNode,
    DocumentNode,
    ExecutableDefinitionNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    Node,
    OperationDefinitionNode,
    VariableNode,
    get_operation_ast,
)
from graphql import OperationType as GraphQLOperationType
from graphql.execution import ExecutionResult as GraphQLResult
from graphql.execution.collect_fields import FragmentDetails
from graphql.execution.get_variable_signature import get_variable_signature
from graphql.execution.values import VariableValues, VariableValueSource, get_variable_values
from graphql.pyutils import Undefined
from graphql.utilities import coerce_input_value
from strawberry.extensions import SchemaExtension
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.gql.cost import INTROSPECTION, PAGED, cost_extension, cost_of, refuse_costly
from server.platform.gql.document_cache import size_of
from server.platform.gql.documents import LONGEST_KEPT, NAME_BYTES, digest, selected_names
from server.platform.gql.execution import hides_suggestions
from server.platform.gql.introspection_cost import IntrospectionPrice
from server.platform.gql.plans.execution import Execution, Plan
from server.platform.gql.plans.planned import ExecutionArgs, PlannedExecution

KEPT_BYTES = 12_000_000
MAX_PLANS = 8
"""Of one operation; further values of the variables in its directives are executed without a plan."""
MAX_COSTS = 128
"""Kept of one operation."""
OPERATION_BYTES = 3_000
PLAN_BYTES = 8_000
"""Estimated bytes beside the document and the writers."""
MAX_VARIABLE_ERRORS = 50
"""As many errors as graphql-core reports for one request."""
ABSENT = object()
PLAIN_VALUES = frozenset((str, int, float, bool, type(None)))
"""Types of the values of most variables, which contain no others."""


class PreparedOperation:
    """A valid query or mutation of a document. What it does not name is the same for every args."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) -> None:
        self.document = document
        self.kind = OperationType(operation.operation.value)
        self._name = operation.name.value if operation.name else None
        self.size = 0
        """Bytes that it was last counted with."""
        self._schema = schema
        self._operation = operation
        self._definitions = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self._fragments = {name: FragmentDetails(node) for name, node in self._definitions.items()}
        signatures = [get_variable_signature(schema, each) for each in operation.variable_definitions or ()]
        self._signatures = [(each.name, each) for each in signatures if not isinstance(each, GraphQLError)]
        self._switches = sorted(_switches(document))
        self._pages = sorted(_pages(document))
        self._plans: dict[tuple[object, ...], Plan] = {}
        self._costs: dict[tuple[object, ...], int] = {}
        self._names: dict[tuple[object, ...], frozenset[str]] = {}
        self._document_bytes = size_of(document, document.loc.source.body if document.loc else "")

    @property
    def bytes(self) -> int:
        """Estimated bytes of memory."""
        plans = sum(PLAN_BYTES + plan.writers.size for plan in self._plans.values())
        names = NAME_BYTES * sum(map(len, self._names.values()))
        return OPERATION_BYTES + self._document_bytes + plans + names

    async def execute(self, variables: dict[str, Any], context: object, root: object) -> ExecutionResult | None:
        """The result with errors as they were raised. None, with nothing done, when a variable cannot be read."""
        cost = self.cost(variables)
        extensions = cost_extension(cost)
        try:
            refuse_costly(cost)
        except GraphQLError as error:
            return ExecutionResult(data=None, errors=[error], extensions=extensions)
        try:
            values = self._values(variables)
        except Exception:  # noqa: BLE001 - such as Strawberry's of a value that no enum has; its own steps answer it
            return None
        if isinstance(values, list):
            return ExecutionResult(data=None, errors=values, extensions=extensions)
        args = ExecutionArgs(self._schema, self._operation, self._definitions, values, context, root)
        result = await self._executed(args)
        return ExecutionResult(data=result.data, errors=result.errors, extensions=extensions)

    async def _executed(self, args: ExecutionArgs) -> GraphQLResult:
        plan = self.plan(args.variables.coerced)
        if plan is not None and plan.root_fields:
            return await PlannedExecution(plan, args, self._execution).run()
        execution = self._execution(args)
        if plan is not None:
            execution.use_plan(plan)
        return await execution.run()

    def _execution(self, args: ExecutionArgs) -> Execution:
        return Execution.of(
            self._schema,
            self._operation,
            self._definitions,
            self._fragments,
            args.variables,
            args.context,
            args.root,
        )

    def _values(self, variables: dict[str, Any]) -> VariableValues | list[GraphQLError]:
        """The variables as graphql-core reads them; graphql-core itself reads those that are not plain or not valid."""
        sources: dict[str, VariableValueSource] = {}
        coerced: dict[str, Any] = {}
        for name, signature in self._signatures:
            value = variables.get(name, Undefined)
            read = coerce_input_value(value, signature.type) if type(value) in PLAIN_VALUES else Undefined
            if read is Undefined:
                definitions = self._operation.variable_definitions or ()
                hides = hides_suggestions(self._schema)
                return get_variable_values(self._schema, definitions, variables, MAX_VARIABLE_ERRORS, hides)
            sources[name], coerced[name] = VariableValueSource(signature, value), read
        return VariableValues(sources, coerced)

    def cost(self, variables: Mapping[str, Any]) -> int:
        """The number of objects that it may return."""
        key = tuple(variables.get(name, ABSENT) for name in self._pages)
        if not all(each is ABSENT or each is None or type(each) is int for each in key):
            return self._counted(variables)
        if key not in self._costs:
            if len(self._costs) >= MAX_COSTS:
                self._costs.clear()
            self._costs[key] = self._counted(variables)
        return self._costs[key]

    def selected_names(self, variables: Mapping[str, Any]) -> frozenset[str]:
        """Names of the fields that it selects at any depth with these values, as they were sent."""
        key = self._key_of_plan(variables)
        may_be_kept = all(each is ABSENT or type(each) is bool for each in key)
        if may_be_kept and key in self._names:
            return self._names[key]
        names = selected_names(self.document, self._name, variables)
        if may_be_kept and len(self._names) < MAX_PLANS:
            self._names[key] = names
        return names

    def _key_of_plan(self, variables: Mapping[str, Any]) -> tuple[object, ...]:
        return tuple(variables.get(name, ABSENT) for name in self._switches)

    def _counted(self, variables: Mapping[str, Any]) -> int:
        return cost_of(self._schema, self.document, self._operation, variables, IntrospectionPrice)

    def plan(self, variables: Mapping[str, Any]) -> Plan | None:
        """The plan for these values, as they were coerced."""
        key = self._key_of_plan(variables)
        if key not in self._plans and len(self._plans) < MAX_PLANS:
            self._plans[key] = Plan(self._schema)
        return self._plans.get(key)


class PreparedOperations:
    """The operations of one schema that have been executed before."""

    def __init__(self) -> None:
        self._cache = ByteLimitedCache[bytes, PreparedOperation]("prepared operations", KEPT_BYTES)

    def get(self, text: str, name: str | None) -> PreparedOperation | None:
        """The operation of a document, if it is known to be valid."""
        return self._cache.get(digest(text, name or None))

    def add(self, schema: GraphQLSchema, text: str, name: str | None, document: DocumentNode) -> None:
        """Prepares an operation. The document has been validated, and has this operation."""
        if len(text) > LONGEST_KEPT or self.get(text, name) is not None:
            return
        operation = get_operation_ast(document, name)
        if operation is not None and not _is_unusual(document, operation):
            self.count(text, name, PreparedOperation(schema, document, operation))

    def count(self, text: str, name: str | None, operation: PreparedOperation) -> None:
        """Updates the bytes of an operation: its plans grow while they are first used."""
        if operation.bytes != operation.size:
            operation.size = operation.bytes
            self._cache.put(digest(text, name or None), operation, operation.size)


class Preparation(SchemaExtension):
    """Prepares each operation that passes all checks for the requests after this one. Listed last."""

    def __init__(self, operations: PreparedOperations) -> None:
        super().__init__()
        self._operations = operations

    def on_execute(self) -> Iterator[None]:
        """Adds the operation."""
        context = self.execution_context
        if context.query and context.graphql_document and not context.pre_execution_errors:
            name, schema = context._provided_operation_name, context.schema._schema
            self._operations.add(schema, context.query, name, context.graphql_document)
        yield


def _is_unusual(document: DocumentNode, operation: OperationDefinitionNode) -> bool:
    """Whether something about it needs the ordinary steps each time."""
    return (
        operation.operation is GraphQLOperationType.SUBSCRIPTION
        or any(isinstance(node, FieldNode) and node.name.value in INTROSPECTION for node in _selections(document))
        or any(isinstance(each, FragmentDefinitionNode) and each.variable_definitions for each in document.definitions)
    )


def _switches(document: DocumentNode) -> set[str]:
    """The variables that decide what is selected."""
    owners: Iterator[Any] = _selections(document)
    directives = (each for owner in owners for each in owner.directives or () if each.name.value in ("include", "skip"))
    return {name for directive in directives for name in _variables(directive.arguments, "if")}


def _pages(document: DocumentNode) -> set[str]:
    """The variables that set the size of a page."""
    fields = (node for node in _selections(document) if isinstance(node, FieldNode))
    return {name for field in fields for name in _variables(field.arguments, PAGED)}


def _variables(arguments: Iterable[ArgumentNode] | None, argument: str) -> Iterator[str]:
    for each in arguments or ():
        if each.name.value == argument and isinstance(each.value, VariableNode):
            yield each.value.name.value


def _selections(document: DocumentNode) -> Iterator[Node]:
    """Every selection of a document."""
    left: list[Any] = [each for each in document.definitions if isinstance(each, ExecutableDefinitionNode)]
    while left:
        inner = left.pop().selection_set
        if inner is not None:
            yield from inner.selections
            left += (each for each in inner.selections if not isinstance(each, FragmentSpreadNode))
