"""Executes documents by graphql-core, and counts the bytes of a response while it is built.

Execution stops at the limit: to refuse a complete response would save neither time nor memory.
"""

from typing import Any, cast

from graphql import GraphQLError, GraphQLLeafType, GraphQLObjectType, GraphQLSchema
from graphql.execution.collect_fields import FieldDetailsList
from graphql.pyutils import Path, Undefined
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from server.platform.core.error_codes import ErrorCode

HIDE_SUGGESTIONS = "minimal-hide-suggestions"
"""Key in a schema's extensions: whether error messages leave out similar names."""
MAX_ANSWER_BYTES = 4_000_000
"""About four times the longest response that a page of 100 products with every field makes."""
MAX_ADMIN_ANSWER_BYTES = 48_000_000
"""About four times the export of a report of 20,000 rows with every measure."""
FIELD_BYTES = 8
"""Counted for each field beside its name and value, and for each value that is not text."""


class LimitedExecution(StrawberryGraphQLCoreExecutionContext):
    """graphql-core's execution with a limit of the response's bytes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._bytes_left = answer_limit(self.context_value)

    @classmethod
    def build(cls, schema: GraphQLSchema, *args: Any, **kwargs: Any) -> "list[GraphQLError] | LimitedExecution":
        """As in graphql-core, with the schema's choice about suggestions."""
        kwargs["hide_suggestions"] = hides_suggestions(schema)
        try:
            return cast("list[GraphQLError] | LimitedExecution", super().build(schema, *args, **kwargs))
        except IndexError:
            # graphql-core cannot compare names that lower case makes longer, such as "İ".
            kwargs["hide_suggestions"] = True
            return cast("list[GraphQLError] | LimitedExecution", super().build(schema, *args, **kwargs))

    def build_response(self, data: dict[str, Any] | None) -> Any:
        """As in graphql-core; drops what refers to this execution, which would be garbage otherwise."""
        self.async_helpers = None  # type: ignore[assignment]  # no longer used
        self._relevant_sub_fields.clear()
        return super().build_response(data)

    def build_per_event_executor(self, payload: Any) -> "LimitedExecution":
        """Counts the bytes of each event of a subscription separately."""
        executor = cast(LimitedExecution, super().build_per_event_executor(payload))
        executor._bytes_left = answer_limit(self.context_value)
        return executor

    def handle_field_error(self, raw_error: Exception, *args: Any) -> None:
        """As in graphql-core, except that a response over the size limit fails as a whole."""
        if self._bytes_left < 0:
            raise raw_error
        super().handle_field_error(raw_error, *args)

    def complete_leaf_value(  # type: ignore[override]  # graphql-core calls its static one on the executor as well
        self, return_type: GraphQLLeafType, result: Any
    ) -> Any:
        """As in graphql-core, and counts the bytes. Raises GraphQLError once the response is too large."""
        value = return_type.coerce_output_value(result)
        if value is Undefined or value is None:
            raise TypeError(f"Expected `{return_type}` to give a value for {type(result).__name__}.")
        self._count(len(value) if type(value) is str else FIELD_BYTES)
        return value

    def execute_field(
        self,
        parent_type: GraphQLObjectType,
        source: Any,
        field_details_list: FieldDetailsList,
        path: Path,
        position_context: Any,
    ) -> Any:
        """As in graphql-core. Raises GraphQLError once the response is too large."""
        self._count(name_bytes(field_details_list))
        return super().execute_field(parent_type, source, field_details_list, path, position_context)

    def _count(self, size: int) -> None:
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise too_large(answer_limit(self.context_value))


def name_bytes(details: FieldDetailsList) -> int:
    """Bytes that the name of a field adds to a response."""
    node = details[0].node
    return FIELD_BYTES + len((node.alias or node.name).value)


def hides_suggestions(schema: GraphQLSchema) -> bool:
    """Whether errors name nothing similar to what a document got wrong."""
    return bool(schema.extensions.get(HIDE_SUGGESTIONS))


def answer_limit(context: object) -> int:
    """Maximal bytes of a response, roughly as JSON; larger for admins, who export reports and long lists."""
    viewer = getattr(context, "viewer", None)
    return MAX_ADMIN_ANSWER_BYTES if viewer is not None and viewer.is_admin else MAX_ANSWER_BYTES


def too_large(limit: int) -> GraphQLError:
    """The error of a response over the limit (bytes), with the code TOO_LARGE."""
    return GraphQLError(
        f"This answer would be larger than {limit / 1_000_000:g} MB. Ask for fewer with `first`, or select less.",
        extensions={"code": ErrorCode.TOO_LARGE, "limit": limit},
    )
