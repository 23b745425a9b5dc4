"""Reading pages: lists and versions for the back office, and what is published for shoppers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from sqlalchemy import ColumnElement, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from server.content.models import PAGE, Document, DocumentVersion
from server.content.pages import PageContent
from server.media import service as media
from server.media.service import ImageRow
from server.platform.core.text import search_terms

Place = tuple[datetime, UUID]
"""Sort keys of a page: when it was created, and its id."""


class PageRow(NamedTuple):
    """A page without its contents. `is_changed` says whether the draft differs from what is published."""

    id: UUID
    key: str
    title: str
    version: int
    publications: int
    is_published: bool
    is_changed: bool
    publish_at: datetime | None
    published_at: datetime | None
    updated_by: str
    updated_at: datetime
    created_at: datetime


class PageVersion(NamedTuple):
    """What was published once."""

    number: int
    title: str
    actor_email: str
    created_at: datetime


@dataclass(frozen=True)
class PageView:
    """A page with the images that it shows."""

    key: str
    content: PageContent
    images: Mapping[UUID, ImageRow]
    updated_at: datetime
    """When it was published, or the draft was changed."""


class PageContents(NamedTuple):
    """What a page is as a draft, and what shoppers see."""

    draft: PageView
    published: PageView | None


class Publication(NamedTuple):
    """Which version of a page is published, and since when."""

    id: UUID
    number: int
    published_at: datetime


_is_published = Document.published.is_not(None)
_ROW = select(
    Document.id,
    Document.key,
    Document.draft["title"].astext,
    Document.version,
    Document.publications,
    _is_published,
    func.coalesce(Document.draft != Document.published, False),
    Document.publish_at,
    Document.published_at,
    Document.updated_by,
    Document.updated_at,
    Document.created_at,
).where(Document.kind == PAGE)
_PUBLICATIONS = select(Document.key, Document.id, Document.publications, Document.published_at).where(
    Document.kind == PAGE, _is_published
)
_PUBLISHED = select(Document.key, Document.publications, Document.published, Document.published_at).where(
    Document.kind == PAGE, _is_published
)


async def pages(session: AsyncSession, search: str | None, limit: int, after: Place | None = None) -> Sequence[PageRow]:
    """Pages, newest first, behind the page `after`."""
    query = _ROW.where(*_conditions(search)).order_by(Document.created_at.desc(), Document.id.desc())
    if after is not None:
        query = query.where(tuple_(Document.created_at, Document.id) < after)
    return [PageRow(*row) for row in await session.execute(query.limit(limit))]


async def total(session: AsyncSession, search: str | None) -> int:
    """How many pages match."""
    query = select(func.count()).select_from(Document).where(Document.kind == PAGE, *_conditions(search))
    return await session.scalar(query) or 0


async def page(session: AsyncSession, page_id: UUID) -> PageRow | None:
    """One page."""
    row = (await session.execute(_ROW.where(Document.id == page_id))).one_or_none()
    return None if row is None else PageRow(*row)


async def contents_by_id(session: AsyncSession, ids: Sequence[UUID]) -> dict[UUID, PageContents]:
    """Drafts and published contents of pages, with two statements."""
    columns = (
        Document.id,
        Document.key,
        Document.draft,
        Document.updated_at,
        Document.published,
        Document.published_at,
    )
    rows = (await session.execute(select(*columns).where(Document.id.in_(ids)))).all()
    drafts = {row.id: PageContent.from_json(row.draft) for row in rows}
    published = {row.id: PageContent.from_json(row.published) for row in rows if row.published is not None}
    images = await _images(session, [*drafts.values(), *published.values()])
    return {
        row.id: PageContents(
            PageView(row.key, drafts[row.id], images, row.updated_at),
            PageView(row.key, published[row.id], images, row.published_at) if row.id in published else None,
        )
        for row in rows
    }


async def preview(session: AsyncSession, key: str, content: PageContent, updated_at: datetime) -> PageView:
    """What a page would show with this content."""
    return PageView(key, content, await _images(session, [content]), updated_at)


async def versions_by_id(session: AsyncSession, ids: Sequence[UUID]) -> dict[UUID, list[PageVersion]]:
    """What was published of pages, newest first."""
    title = DocumentVersion.content["title"].astext
    query = select(
        DocumentVersion.document_id,
        DocumentVersion.number,
        title,
        DocumentVersion.actor_email,
        DocumentVersion.created_at,
    )
    rows = await session.execute(
        query.where(DocumentVersion.document_id.in_(ids)).order_by(DocumentVersion.number.desc())
    )
    versions: dict[UUID, list[PageVersion]] = {each: [] for each in ids}
    for document_id, *values in rows:
        versions[document_id].append(PageVersion(*values))
    return versions


async def publications(session: AsyncSession) -> dict[str, Publication]:
    """What is published, by the keys of pages, in their order."""
    rows = await session.execute(_PUBLICATIONS.order_by(Document.key))
    return {key: Publication(id, number, since) for key, id, number, since in rows if since}


async def published(session: AsyncSession, page_id: UUID) -> tuple[int, PageView, int] | None:
    """What is published of a page: the number of its version, and its bytes as JSON; None when nothing is."""
    row = (await session.execute(_PUBLISHED.where(Document.id == page_id))).one_or_none()
    if row is None:
        return None
    content = PageContent.from_json(row.published)
    view = PageView(row.key, content, await _images(session, [content]), row.published_at)
    return row.publications, view, len(orjson.dumps(row.published))


async def _images(session: AsyncSession, contents: Sequence[PageContent]) -> Mapping[UUID, ImageRow]:
    ids = {picture.image_id for content in contents for _, picture in content.pictures()}
    return await media.images_by_id(session, list(ids)) if ids else {}


def _conditions(search: str | None) -> list[ColumnElement[bool]]:
    words: Any = search_terms(search)
    if not words:
        return []
    return [(Document.key + " " + Document.draft["title"].astext).icontains(words, autoescape=True)]
