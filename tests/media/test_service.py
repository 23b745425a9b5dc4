import asyncio
from pathlib import Path
from threading import Event
from typing import cast
from uuid import uuid4

import httpx
import pytest
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from server.media import codec, service
from server.media.errors import UnusableImage
from server.media.formats import FORMATS, Format
from server.media.gateway import FileStore
from server.media.service import ImageProcessor
from server.platform.core.disk import DiskSpace
from server.platform.core.errors import Unavailable
from tests.media.drawings import drawn, png_claiming
from tests.platform.web.limited_app import limited, until


@pytest.fixture
def pictures(tmp_path: Path) -> ImageProcessor:
    return ImageProcessor(FileStore.open("", tmp_path / "images"), max_bytes=100_000, max_pixels=50_000_000)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


async def test_a_kept_picture_is_one_file_and_then_one_row(
    pictures: ImageProcessor, tmp_path: Path, session: AsyncSession
) -> None:
    image = await pictures.keep(drawn("JPEG", (600, 800)))
    await service.add(session, [image])

    assert files(tmp_path) == ["original"]
    rows = await service.images_by_id(session, [image.id, uuid4()])
    assert {row.id: (row.width, row.height) for row in rows.values()} == {image.id: (600, 800)}


@pytest.mark.parametrize("upload", [b"nothing", png_claiming(30_000, 30_000), drawn("JPEG")[:-100], b"x" * 100_001])
async def test_a_refused_picture_leaves_nothing_behind(pictures: ImageProcessor, tmp_path: Path, upload: bytes) -> None:
    with pytest.raises(UnusableImage):
        await pictures.keep(upload)

    assert files(tmp_path) == []


async def test_a_discarded_picture_is_gone_and_discarding_twice_is_no_error(
    pictures: ImageProcessor, tmp_path: Path
) -> None:
    image = await pictures.keep(drawn())

    await pictures.discard([image, image])

    assert files(tmp_path) == []


