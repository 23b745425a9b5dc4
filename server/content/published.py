"""Published pages in this process's memory, until a notification of their change."""

from uuid import UUID

from server.content import queries
from server.content.queries import PageView, Publication
from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.core.cached_value import CachedValue
from server.platform.core.db import Sessions, autocommit

CHANNEL = "documents"
CACHE_BYTES = 4_000_000
OBJECT_FACTOR = 6
"""Bytes of objects in memory for each byte of their JSON, at most."""


class PublishedPages:
    """Which pages are published, all of them, and the contents of those that were read lately.

    Contents are cached by the number of their version, so that they are never older than the list of publications,
    which is read again after each notification. Without notifications the list is read each time.
    """

    def __init__(self) -> None:
        self._publications = CachedValue(queries.publications)
        self._views = ByteLimitedCache[UUID, tuple[int, PageView]](
            "published pages", CACHE_BYTES, largest=CACHE_BYTES // 4
        )

    def changed(self, page_id: str = "") -> None:
        """Handles a notification."""
        self._publications.changed()

    def connection_lost(self) -> None:
        """From now on nothing counts as known."""
        self._publications.connection_lost()

    def is_published(self, key: str) -> bool:
        """Whether there was such a page when this process last read the list, which it does not do for this."""
        return key in (self._publications.last or {})

    async def publications(self, sessions: Sessions) -> dict[str, Publication]:
        """All published pages by their keys, in their order."""
        return await self._publications.get(sessions)

    async def get(self, sessions: Sessions, key: str) -> PageView | None:
        """A published page; None when there is none. Costs no statement once it is in memory."""
        publication = (await self.publications(sessions)).get(key)
        if publication is None:
            return None
        cached = self._views.get(publication.id)
        if cached and cached[0] == publication.number:
            return cached[1]
        return await self._read(sessions, publication.id)

    async def _read(self, sessions: Sessions, page_id: UUID) -> PageView | None:
        async with autocommit(sessions) as session:
            published = await queries.published(session, page_id)
        if published is None:
            return None
        number, view, size = published
        self._views.put(page_id, (number, view), size * OBJECT_FACTOR)
        return view
