"""Strawberry's definitions of fields and types of graphql-core's schema."""

from typing import Any

from graphql import GraphQLField
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.base import StrawberryObjectDefinition
from strawberry.types.field import StrawberryField


def described(definition: GraphQLField) -> StrawberryField | None:
    """Strawberry's description of the field; None for a field of introspection."""
    field = definition.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    return field if isinstance(field, StrawberryField) else None


def described_object(kind: Any) -> StrawberryObjectDefinition | None:
    """Strawberry's description of an object type; None for a type of introspection."""
    definition = kind.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    return definition if isinstance(definition, StrawberryObjectDefinition) else None
