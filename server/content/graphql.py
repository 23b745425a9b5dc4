"""Pages of the owner's in the GraphQL schema, for shoppers."""

from datetime import datetime
from typing import Annotated, Any

import strawberry

from server.catalog import listing
from server.content.pages import BEGINNING, path_of
from server.content.published import PublishedPages
from server.content.queries import PageView
from server.content.types import PageBlock, to_graphql
from server.platform.gql.permissions import Anyone
from server.platform.gql.types import Info


@strawberry.type(description="A page that the owner has written.")
class Page:
    path: str = strawberry.field(description='Its address in this shop: "/pages/about-our-cotton".')
    title: str = strawberry.field(description="Its heading, and the window's title.")
    description: str = strawberry.field(description="What search engines say below its title; empty for none.")
    blocks: Any = strawberry.field(graphql_type=list[PageBlock], description="What it consists of, from the top.")
    updated_at: datetime = strawberry.field(description="When it was published; of a draft, when it was changed.")

    @classmethod
    def of(cls, view: PageView) -> "Page":
        """From a draft or what is published."""
        return cls(
            path=path_of(view.key),
            title=view.content.texts.title,
            description=view.content.texts.description,
            blocks=[to_graphql(each, view.images) for each in view.content.blocks],
            updated_at=view.updated_at,
        )


@strawberry.type
class ContentQuery:
    """Content's fields of Query."""

    @strawberry.field(
        description="A page that the owner has written; null when none is published at the address. Costs no statement "
        "once it is in memory.",
        permission_classes=[Anyone],
    )
    async def page(
        self,
        info: Info,
        path: Annotated[str, strawberry.argument(description='Its address in this shop: "/pages/about-our-cotton".')],
    ) -> Page | None:
        listing.show_beside(info.context, "pages")
        if not path.startswith(BEGINNING):
            return None
        pages = info.context.resources.get(PublishedPages)
        view = await pages.get(info.context.sessions, path.removeprefix(BEGINNING))
        return Page.of(view) if view else None
