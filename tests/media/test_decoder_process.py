"""Large images are decoded in a process of their own, whose memory is returned and whose crash is harmless."""

import asyncio
from pathlib import Path

import pytest

from server.media import apart, codec
from server.media.errors import UnusableImage
from server.media.formats import NormalizedUpload
from server.media.gateway import FileStore
from server.media.service import ImageProcessor
from tests.media.drawings import NO_PICTURE, drawn, png_claiming

LIMIT = 50_000_000


def pictures(folder: Path) -> ImageProcessor:
    return ImageProcessor(FileStore.open("", folder), max_bytes=15_000_000, max_pixels=LIMIT)


async def test_it_makes_what_is_made_here() -> None:
    upload = drawn("JPEG", (2_400, 1_800))

    assert await apart.make_original(upload, LIMIT) == codec.make_original(upload, LIMIT)


@pytest.mark.parametrize(
    ("upload", "reason"),
    [
        (b"", NO_PICTURE),
        (png_claiming(3_000, 3_000), "is damaged or cut off"),
        (png_claiming(9_000, 9_000), "the limit is 50 million"),
    ],
)
async def test_it_refuses_what_is_refused_here(upload: bytes, reason: str) -> None:
    with pytest.raises(UnusableImage, match=reason):
        await apart.make_original(upload, LIMIT)


async def test_a_process_that_does_not_come_to_an_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "MOST_SECONDS", 0.05)

    with pytest.raises(UnusableImage, match="too costly"):
        await apart.make_original(drawn("PNG", (4_000, 4_000)), LIMIT)


async def test_a_process_that_is_killed_costs_this_upload_only(monkeypatch: pytest.MonkeyPatch) -> None:
    started = asyncio.create_subprocess_exec

    async def doomed(*command: str, **options: object) -> asyncio.subprocess.Process:
        process = await started(*command, **options)  # type: ignore[arg-type]
        process.kill()
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", doomed)

    with pytest.raises(UnusableImage, match="too costly"):
        await apart.make_original(drawn("PNG", (2_400, 1_800)), LIMIT)


@pytest.mark.parametrize(
    ("kind", "size", "is_apart"),
    [("JPEG", (999, 999), False), ("JPEG", (1_000, 1_000), True), ("AVIF", (1_500, 2_000), False)],
)
async def test_only_what_is_large_and_encoded_anew_is_worth_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, size: tuple[int, int], is_apart: bool
) -> None:
    make_original = apart.make_original
    seen: list[int] = []

    async def noted(upload: bytes, max_pixels: int) -> NormalizedUpload:
        seen.append(max_pixels)
        return await make_original(upload, max_pixels)

    monkeypatch.setattr(apart, "make_original", noted)

    image = await pictures(tmp_path).keep(drawn(kind, size))

    assert (image.width, image.height) == size
    assert seen == ([LIMIT] if is_apart else [])
