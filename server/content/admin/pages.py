"""Pages of the owner's in the GraphQL schema: drafts, previews, publication, versions."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import strawberry
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import listing
from server.content import queries, service
from server.content.errors import DocumentChanged
from server.content.fields import CatalogKeyField, fields_of
from server.content.graphql import Page
from server.content.pages import PageContent, PageTexts, path_of
from server.content.types import BlockInput, block_of
from server.platform.core import errors as refusals
from server.platform.core.context import Context, reading, transaction
from server.platform.core.cursors import datetime_key, decode_cursor
from server.platform.core.text import camel_case, parse_id, readable_id
from server.platform.core.viewer import Viewer
from server.platform.gql.pagination import After, Connection, First, connection
from server.platform.gql.permissions import PrimaryAdminOnly
from server.platform.gql.types import Info, InvalidInput, Success, UserError

PageId = Annotated[strawberry.ID, strawberry.argument(description="The page's id.")]
Version = Annotated[int, strawberry.argument(description="`version` of the page whose draft was seen.")]


@strawberry.type(description="What was published of a page once.")
class PageVersion:
    number: int = strawberry.field(description="Counts from 1; `revertPage` takes it.")
    title: str = strawberry.field(description="Its heading then.")
    published_by: str = strawberry.field(description="The e-mail, at that time, of who published it.")
    published_at: datetime = strawberry.field(description="When.")


@strawberry.input(description="A page to begin.")
class CreatePageInput:
    key: str = strawberry.field(description='The last part of its address: "about-our-cotton".')
    title: str = strawberry.field(description="Its heading, up to 120 characters.")


@strawberry.input(description="A draft, whole: what is left out is taken away.")
class UpdatePageInput:
    title: str = strawberry.field(description="Its heading, up to 120 characters.")
    description: str = strawberry.field(
        default="", description="What search engines say below its title, up to 300 characters."
    )
    blocks: list[Any] = strawberry.field(
        graphql_type=list[BlockInput], description="What it consists of, from the top; at most 40."
    )

    def content(self) -> PageContent:
        """For the service."""
        texts = PageTexts(self.title.strip(), self.description.strip())
        return PageContent(texts, tuple(block_of(each) for each in self.blocks))


PagePreview = Annotated[
    Page | InvalidInput,
    strawberry.union("PagePreview", description="What shoppers would see, or what keeps it from being saved."),
]


@strawberry.type(description="A page with its draft, what is published of it, and what was.")
class EditablePage:
    row: strawberry.Private[queries.PageRow]
    id: strawberry.ID = strawberry.field(description="Opaque.")
    key: str = strawberry.field(description="The last part of its address; it never changes.")
    path: str = strawberry.field(description='Its address in the shop: "/pages/about-our-cotton".')
    title: str = strawberry.field(description="The draft's heading.")
    version: int = strawberry.field(description="Counts changes of the draft; whoever changes it sends what they saw.")
    is_published: bool = strawberry.field(description="Whether shoppers can read it.")
    has_changes: bool = strawberry.field(description="Whether it is published and its draft differs from that.")
    publish_at: datetime | None = strawberry.field(
        description="When the draft, as it is by then, is going to be published; null without such a time."
    )
    published_at: datetime | None = strawberry.field(description="Since when shoppers read what is published.")
    updated_by: str = strawberry.field(description="The e-mail, at that time, of who changed the draft last.")
    updated_at: datetime = strawberry.field(description="When the draft was changed last.")

    @strawberry.field(description="As shoppers would see it if it were published now.")
    async def draft(self, info: Info) -> Page:
        return Page.of((await self._contents(info)).draft)

    @strawberry.field(description="What shoppers see; null while it is not published.")
    async def published(self, info: Info) -> Page | None:
        view = (await self._contents(info)).published
        return Page.of(view) if view else None

    @strawberry.field(description="What shoppers would see of a draft that is not saved, and is not by this.")
    async def preview(
        self, info: Info, input: Annotated[UpdatePageInput, strawberry.argument(description="The draft, whole.")]
    ) -> PagePreview:
        content = input.content()
        problems = await asyncio.to_thread(content.problems) or await _key_problems(info.context, content)
        if problems:
            return InvalidInput.of(refusals.InvalidInput(problems))
        async with reading(info.context) as session:
            return Page.of(await queries.preview(session, self.key, content, self.updated_at))

    @strawberry.field(description="What was published of it, newest first.")
    async def versions(self, info: Info) -> list[PageVersion]:
        rows = await info.context.load(queries.versions_by_id, self.row.id) or []
        return [
            PageVersion(
                number=each.number, title=each.title, published_by=each.actor_email, published_at=each.created_at
            )
            for each in rows
        ]

    async def _contents(self, info: Info) -> queries.PageContents:
        contents = await info.context.load(queries.contents_by_id, self.row.id)
        if contents is None:
            raise refusals.NotFound("This page")
        return contents

    @classmethod
    def of(cls, row: queries.PageRow) -> "EditablePage":
        """From its row."""
        return cls(
            row=row,
            id=strawberry.ID(str(row.id)),
            key=row.key,
            path=path_of(row.key),
            title=row.title,
            version=row.version,
            is_published=row.is_published,
            has_changes=row.is_changed,
            publish_at=row.publish_at,
            published_at=row.published_at,
            updated_by=row.updated_by,
            updated_at=row.updated_at,
        )


@strawberry.type(description="Somebody else was faster: the draft is not as it was seen.")
class PageChangedMeanwhile(UserError):
    page: EditablePage = strawberry.field(description="As it is now, to compare with.")
    differences: list[str] = strawberry.field(
        description="Where its draft differs from what was sent: `title`, `block 2`."
    )


PageResult = Annotated[
    EditablePage | PageChangedMeanwhile | InvalidInput,
    strawberry.union("PageResult", description="The page as it is now, or why nothing has changed."),
]
CreatePageResult = Annotated[
    EditablePage | InvalidInput,
    strawberry.union("CreatePageResult", description="The new page, or what is wrong."),
]


@strawberry.type
class PageAdminFields:
    """Fields of the back office."""

    @strawberry.field(
        description="Pages that the owner writes, newest first. A page of them costs two statements.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def pages(
        self,
        info: Info,
        search: Annotated[str | None, strawberry.argument(description="Part of a title or address.")] = None,
        first: First = 50,
        after: After = None,
    ) -> Connection[EditablePage]:
        return await connection(
            info,
            first,
            decode_cursor(after, datetime_key, UUID),
            lambda session, limit, place: queries.pages(session, search, limit, place),
            lambda session: queries.total(session, search),
            node=EditablePage.of,
            place=lambda row: (row.created_at, row.id),
        )

    @strawberry.field(description="One page; null when there is none.", permission_classes=[PrimaryAdminOnly])
    async def page(self, info: Info, id: PageId) -> EditablePage | None:
        page_id = readable_id(id)
        return await _page(info.context, page_id) if page_id else None


@strawberry.type
class PageMutations:
    """Changes to pages."""

    @strawberry.mutation(
        description="Begins a page without blocks, which nobody sees yet.", permission_classes=[PrimaryAdminOnly]
    )
    async def create_page(
        self,
        info: Info,
        input: Annotated[CreatePageInput, strawberry.argument(description="Its address and heading.")],
    ) -> CreatePageResult:
        try:
            async with transaction(info.context) as session:
                page_id = await service.create_page(session, info.context.signed_in, input.key.strip(), input.title)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return await _editable(info.context, page_id)

    @strawberry.mutation(
        description="Makes a page's draft what the input says; shoppers go on seeing what is published. Refused when "
        "somebody else changed the draft after `version`.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def update_page(
        self,
        info: Info,
        id: PageId,
        version: Version,
        input: Annotated[UpdatePageInput, strawberry.argument(description="As it shall be.")],
    ) -> PageResult:
        page_id, content = parse_id(id, "This page"), input.content()

        async def change(session: AsyncSession, actor: Viewer) -> None:
            if problems := await _key_problems(info.context, content):
                raise refusals.InvalidInput(problems)
            await service.update_page(session, actor, page_id, version, content)

        return await _change(info.context, page_id, change)

    @strawberry.mutation(
        description="Makes the draft what was published once, or what is published now. Shoppers see it when it is "
        "published.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def revert_page(
        self,
        info: Info,
        id: PageId,
        version: Version,
        number: Annotated[
            int | None, strawberry.argument(description="Of a version; null for what is published now.")
        ] = None,
    ) -> PageResult:
        page_id = parse_id(id, "This page")
        return await _change(
            info.context,
            page_id,
            lambda session, actor: service.revert_page(session, actor, page_id, version, number),
        )

    @strawberry.mutation(
        description="Shows the draft to shoppers, now or at a time; replaces a time that was given before.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def publish_page(
        self,
        info: Info,
        id: PageId,
        version: Version,
        at: Annotated[
            datetime | None,
            strawberry.argument(description="When the draft, as it is by then, is published; null for now."),
        ] = None,
    ) -> PageResult:
        page_id = parse_id(id, "This page")
        if at is not None and at.tzinfo is None:
            return InvalidInput.of(refusals.InvalidInput({"at": "A moment with its time zone"}))
        return await _change(
            info.context, page_id, lambda session, actor: service.publish_page(session, actor, page_id, version, at)
        )

    @strawberry.mutation(
        description="Forgets the time at which the draft was to be published.", permission_classes=[PrimaryAdminOnly]
    )
    async def cancel_publication(self, info: Info, id: PageId) -> EditablePage:
        page_id = parse_id(id, "This page")
        await _apply(info.context, lambda session, actor: service.cancel_publication(session, actor, page_id))
        return await _editable(info.context, page_id)

    @strawberry.mutation(
        description="Takes a page off the shop; its draft and versions stay.", permission_classes=[PrimaryAdminOnly]
    )
    async def unpublish_page(self, info: Info, id: PageId) -> EditablePage:
        page_id = parse_id(id, "This page")
        await _apply(info.context, lambda session, actor: service.unpublish_page(session, actor, page_id))
        return await _editable(info.context, page_id)

    @strawberry.mutation(
        description="Deletes a page with its draft and versions.", permission_classes=[PrimaryAdminOnly]
    )
    async def delete_page(self, info: Info, id: PageId) -> Success:
        page_id = parse_id(id, "This page")
        await _apply(info.context, lambda session, actor: service.delete_page(session, actor, page_id))
        return Success()


Change = Callable[[AsyncSession, Viewer], Awaitable[None]]


async def _apply(context: Context, change: Change) -> None:
    """Changes a page in a transaction; afterwards this process shows it so."""
    async with transaction(context) as session:
        await change(session, context.signed_in)
    await listing.after_change(context)


async def _change(
    context: Context, page_id: UUID, change: Change
) -> EditablePage | PageChangedMeanwhile | InvalidInput:
    """The same; what refuses it is the result."""
    try:
        await _apply(context, change)
    except refusals.InvalidInput as error:
        return InvalidInput.of(error)
    except DocumentChanged as error:
        page = await _editable(context, page_id)
        return PageChangedMeanwhile(message=str(error), page=page, differences=list(error.differences))
    return await _editable(context, page_id)


async def _key_problems(context: Context, content: PageContent) -> dict[str, str]:
    """What is wrong with keys of the catalogue, by places in the input."""
    categories = await listing.categories(context)
    rules = {"department": categories.department_rule, "product_kind": categories.kind_rule}
    return {
        f"blocks.{at}.{camel_case(field.name)}": problem
        for at, block in enumerate(content.blocks)
        for field in fields_of(type(block))
        if isinstance(field, CatalogKeyField)
        and (problem := rules[field.control].problem(getattr(block, field.name) or None))
    }


async def _page(context: Context, page_id: UUID) -> EditablePage | None:
    async with reading(context) as session:
        row = await queries.page(session, page_id)
    return EditablePage.of(row) if row else None


async def _editable(context: Context, page_id: UUID) -> EditablePage:
    """Raises NotFound."""
    page = await _page(context, page_id)
    if page is None:
        raise refusals.NotFound("This page")
    return page
