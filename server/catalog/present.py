"""The catalogue of now, as far as this process knows it: what cached responses are held against."""

from time import monotonic

from server.catalog.contents import ProductContents
from server.catalog.follower import CatalogFollower, ids_of, is_mark
from server.catalog.shown import Shown
from server.platform.core.db import Sessions
from server.platform.core.reader import Reader


class PresentCatalog:
    """The index and the contents of products, with the number of changes that were announced."""

    def __init__(self, follower: CatalogFollower, reader: Reader | None = None) -> None:
        self.follower = follower
        self.contents = ProductContents(reader=reader)
        self.changes = 0
        """Counts everything that a response could show differently from now on."""
        self.shop_version = 0
        """Counts changes of the settings that shoppers see."""
        self.fresh_from = 0.0
        """By `monotonic`: what was known to be true before may be older than somebody's own change."""
        follower.on_change(self._changed)

    def heard(self, payload: str) -> None:
        """Handles a notification with ids of products; an empty one, sent after connecting, means any product."""
        if not payload:
            self.contents.listening(is_listening=True)
        elif not is_mark(payload):
            self.contents.changed(ids_of(payload))
        if not is_mark(payload):
            self._changed()
        self.follower.heard(payload)

    def connection_lost(self) -> None:
        """From now on nothing counts as known."""
        self.contents.listening(is_listening=False)
        self.follower.connection_lost()

    def shop_changed(self, _payload: str = "") -> None:
        """The shop's settings have changed, or may have while nobody listened."""
        self.shop_version += 1
        self._changed()

    @property
    def is_listening(self) -> bool:
        """Whether changes are heard, and none has been missed."""
        return self.follower.misses_nothing

    @property
    def known_at(self) -> float:
        """The moment, by `monotonic`, of which this process knows the whole catalogue."""
        return self.follower.known_at

    @property
    def index_version(self) -> int:
        """Counts the changes of the index."""
        return self.follower.index.version

    async def catch_up(self, sessions: Sessions) -> bool:
        """Waits until every change committed before this call is known; False when that takes too long.

        From then on no response is served that may be older. For requests that read their own change.
        """
        is_known = await self.follower.catch_up(sessions)
        self.fresh_from = monotonic()
        return is_known

    async def still_shows(self, shown: Shown, sessions: Sessions) -> bool:
        """Whether a response would show the same now."""
        if shown.shop_version not in (None, self.shop_version):
            return False
        since = monotonic() if shown.asks_stock else None
        known = await self.contents.get(sessions, shown.products, since)
        if not shown.is_seen_in({product_id: content.marks for product_id, content in known.items()}):
            return False
        version, index = self.index_version, self.follower.index
        if shown.index_version != version:
            if any(question(index) != found for question, found in shown.questions):
                return False
            shown.index_version = version
        return True

    def last_seen(self, shown: Shown) -> float:
        """The last moment, by `monotonic`, at which its products are known to have looked the same, pieces included.

        Asks nothing: somebody else's reading of stock may have told. 0 when it is not known.
        """
        return min(self.known_at, self.contents.seen_at(shown.products))

    def _changed(self) -> None:
        self.changes += 1
