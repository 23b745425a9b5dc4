"""The asset files of several builds of the client, for pages of a version that this process is not.

While a shop is being updated, a page of the new version may ask a process of the old one for its scripts, and a tab
that has been open since yesterday asks the new one. Names of assets contain a hash of their content, so files of all
builds lie side by side. They are where the pictures are: in the bucket, or in SHOP_DATA.
"""

import asyncio
import time
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from pathlib import PurePath
from typing import TypedDict

import orjson

from server.config import Settings
from server.media.gateway import FileStore
from server.platform.core import clock
from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.pages.assets import CODINGS, Asset, media_type_of

KEPT_BUILDS = 3
"""The present one, the one before, and one to go back to."""
UNFINISHED_FOR = timedelta(hours=1)
"""Files younger than this may belong to a build that is being published."""
REFRESH_SECONDS = 2.0
AT_ONCE = 16
ASSETS, BUILDS = "assets", "builds"


class Listing(TypedDict):
    """What is written down of a build. Moments in S3 are whole seconds, and which of two came later counts."""

    published_at: float
    names: list[str]


class OlderBuilds:
    """Asset files of the last KEPT_BUILDS builds that a process of this shop has published."""

    def __init__(self, store: FileStore) -> None:
        self._store = store
        self._names: frozenset[str] = frozenset()
        self._read_at = -REFRESH_SECONDS
        self._reading = asyncio.Lock()
        self._cache: ByteLimitedCache[str, Asset] = ByteLimitedCache("older assets", 1_500_000)

    @classmethod
    def of(cls, settings: Settings) -> "OlderBuilds":
        """Beside the pictures of these settings."""
        bucket = f"{settings.images_url.rstrip('/')}/client" if settings.images_url else ""
        return cls(FileStore.open(bucket, settings.shop_data.absolute() / "client"))

    async def publish(self, build: Mapping[str, Asset]) -> None:
        """Stores the files of a build that are not there yet, then deletes all but the newest builds.

        Raises StorageUnavailable. Publishing a build again makes it the newest.
        """
        names = sorted(build)
        listing = f"{BUILDS}/{sha256(orjson.dumps(names)).hexdigest()[:32]}"
        newest_first = list(await self._listings())
        if listing not in newest_first:
            await self._put_missing(build)
        if newest_first[:1] != [listing]:
            await self._store.put(listing, orjson.dumps(Listing(published_at=time.time(), names=names)))
            await self._forget()

    async def find(self, name: str) -> Asset | None:
        """A file of any published build; None when none has it. Raises StorageUnavailable."""
        cached = self._cache.get(name)
        if cached is not None:
            return cached
        if name not in await self._known(name):
            return None
        body = await self._store.get(f"{ASSETS}/{name}")
        if body is None:
            return None
        by_coding = {coding: await self._store.get(f"{ASSETS}/{name}{end}") for coding, end in CODINGS.items()}
        compressed = {coding: data for coding, data in by_coding.items() if data is not None}
        asset = Asset(body, compressed, media_type_of(PurePath(name)))
        self._cache.put(name, asset, len(body) + sum(map(len, compressed.values())))
        return asset

    async def _known(self, name: str) -> frozenset[str]:
        """Names of all builds. Made-up names have them read again at most once in REFRESH_SECONDS."""
        async with self._reading:
            if name not in self._names and time.monotonic() - self._read_at >= REFRESH_SECONDS:
                self._names = frozenset().union(*(await self._listings()).values())
                self._read_at = time.monotonic()
        return self._names

    async def _listings(self) -> dict[str, list[str]]:
        """The names in each kept build, by the key of its list, the newest first."""
        texts = {key: await self._store.get(key) for key in await self._store.written(BUILDS)}
        listings: dict[str, Listing] = {key: orjson.loads(text) for key, text in texts.items() if text is not None}
        newest = sorted(listings, key=lambda key: listings[key]["published_at"], reverse=True)
        return {key: listings[key]["names"] for key in newest[:KEPT_BUILDS]}

    async def _put_missing(self, build: Mapping[str, Asset]) -> None:
        there = await self._store.written(ASSETS)
        limit = asyncio.Semaphore(AT_ONCE)

        async def put(name: str) -> None:
            async with limit:
                asset = build[name]
                files = {"": asset.body, **{CODINGS[coding]: data for coding, data in asset.compressed.items()}}
                for ending, data in files.items():
                    if f"{ASSETS}/{name}{ending}" not in there:
                        await self._store.put(f"{ASSETS}/{name}{ending}", data)

        await asyncio.gather(*(put(name) for name in build))

    async def _forget(self) -> None:
        listings = await self._listings()
        names = frozenset().union(*listings.values())
        for key in (await self._store.written(BUILDS)).keys() - listings.keys():
            await self._store.delete(key)
        files = await self._store.written(ASSETS)
        for key, written in files.items():
            name = key.removeprefix(f"{ASSETS}/")
            is_kept = name in names or any(name.removesuffix(end) in names for end in CODINGS.values())
            if not is_kept and clock.now() - written > UNFINISHED_FOR:
                await self._store.delete(key)