async def test_a_size_is_made_once_however_many_ask_and_then_kept(
    pictures: ImageProcessor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = await pictures.keep(drawn("PNG", (600, 800)))
    widths: list[int] = []
    derive = codec.derive

    def counted(original: bytes, width: int, kind: Format) -> bytes:
        widths.append(width)
        return derive(original, width, kind)

    monkeypatch.setattr(codec, "derive", counted)

    answers = await asyncio.gather(*(pictures.file(image.id, 360, "webp") for _ in range(20)))
    later = await pictures.file(image.id, 360, "webp")

    assert widths == [360]
    assert {*answers, later} == {later}
    assert files(tmp_path) == ["360.webp", "original"]


async def test_pictures_that_wait_to_be_made_hold_no_slot(
    pictures: ImageProcessor, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = await pictures.keep(drawn("PNG", (600, 800)))
    derive, may_go = codec.derive, Event()
    monkeypatch.setattr(codec, "derive", lambda *asked: may_go.wait(30) and derive(*asked))
    sizes = [f"{width}.{kind}" for width in (96, 180, 360, 540) for kind in FORMATS]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        width, _, kind = scope["path"][1:].partition(".")
        file = await pictures.file(image.id, int(width), cast(Format, kind)) if kind else None
        await Response(file.data if file else b"")(scope, receive, send)

    shop = limited(app, max_concurrent=2, read_queue_timeout=60)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(shop), base_url="http://localhost") as client:
        asked = [asyncio.create_task(client.get(f"/{size}")) for size in sizes]
        await until(lambda: len(pictures._flights) == len(sizes))
        await until(lambda: not any(shop._held))
        page = await client.get("/")
        may_go.set()
        shown = await asyncio.gather(*asked)

    assert page.status_code == 200
    assert [each.status_code for each in shown] == [200] * len(sizes)


async def test_only_so_many_pictures_wait_to_be_made(pictures: ImageProcessor, monkeypatch: pytest.MonkeyPatch) -> None:
    image = await pictures.keep(drawn("PNG", (600, 800)))
    derive, may_go = codec.derive, Event()
    monkeypatch.setattr(codec, "derive", lambda *asked: may_go.wait(30) and derive(*asked))
    monkeypatch.setattr(service, "MOST_DERIVED", 1)

    first = asyncio.create_task(pictures.file(image.id, 360, "webp"))
    await until(lambda: len(pictures._flights) == 1)
    with pytest.raises(Unavailable):
        await pictures.file(image.id, 180, "webp")
    may_go.set()

    assert await first == await pictures.file(image.id, 360, "webp")


async def test_two_processes_that_make_the_same_size_agree(tmp_path: Path) -> None:
    first, second = (
        ImageProcessor(FileStore.open("", tmp_path), max_bytes=100_000, max_pixels=10**7) for _ in range(2)
    )
    image = await first.keep(drawn("PNG", (600, 800)))

    one, other = await asyncio.gather(first.file(image.id, 360, "avif"), second.file(image.id, 360, "avif"))

    assert one == other is not None


@pytest.mark.parametrize("width", [0, 1, 359, 361, 720, 5_000])
async def test_a_width_that_the_picture_is_not_served_at_is_no_file(pictures: ImageProcessor, width: int) -> None:
    image = await pictures.keep(drawn("PNG", (600, 800)))

    assert await pictures.file(image.id, width, "webp") is None


async def test_a_picture_that_does_not_exist_is_no_file(pictures: ImageProcessor) -> None:
    assert await pictures.file(uuid4(), 360, "webp") is None


@pytest.mark.parametrize(
    ("own", "widths"),
    [
        (2_000, [96, 180, 360, 540, 720, 900, 1200, 1440]),
        (1_200, [96, 180, 360, 540, 720, 900, 1200]),
        (900, [96, 180, 360, 540, 720, 900]),
        (800, [96, 180, 360, 540, 720, 800]),
        (50, [50]),
    ],
)
def test_a_picture_is_served_at_the_usual_widths_up_to_its_own(own: int, widths: list[int]) -> None:
    assert service.widths_of(own) == widths


def test_an_address_rounds_the_width_up_and_stops_at_the_largest() -> None:
    assert service.path_of("id", 800, 400) == "/images/id/540.webp"
    assert service.path_of("id", 800, 540, "avif") == "/images/id/540.avif"
    assert service.path_of("id", 800, 5_000, "jpg") == "/images/id/800.jpg"
    assert service.srcset_of("id", 180, "avif") == "/images/id/96.avif 96w, /images/id/180.avif 180w"


async def test_with_little_room_the_nearest_size_stands_in_and_none_is_made(tmp_path: Path) -> None:
    space = DiskSpace("postgresql://elsewhere.test/shop", tmp_path, low_mb=10**12)
    pictures = ImageProcessor(FileStore.open("", tmp_path), max_bytes=100_000, max_pixels=10**7, disk=space)
    roomy = ImageProcessor(FileStore.open("", tmp_path), max_bytes=100_000, max_pixels=10**7)
    image = await roomy.keep(drawn("PNG", (600, 800)))

    nothing_made = await pictures.file(image.id, 360, "webp")
    exact_files = [await roomy.file(image.id, width, "webp") for width in (96, 540)]
    stand_ins = [await pictures.file(image.id, width, "webp") for width in (180, 360, 600)]
    exact = await pictures.file(image.id, 540, "webp")

    assert nothing_made is not None
    assert (nothing_made.is_exact, nothing_made.media_type) == (False, "image/avif")
    assert [each and each.data for each in stand_ins] == [
        each and each.data for each in (exact_files[0], exact_files[1], exact_files[1])
    ]
    assert {each and each.is_exact for each in stand_ins} == {False}
    assert exact == exact_files[1]
    assert await pictures.file(image.id, 359, "webp") is None
    assert files(tmp_path) == ["540.webp", "96.webp", "original"]
