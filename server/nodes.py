"""`node` in the GraphQL schema: objects of several domains by their ids alone."""

from typing import Annotated

import strawberry

from server.catalog import graphql as catalog
from server.identity import addresses_graphql
from server.orders import graphql as orders
from server.platform.core.text import readable_id
from server.platform.gql.permissions import Anyone
from server.platform.gql.types import Info, Node


@strawberry.type
class NodeQuery:
    """What is found by an id alone."""

    @strawberry.field(
        permission_classes=[Anyone],
        description="A category, product, variant, or one of the viewer's orders and addresses; null when the viewer "
        "may not see it by its own field, or it does not exist. The back office's types share ids with these and are "
        "not found here. Costs up to four statements.",
    )
    async def node(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="As any field has it.")]
    ) -> Node | None:
        if (node_id := readable_id(id)) is None:
            return await catalog.find_category(info, id)
        for find in (catalog.find_node, addresses_graphql.find_node, orders.find_node):
            node: Node | None = await find(info, node_id)
            if node is not None:
                return node
        return None
