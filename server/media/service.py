"""Images of the shop: each stored once, and served at every width and format that a page asks for."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar
from uuid import UUID, uuid4

import structlog
from sqlalchemy import ARRAY, Uuid, any_, insert, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.config import Settings
from server.media import apart
from server.media.errors import NoRoom, UnusableImage
from server.media.formats import FORMATS, Format, NormalizedUpload
from server.media.gateway import FileStore, address_of
from server.media.models import Image
from server.media.store_identity import image_folder
from server.platform.core import clock
from server.platform.core.disk import DiskSpace
from server.platform.core.errors import NotFound, TooLarge, Unavailable
from server.platform.core.jobs import JobEnvironment
from server.platform.core.lazy_imports import load
from server.platform.core.slots import release_slot

log = structlog.get_logger()

T = TypeVar("T")

AVIF = "image/avif"
"""The format of every original."""
WIDTHS = (96, 180, 360, 540, 720, 900, 1200, 1440)
"""Widths in pixels at which images are served."""
WORKERS = 2
MOST_DERIVED = 128
"""Files that are derived or wait for it: four pages' pictures, some seconds of work."""
UPLOADS = "uploads"
"""Folder of the files that browsers have sent to the bucket, until they are taken over."""
SIGNED_FOR = timedelta(minutes=5)
"""Lifetime of a signed URL; an upload that has begun may take longer."""
ABANDONED_AFTER = timedelta(hours=1)


@dataclass(frozen=True)
class NewImage:
    """An image whose file is in the store, and whose row is not yet in the database."""

    id: UUID
    sha256: str
    width: int
    height: int
    size_bytes: int
    placeholder: str


@dataclass(frozen=True)
class SignedUpload:
    """Where a browser may PUT a picture, and the id to take it over by."""

    id: UUID
    url: str


@dataclass(frozen=True, slots=True)
class ImageRow:
    """What a page needs of an image; width and height are the original's, in pixels."""

    id: UUID
    width: int
    height: int
    placeholder: str


@dataclass(frozen=True, slots=True)
class PictureFile:
    """The file sent for an image URL. When not `is_exact`, it is a substitute that caches keep only briefly."""

    data: bytes
    media_type: str
    is_exact: bool = True


class ImageProcessor:
    """The store, and the threads that decode and encode. One per process; needs no database."""

    def __init__(self, store: FileStore, *, max_bytes: int, max_pixels: int, disk: DiskSpace | None = None) -> None:
        self._store = store
        self._disk = disk
        self.max_bytes = max_bytes
        self._max_pixels = max_pixels
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="pictures")
        self._apart = asyncio.Semaphore(WORKERS)
        self._flights: dict[str, asyncio.Task[PictureFile | None]] = {}

    @classmethod
    def of(cls, settings: Settings, disk: DiskSpace | None = None) -> "ImageProcessor":
        """By the settings."""
        store = FileStore.open(settings.images_url, image_folder(settings))
        return cls(
            store, max_bytes=settings.limits.max_image_bytes, max_pixels=settings.limits.max_image_pixels, disk=disk
        )

    async def keep(self, upload: bytes, image_id: UUID | None = None) -> NewImage:
        """Decodes and re-encodes an upload and stores its file. Raises UnusableImage and then stores nothing.

        The caller adds the row; a file without a row is never shown.
        """
        if len(upload) > self.max_bytes:
            raise self.too_large()
        release_slot()
        return await self.put(await self._original(upload), image_id or uuid4())

    async def sign_upload(self, user_id: UUID) -> SignedUpload:
        """A place in the bucket for one picture of this user."""
        upload_id = uuid4()
        return SignedUpload(upload_id, await self._store.sign_put(_upload_key(user_id, upload_id), SIGNED_FOR))

    async def take_over(self, user_id: UUID, upload_id: UUID) -> NewImage:
        """Keeps a picture that is in the bucket at the place signed for this user, and removes it from there.

        Raises NotFound, and UnusableImage as `keep` does. It is stored under a new key, for which no URL is signed.
        """
        key = _upload_key(user_id, upload_id)
        release_slot()
        try:
            upload = await self._store.get(key, self.max_bytes)
        except TooLarge as error:
            raise self.too_large() from error
        finally:
            await self._store.delete(key)
        if upload is None:
            raise NotFound("This upload")
        return await self.keep(upload)

    async def remove_abandoned_uploads(self) -> None:
        """Deletes what was sent to the bucket and not taken over within an hour."""
        for key, written in (await self._store.written(UPLOADS)).items():
            if clock.now() - written > ABANDONED_AFTER:
                await self._store.delete(key)

    async def put(self, original: NormalizedUpload, image_id: UUID) -> NewImage:
        """Stores an image that is already normalized."""
        await self._store.put(_original_key(image_id), original.data)
        return NewImage(
            id=image_id,
            sha256=original.sha256,
            width=original.width,
            height=original.height,
            size_bytes=len(original.data),
            placeholder=original.placeholder,
        )

    async def _original(self, upload: bytes) -> NormalizedUpload:
        await load("server.media.codec")
        from server.media import codec

        pixels = await self._run(lambda: codec.pixels_to_encode(upload, self._max_pixels))
        if pixels < apart.FROM_PIXELS:
            return await self._run(lambda: codec.make_original(upload, self._max_pixels))
        async with self._apart:
            return await apart.make_original(upload, self._max_pixels)

    def too_large(self) -> UnusableImage:
        """The error for uploads over the limit."""
        return UnusableImage(f"is larger than {self.max_bytes // 1_000_000} MB")

    async def discard(self, images: Iterable[NewImage]) -> None:
        """Deletes files whose rows were not committed."""
        for image in images:
            await self._store.delete(_original_key(image.id))

    async def remove(self, image_id: UUID) -> None:
        """Deletes an image's original and all files derived from it."""
        await load("server.media.codec")
        from server.media import codec

        original = await self._store.get(_original_key(image_id))
        if original is None:
            return
        for width in widths_of(await self._run(lambda: codec.width_of(original))):
            for kind in FORMATS:
                await self._store.delete(f"{image_id}/{width}.{kind}")
        await self._store.delete(_original_key(image_id))

    async def file(self, image_id: UUID, width: int, kind: Format) -> PictureFile | None:
        """The image at one of its widths, derived on first request and stored; None when there is none.

        Parallel requests derive it once, and hold no slot while they wait for the threads; another process that derives
        it writes the same bytes. While disk space is low nothing is derived: the nearest stored file stands in, or the
        original. Raises Unavailable when too many files wait.
        """
        key = f"{image_id}/{width}.{kind}"
        stored = await self._store.get(key)
        if stored is not None:
            return PictureFile(stored, FORMATS[kind])
        if key not in self._flights:
            if len(self._flights) >= MOST_DERIVED:
                raise Unavailable
            task = asyncio.create_task(self._derive(key, image_id, width, kind))
            self._flights[key] = task
            task.add_done_callback(lambda _: self._flights.pop(key, None))
        release_slot()
        return await asyncio.shield(self._flights[key])

    async def _derive(self, key: str, image_id: UUID, width: int, kind: Format) -> PictureFile | None:
        await load("server.media.codec")
        from server.media import codec

        original = await self._store.get(_original_key(image_id))
        if original is None or width not in (widths := widths_of(codec.width_of(original))):
            return None
        if self._disk and await self._disk.is_low("images"):
            return await self._nearest(image_id, width, kind, widths) or PictureFile(original, AVIF, is_exact=False)
        derived = await self._run(lambda: codec.derive(original, width, kind))
        try:
            await self._store.put(key, derived)
        except NoRoom:
            log.warning("picture.not_kept")
        return PictureFile(derived, FORMATS[kind])

    async def _nearest(self, image_id: UUID, width: int, kind: Format, widths: list[int]) -> PictureFile | None:
        """The stored file of this format nearest in width, the wider of two; None without any."""
        for other in sorted(widths, key=lambda each: (abs(each - width), -each)):
            data = await self._store.get(f"{image_id}/{other}.{kind}")
            if data is not None:
                return PictureFile(data, FORMATS[kind], is_exact=False)
        return None

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        """Stops the threads without waiting; unfinished files are derived again on the next request."""
        self._pool.shutdown(wait=False, cancel_futures=True)


