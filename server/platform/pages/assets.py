"""The client's built files, read on request; browsers cache them forever, since names contain hashes."""

import asyncio
import gzip
import mimetypes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath
from typing import Any

import brotli
import orjson
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.core.package_data import package_data
from server.platform.web.compression import negotiate

DIST = package_data("client/dist")
COMPRESSIBLE = {".js", ".css", ".html", ".svg", ".json", ".txt", ".webmanifest", ".map"}
CODINGS = {"br": ".br", "gzip": ".gz"}
"""Content codings in order of preference, with the file name endings of the build's compressed files."""
BELOW = "assets/"
FIXED = ("favicon.svg", "early.js", "sw.js")
SERVICE_WORKER = "/sw.js"
"""Browsers always revalidate it, since it decides what else is fetched."""
IMMUTABLE = "public, max-age=31536000, immutable"

CACHE_BYTES = 16_000_000
"""Every file fits, so that each is there once, however many slow clients it is being sent to. Shoppers' take two."""

Manifest = Mapping[str, Mapping[str, Any]]
"""Vite's manifest by source file: what each was built into and what that imports."""


@dataclass(frozen=True)
class Asset:
    """One file of the build."""

    body: bytes
    compressed: Mapping[str, bytes]
    """By content coding, in the order of CODINGS; empty for file types that are compressed already."""
    media_type: str


class ImmutableFiles(Mapping[str, Asset]):
    """The files below /assets/ by their name there, each read on request: together they take 15 MB."""

    def __init__(self) -> None:
        files = sorted((DIST / BELOW).glob("*"))
        self._files = {file.name: file for file in files if file.suffix not in CODINGS.values()}

    def __getitem__(self, name: str) -> Asset:
        return _read(self._files[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, name: object) -> bool:
        return name in self._files


class Assets:
    """All files of the client's build, by their path in it."""

    def __init__(self) -> None:
        self.immutable = ImmutableFiles()
        self._cache: ByteLimitedCache[str, Asset] = ByteLimitedCache("assets", CACHE_BYTES, largest=CACHE_BYTES)
        self._reads: dict[str, asyncio.Task[Asset | None]] = {}
        # Their names stay the same, so a later build must not change them under the pages of this one.
        self._fixed = {name: _read(DIST / name) for name in FIXED if (DIST / name).exists()}
        self._manifest: Manifest = orjson.loads(self.text(".vite/manifest.json") or "{}")

    def text(self, path: str) -> str | None:
        """A file's text; None when it does not exist."""
        file = DIST / path
        return file.read_text(encoding="utf-8") if file.is_file() else None

    async def find(self, name: str) -> Asset | None:
        """A file below /assets/; None when this build has none of this name, or a later one has replaced it."""
        cached = self._cache.get(name)
        if cached is not None or name not in self.immutable:
            return cached
        if name not in self._reads:
            self._reads[name] = asyncio.create_task(self._read(name))
        return await asyncio.shield(self._reads[name])

    async def _read(self, name: str) -> Asset | None:
        try:
            asset = await asyncio.to_thread(self.immutable.__getitem__, name)
        except FileNotFoundError:
            return None
        finally:
            del self._reads[name]
        self._cache.put(name, asset, len(asset.body) + sum(map(len, asset.compressed.values())))
        return asset

    def of_source(self, source: str) -> Iterator[str]:
        """The files that a browser needs to run a source file, besides those that the page names."""
        shell = set(files_of(self._manifest, "index.html"))
        yield from (file for file in files_of(self._manifest, source) if file not in shell)

    def modules(self, *sources: str) -> list[str]:
        """The scripts that run some source files, each after those it imports."""
        return [file for file in files_of(self._manifest, *sources) if file.endswith(".js")]

    async def serve(self, request: Request) -> Response:
        """One of the FIXED files; 404 when it does not exist."""
        return response(request, self._fixed.get(request.url.path.lstrip("/")))


def response(request: Request, asset: Asset | None) -> Response:
    """A file in a content coding that the client accepts; 404 without one."""
    if asset is None:
        return PlainTextResponse("Not found", 404)
    headers = {"cache-control": _lifetime(request.url.path)}
    if not asset.compressed:
        return Response(asset.body, headers=headers, media_type=asset.media_type)
    headers["vary"] = "accept-encoding"
    coding = negotiate(request.headers.get("accept-encoding", ""), asset.compressed)
    if coding is None:
        return Response(asset.body, headers=headers, media_type=asset.media_type)
    headers["content-encoding"] = coding
    return Response(asset.compressed[coding], headers=headers, media_type=asset.media_type)


def files_of(manifest: Manifest, *sources: str) -> list[str]:
    """The scripts and styles that run some source files, each once and after those it imports."""
    files = dict[str, None]()
    seen = set[str]()

    def visit(source: str) -> None:
        if source in seen or source not in manifest:
            return
        seen.add(source)
        chunk = manifest[source]
        for needed in chunk.get("imports", ()):
            visit(needed)
        files.update(dict.fromkeys((*chunk.get("css", ()), chunk["file"])))

    for source in sources:
        visit(source)
    return list(files)


def media_type_of(file: PurePath) -> str:
    """By the ending of its name."""
    return mimetypes.guess_type(file.name)[0] or "application/octet-stream"


def _lifetime(path: str) -> str:
    if path == SERVICE_WORKER:
        return "no-cache"
    return IMMUTABLE if path.startswith("/assets/") else "public, max-age=3600"


def _read(file: Path) -> Asset:
    body = file.read_bytes()
    kind = media_type_of(file)
    public = not any(part.startswith(".") for part in file.parts[-2:])
    if not public or file.suffix not in COMPRESSIBLE:
        return Asset(body, {}, kind)
    return Asset(body, {coding: _compressed(file, body, coding) for coding in CODINGS}, kind)


def _compressed(file: Path, body: bytes, coding: str) -> bytes:
    built_beside = file.with_name(file.name + CODINGS[coding])
    return built_beside.read_bytes() if built_beside.exists() else QUICKLY[coding](body)


def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


def _brotli(body: bytes) -> bytes:
    smaller: bytes = brotli.compress(body, quality=5)
    return smaller


QUICKLY: Mapping[str, Callable[[bytes], bytes]] = {"br": _brotli, "gzip": _gzip}
"""Fast settings: the best compression takes a hundred times as long."""


@cache
def built() -> Assets:
    """The build, looked through once per process, also when tests open several shops in it."""
    return Assets()
