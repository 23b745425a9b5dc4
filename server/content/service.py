"""Changes to pages: drafts, publication, versions. Functions take a session and never commit."""

import asyncio
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.service import AuditActor
from server.content.errors import DocumentChanged
from server.content.models import PAGE, Document, DocumentImage, DocumentVersion
from server.content.pages import PageContent, PageTexts, has_unknown_blocks, path_of
from server.media import service as media
from server.platform.core import clock, jobs
from server.platform.core.errors import Conflict, InvalidInput, NotFound
from server.platform.core.viewer import Viewer

MOST_PAGES = 1_000
KEY = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_KEY = 60
KEY_RULE = f"Small letters, digits and single hyphens, up to {LONGEST_KEY}: summer-sale"
PUBLISH = "publish-document"
"""The kind of the job that publishes a draft at its time."""
EARLY = timedelta(seconds=5)
"""A job may run so long before its time: it goes by this host's estimate of the database's clock."""
NEWER = "A newer version of the shop has written this page. Reload once the update is through."


async def create_page(session: AsyncSession, actor: Viewer, key: str, title: str) -> UUID:
    """Creates a page without blocks, not published. Raises InvalidInput, also for a key that exists."""
    content = PageContent(PageTexts(title.strip()))
    problems = content.problems()
    if len(key) > LONGEST_KEY or not KEY.fullmatch(key):
        problems = {"key": KEY_RULE, **problems}
    if problems:
        raise InvalidInput(problems)
    if (await session.scalar(select(func.count()).select_from(Document)) or 0) >= MOST_PAGES:
        raise InvalidInput({"key": f"At most {MOST_PAGES:,} pages"})
    row = insert(Document).values(kind=PAGE, key=key, draft=content.to_json(), updated_by=actor.email)
    page_id: UUID | None = await session.scalar(row.on_conflict_do_nothing().returning(Document.id))
    if page_id is None:
        raise InvalidInput({"key": "There is a page at this address already"})
    subject = audit.AuditSubject("page", page_id, path_of(key))
    await audit.record(session, actor, "page created", subject, after=_audit_values(content))
    return page_id


async def update_page(session: AsyncSession, actor: Viewer, page_id: UUID, version: int, content: PageContent) -> None:
    """Makes the draft what is given. Raises NotFound, InvalidInput, DocumentChanged or Conflict.

    What is published stays as it is.
    """
    # Markdown is parsed for it, and no connection is held before the first statement.
    problems = await asyncio.to_thread(content.problems)
    if problems:
        raise InvalidInput(problems)
    row = await _locked(session, page_id, version, content)
    await _keep_images(session, page_id, content)
    await _write_draft(session, actor, row, content, "page changed")


async def revert_page(session: AsyncSession, actor: Viewer, page_id: UUID, version: int, number: int | None) -> None:
    """Makes the draft what was published as version `number`, or what is published now.

    Raises NotFound, InvalidInput where nothing was published, DocumentChanged or Conflict.
    """
    row = await _locked(session, page_id, version)
    stored: Mapping[str, Any] | None = row.published
    if number is not None:
        query = select(DocumentVersion.content).where(
            DocumentVersion.document_id == page_id, DocumentVersion.number == number
        )
        stored = await session.scalar(query)
        if stored is None:
            raise NotFound("This version")
    if stored is None:
        raise InvalidInput({"number": "This page is not published"})
    await _write_draft(session, actor, row, PageContent.from_json(stored), "page reverted")


async def publish_page(
    session: AsyncSession, actor: Viewer, page_id: UUID, version: int, at: datetime | None = None
) -> None:
    """Publishes the draft now, or has a job publish the draft of that time. Replaces a time given before.

    Raises NotFound, InvalidInput for a time that is over, DocumentChanged or Conflict.
    """
    row = await _locked(session, page_id, version)
    await jobs.close(session, _job(page_id))
    if at is None:
        await _publish(session, AuditActor(actor.user_id, actor.email), row)
        return
    if at <= clock.now():
        raise InvalidInput({"at": "A time to come"})
    before, row.publish_at = row.publish_at, at
    await session.flush()
    payload = {"document": str(page_id), "actor": str(actor.user_id), "email": actor.email}
    await jobs.enqueue(session, PUBLISH, payload, key=_job(page_id), delay=at - clock.now())
    await _record_time(session, actor, "page scheduled", row, before)


async def publish_due(session: AsyncSession, actor: AuditActor, page_id: UUID) -> bool:
    """Publishes a page whose time has come; False when another time was given since, or none, or the page is gone.

    For the job, which may run twice.
    """
    due = select(Document).where(Document.id == page_id, Document.publish_at <= func.now() + EARLY).with_for_update()
    row = await session.scalar(due)
    if row is None or has_unknown_blocks(row.draft):
        return False
    await _publish(session, actor, row)
    return True