async def add(session: AsyncSession, images: Sequence[NewImage]) -> None:
    """Adds the rows of images that `ImageProcessor.keep` has stored."""
    if images:
        await session.execute(insert(Image), [vars(image) for image in images])


async def tidy(env: JobEnvironment) -> None:
    """Deletes uploads to the bucket that were never taken over."""
    await env.resources.get(ImageProcessor).remove_abandoned_uploads()


async def images_by_id(session: AsyncSession, ids: Sequence[UUID]) -> dict[UUID, ImageRow]:
    """Rows by image id; unknown ids are missing."""
    rows = await session.execute(
        select(Image.id, Image.width, Image.height, Image.placeholder).where(
            Image.id == any_(literal(list(ids), ARRAY(Uuid())))
        )
    )
    return {row.id: ImageRow(*row) for row in rows}


def widths_of(own_width: int) -> list[int]:
    """Widths at which an image is served: those of WIDTHS below its own, then its own or the largest."""
    largest = min(own_width, WIDTHS[-1])
    return [*(width for width in WIDTHS if width < largest), largest]


def uploads_address(settings: Settings) -> str:
    """What the URLs of all signed uploads begin with."""
    return address_of(settings.images_url, UPLOADS)


def serve_from(base_url: str) -> None:
    """Has `url_of` and `srcset_of` begin with an origin. Once in a process: they are asked for every picture shown."""
    global _base_url
    _base_url = base_url


_base_url = ""


def url_of(image_id: UUID | str, own_width: int, width: int = 900, kind: Format = "webp") -> str:
    """As `path_of`, at the origin from which pages fetch pictures."""
    return f"{_base_url}{path_of(image_id, own_width, width, kind)}"


def path_of(image_id: UUID | str, own_width: int, width: int = 900, kind: Format = "webp") -> str:
    """URL path of the image at the next width up, or at its largest."""
    widths = widths_of(own_width)
    served = next((each for each in widths if each >= width), widths[-1])
    return f"/images/{image_id}/{served}.{kind}"


def srcset_of(image_id: UUID | str, own_width: int, kind: Format) -> str:
    """The value of the `srcset` attribute of pages, with every width."""
    return ", ".join(f"{_base_url}/images/{image_id}/{width}.{kind} {width}w" for width in widths_of(own_width))


def _upload_key(user_id: UUID, upload_id: UUID) -> str:
    """Of a user, so that an upload cannot be claimed by another one."""
    return f"{UPLOADS}/{user_id}/{upload_id}"


def _original_key(image_id: UUID) -> str:
    return f"{image_id}/original"
