"""Executes an operation's own fields by its plan, without graphql-core's executor for as long as nothing needs it."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, cast

from graphql import FragmentDefinitionNode, GraphQLError, GraphQLResolveInfo, GraphQLSchema, OperationDefinitionNode
from graphql.execution import ExecutionResult
from graphql.execution.values import VariableValues
from graphql.pyutils import gather_with_cancel
from strawberry.execution import optimized_is_awaitable

from server.platform.gql.execution import answer_limit, hides_suggestions
from server.platform.gql.plans.execution import Execution, Plan, RootField, read_arguments
from server.platform.gql.plans.resolvers import Resolver
from server.platform.gql.plans.writers import GivenArguments, NeedsFullExecution


class ExecutionArgs(NamedTuple):
    """What an operation is executed with."""

    schema: GraphQLSchema
    operation: OperationDefinitionNode
    definitions: dict[str, FragmentDefinitionNode]
    variables: VariableValues
    context: object
    root: object


class PlannedExecution:
    """One execution of an operation whose root fields are known.

    It resolves them, and has the plan write their results. At the first field where that does not work, such as one
    with an error, it makes an `Execution`, which completes this field and executes all fields after it.
    """

    def __init__(self, plan: Plan, args: ExecutionArgs, make: Callable[[ExecutionArgs], Execution]) -> None:
        self._plan, self._args, self._make = plan, args, make
        self._hides = hides_suggestions(args.schema)
        self._arguments = GivenArguments(plan.writers, args.variables, hide_suggestions=self._hides)
        self._bytes_left = answer_limit(args.context)
        self._execution: Execution | None = None

    async def run(self) -> ExecutionResult:
        """The result, as graphql-core has it."""
        data: dict[str, Any] = {}
        try:
            later = self._begin(data)
            if len(later) == 1:
                [(name, value)] = later.items()
                data[name] = await value
            elif later:
                data.update(zip(later, await gather_with_cancel(*later.values()), strict=True))
        except GraphQLError as error:
            execution = self._executor()
            execution.collected_errors.add(error, None)
            return cast(ExecutionResult, execution.build_response(None))
        if self._execution is None:
            return ExecutionResult(data, None)
        return cast(ExecutionResult, self._execution.build_response(data))

    def _begin(self, data: dict[str, Any]) -> dict[str, Awaitable[Any]]:
        """Executes the fields; returns those whose value takes time."""
        later: dict[str, Awaitable[Any]] = {}
        try:
            for each in self._plan.root_fields:
                data[each.name] = value = self._field(each)
                if optimized_is_awaitable(value):
                    later[each.name] = value
        except GraphQLError:
            if later:
                self._executor().settle_in_background([*later.values()])
            raise
        return later

    def _field(self, each: RootField) -> Any:
        field, args = each.field, self._args
        if self._execution is not None or self._bytes_left < each.size:
            return self._executed(each)
        arguments = field.arguments
        if arguments is None:
            try:
                arguments = read_arguments(
                    field.definition, field.details, field.resolve, args.variables, hide_suggestions=self._hides
                )
            except GraphQLError:
                return self._executed(each)
        self._bytes_left -= each.size
        info = None
        try:
            if isinstance(field.resolve, Resolver):
                info = self._info(each)
                result = field.resolve(args.root, info, arguments)
            else:
                result = field.resolve(args.root, **arguments)
        except Exception as error:  # noqa: BLE001 - whatever a resolver raises is the field's error
            result = error
        return (
            self._awaited(each, result, info) if optimized_is_awaitable(result) else self._completed(each, result, info)
        )

    async def _awaited(self, each: RootField, promised: Awaitable[Any], info: Any) -> Any:
        try:
            result = await promised
        except Exception as error:  # noqa: BLE001
            result = error
        value = self._completed(each, result, info)
        return await value if optimized_is_awaitable(value) else value

    def _completed(self, each: RootField, result: Any, info: Any) -> Any:
        """What stands in the response for a result, or an awaitable of it."""
        if self._execution is None:
            try:
                return self._written(each, result)
            except Exception:  # noqa: BLE001, S110 - it comes up again field by field, where it belongs to one of them
                pass
        return self._executor().complete(each.field, each.path, result, None, info)

    def _written(self, each: RootField, result: Any) -> Any:
        """A result for the plan's writer. Raises what writers raise."""
        field, left = each.field, [self._bytes_left]
        if result is None and field.nullable:
            return None
        kind = field.object or (field.item if type(result) is list else None)
        write = None if kind is None else self._plan.writers.known(kind, field.details)
        if write is None:
            raise NeedsFullExecution
        if kind is field.object:
            written: Any = write(result, left, self._arguments)
        else:
            written = [write(item, left, self._arguments) for item in result]
        [self._bytes_left] = left
        return written

    def _executed(self, each: RootField) -> Any:
        return self._executor().execute_field(each.field.parent, self._args.root, each.field.details, each.path, None)

    def _executor(self) -> Execution:
        if self._execution is None:
            self._execution = self._make(self._args)
            self._execution.use_plan(self._plan, self._bytes_left)
        return self._execution

    def _info(self, each: RootField) -> GraphQLResolveInfo[Any]:
        field, args = each.field, self._args
        return GraphQLResolveInfo(
            each.nodes[0].name.value,
            each.nodes,
            field.definition.type,
            field.parent,
            each.path,
            args.schema,
            args.definitions,
            args.root,
            args.operation,
            args.variables.coerced,  # type: ignore[arg-type]  # as Strawberry passes them
            args.context,
            optimized_is_awaitable,  # type: ignore[arg-type]  # a TypeGuard that is not declared as one
            None,
            None,  # type: ignore[arg-type]  # no executor is used here
        )
