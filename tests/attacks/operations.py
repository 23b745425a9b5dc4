"""Every operation and route, as random documents and calls are generated from them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphql import GraphQLField, GraphQLSchema

from server.platform.core.viewer import Access
from tests.api.back_office_fields import BENEATH_ADMIN
from tests.api.permissions_table import FIELDS
from tests.attacks.fits import ABOVE
from tests.attacks.watched import KINDS, NOT_OPERATIONS

ASSETS = Path(__file__).parents[2] / "client/dist/assets"


@dataclass(frozen=True)
class Operation:
    """A field that does something, and who may use it."""

    kind: str
    field: str
    access: Access

    @property
    def name(self) -> str:
        return f"{self.kind}.{self.field}"

    def whole(self, generated: str) -> str:
        """The generated selection, from the root."""
        for name in reversed(ABOVE.get(self.kind, ())):
            generated = f"{{ {name} {generated} }}"
        return f"subscription {generated}" if self.kind == "Subscription" else generated

    def of(self, schema: GraphQLSchema) -> GraphQLField:
        field: GraphQLField = schema.type_map[self.kind].fields[self.field]  # type: ignore[attr-defined]
        return field


def operations(schema: GraphQLSchema) -> Iterator[Operation]:
    for kind in KINDS:
        for field in schema.type_map[kind].fields:  # type: ignore[attr-defined]
            name = f"{kind}.{field}"
            access = {"Viewer": Access.SIGNED_IN, "Analytics": Access.ADMIN}.get(kind)
            if name not in NOT_OPERATIONS:
                yield Operation(kind, field, access or (BENEATH_ADMIN[field] if kind == "Admin" else FIELDS[name]))