async def cancel_publication(session: AsyncSession, actor: Viewer, page_id: UUID) -> None:
    """Forgets the time at which the draft was to be published; idempotent. Raises NotFound."""
    row = await _locked(session, page_id)
    await jobs.close(session, _job(page_id))
    if row.publish_at is not None:
        before, row.publish_at = row.publish_at, None
        await session.flush()
        await _record_time(session, actor, "page schedule canceled", row, before)


async def unpublish_page(session: AsyncSession, actor: Viewer, page_id: UUID) -> None:
    """Takes a page off the shop, whose draft and versions stay; idempotent. Raises NotFound."""
    row = await _locked(session, page_id)
    if row.published is not None:
        row.published = row.published_at = None
        await session.flush()
        await audit.record(session, actor, "page unpublished", _subject(row))


async def delete_page(session: AsyncSession, actor: Viewer, page_id: UUID) -> None:
    """Deletes a page with its versions. The audit log keeps its draft. Raises NotFound."""
    row = await _locked(session, page_id)
    await jobs.close(session, _job(page_id))
    await session.execute(delete(Document).where(Document.id == page_id))
    before = _audit_values(PageContent.from_json(row.draft))
    await audit.record(session, actor, "page deleted", _subject(row), before=before)


async def _locked(
    session: AsyncSession, page_id: UUID, version: int | None = None, content: PageContent | None = None
) -> Document:
    """Without `version`, whatever the draft is."""
    query = select(Document).where(Document.id == page_id, Document.kind == PAGE)
    row = await session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if row is None:
        raise NotFound("This page")
    if version is None:
        return row
    if row.version != version:
        differences = PageContent.from_json(row.draft).differences(content) if content else []
        raise DocumentChanged(differences=differences)
    if has_unknown_blocks(row.draft):
        raise Conflict(NEWER)
    return row


async def _write_draft(session: AsyncSession, actor: Viewer, row: Document, content: PageContent, action: str) -> None:
    before, after = PageContent.from_json(row.draft), content.to_json()
    if row.draft == after:
        return
    row.draft, row.version, row.updated_by, row.updated_at = after, row.version + 1, actor.email, func.now()
    await session.flush()
    values = {"before": _audit_values(before), "after": _audit_values(content)}
    await audit.record(session, actor, action, _subject(row), **values)


async def _publish(session: AsyncSession, actor: AuditActor, row: Document) -> None:
    before = None if row.published is None else _audit_values(PageContent.from_json(row.published))
    row.published, row.publications, row.published_at, row.publish_at = (
        row.draft,
        row.publications + 1,
        func.now(),
        None,
    )
    session.add(
        DocumentVersion(
            document_id=row.id,
            number=row.publications,
            content=row.draft,
            actor_id=actor.user_id,
            actor_email=actor.email,
        )
    )
    await session.flush()
    after = {**_audit_values(PageContent.from_json(row.draft)), "version": row.publications}
    await audit.record(session, actor, "page published", _subject(row), before=before, after=after)


async def _record_time(
    session: AsyncSession, actor: Viewer, action: str, row: Document, before: datetime | None
) -> None:
    old, new = ({"publish_at": None if each is None else each.isoformat()} for each in (before, row.publish_at))
    await audit.record(session, actor, action, _subject(row), before=old, after=new)


async def _keep_images(session: AsyncSession, page_id: UUID, content: PageContent) -> None:
    """Notes which images it shows, so that they are kept. Raises InvalidInput for one that there is not."""
    places = {picture.image_id: place for place, picture in content.pictures()}
    if not places:
        return
    images = await media.images_by_id(session, list(places))
    missing = {f"{place}.imageId": "Upload this picture again" for id, place in places.items() if id not in images}
    if missing:
        raise InvalidInput(missing)
    rows = [{"document_id": page_id, "image_id": image_id} for image_id in sorted(places)]
    try:
        await session.execute(insert(DocumentImage).on_conflict_do_nothing(), rows)
    except IntegrityError as error:
        # It has been tidied away since.
        raise InvalidInput({f"{next(iter(places.values()))}.imageId": "Upload this picture again"}) from error


def _audit_values(content: PageContent) -> dict[str, Any]:
    """What the audit log keeps: each block by its place."""
    stored = content.to_json()
    blocks = {f"block {at}": block for at, block in enumerate(stored.pop("blocks"), 1)}
    return {**stored, **blocks}


def _subject(row: Document) -> audit.AuditSubject:
    return audit.AuditSubject("page", row.id, path_of(row.key))


def _job(page_id: UUID) -> str:
    return f"{PUBLISH}:{page_id}"
