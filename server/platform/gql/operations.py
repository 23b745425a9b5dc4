"""Which operation of a document is executed (GraphQL specification, 6.1)."""

from collections.abc import Iterator

from graphql import DocumentNode, GraphQLError, OperationDefinitionNode
from strawberry.extensions import SchemaExtension

from server.platform.core.error_codes import ErrorCode

LONGEST_NAME = 100
"""Characters of an unknown operation's name that the error repeats."""


class OperationSelection(SchemaExtension):
    """Refuses a request that does not name the operation to run; Strawberry would run the first."""

    def on_parse(self) -> Iterator[None]:
        """Raises GraphQLError with the code BAD_USER_INPUT."""
        yield
        context = self.execution_context
        if context.graphql_document is not None and not context.pre_execution_errors:
            problem = selection_problem(context.graphql_document, context._provided_operation_name)
            if problem is not None:
                raise GraphQLError(problem, extensions={"code": ErrorCode.BAD_USER_INPUT})


def selection_problem(document: DocumentNode, name: str | None) -> str | None:
    """Why the operation is unknown, or ambiguous without a name; None when it is clear."""
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    if not operations:
        return "Must provide an operation."
    if name is None:
        several = len(operations) > 1 and all(node.name for node in operations)
        return "Must provide operation name if query contains multiple operations." if several else None
    if any(node.name and node.name.value == name for node in operations):
        return None
    return f"Unknown operation named '{name[:LONGEST_NAME]}'."
