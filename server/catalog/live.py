"""The catalogue as this process knows it: index and contents of products, kept up to date by notifications."""

from collections import Counter
from collections.abc import Sequence
from time import monotonic
from uuid import UUID

from server.catalog.contents import ProductContents
from server.catalog.dependencies import CHECK_SECONDS, CacheDependencies
from server.catalog.follower import CATEGORIES, CatalogFollower, ids_of, is_mark
from server.platform.core.db import Sessions
from server.platform.core.reader import Reader


class LiveCatalog:
    """The index and the contents of products, with the number of changes that were announced."""

    def __init__(self, follower: CatalogFollower, reader: Reader | None = None) -> None:
        self.follower = follower
        self.contents = ProductContents(reader=reader)
        self.changes = 0
        """Counts everything after which a response could be different."""
        self.versions: Counter[str] = Counter()
        """Counts changes of what shoppers see beside the catalogue, by what it is: `settings`, `pages`."""
        self.fresh_from = 0.0
        """By `monotonic`: what is known as of an earlier moment may lack a change that a request has made itself."""
        follower.on_change(self._changed)

    def notified(self, payload: str) -> None:
        """Handles a notification with ids of products; an empty one, sent after connecting, means any product."""
        if not payload:
            self.contents.listening(is_listening=True)
        elif not is_mark(payload):
            self._changed_contents(list(ids_of(payload)))
        if not is_mark(payload):
            self._changed()
        self.follower.notified(payload)

    def _changed_contents(self, ids: Sequence[UUID]) -> None:
        if CATEGORIES in ids:
            self.contents.forget()
        self.contents.changed(ids)

    def connection_lost(self) -> None:
        """From now on nothing counts as known."""
        self.contents.listening(is_listening=False)
        self.follower.connection_lost()

    def settings_changed(self, _payload: str = "") -> None:
        """The shop's settings have changed, or may have while the connection was lost."""
        self.beside_changed("settings")

    def beside_changed(self, what: str) -> None:
        """Something that pages show beside the catalogue has changed, or may have while the connection was lost."""
        self.versions[what] += 1
        self._changed()

    @property
    def is_listening(self) -> bool:
        """Whether notifications arrive, and none has been missed."""
        return self.follower.misses_nothing

    @property
    def as_of(self) -> float:
        """The moment, by `monotonic`, up to which this process has every announced change."""
        return self.follower.as_of

    @property
    def index_version(self) -> int:
        """Counts the changes of the index."""
        return self.follower.index.version

    async def catch_up(self, sessions: Sessions) -> bool:
        """Waits until every change committed before this call is known; False when that takes too long.

        From then on no response is served that may be older. For requests that read their own change.
        """
        has_caught_up = await self.follower.catch_up(sessions)
        self.fresh_from = monotonic()
        return has_caught_up

    async def unchanged_as_of(self, dependencies: CacheDependencies, sessions: Sessions) -> float | None:
        """The moment as of which a response with these dependencies would be the same; None if it would be another."""
        as_of = self.as_of
        if any(self.versions[what] != version for what, version in dependencies.versions.items()):
            return None
        stock_since = max(self.fresh_from, monotonic() - CHECK_SECONDS / 2) if dependencies.shows_stock else None
        contents = await self.contents.get(sessions, dependencies.products, stock_since)
        if not dependencies.has_same_products({each: content.fingerprints for each, content in contents.items()}):
            return None
        version, index = self.index_version, self.follower.index
        if dependencies.index_version != version:
            if any(query(index) != result for query, result in dependencies.queries):
                return None
            dependencies.index_version = version
        return min([as_of, *(content.stock_as_of for content in contents.values() if stock_since is not None)])

    def _changed(self) -> None:
        self.changes += 1
