import json

import pytest
from sqlalchemy import func, select

from server.media.errors import NoRoom
from server.media.gateway import FileStore
from server.media.models import Image
from server.platform.core.db import Sessions
from server.platform.core.models import RateLimit
from tests.catalog.storefront import Storefront
from tests.media.drawings import NO_PICTURE, drawn, png_claiming

MADE_UP = "6f1d3c1e-8a57-4c39-9d6e-2b7f0c5a9e14"


async def uploaded(storefront: Storefront) -> str:
    response = await storefront.admin.post("/uploads/images", content=drawn("JPEG", (600, 800)))
    assert response.status_code == 201
    return str(response.json()["id"])


async def test_an_admin_uploads_a_picture_and_everybody_sees_it(storefront: Storefront) -> None:
    response = await storefront.admin.post(
        "/uploads/images", content=drawn("JPEG", (600, 800)), headers={"content-type": "image/jpeg"}
    )
    image = response.json()
    shown = await storefront.visitor.get(f"/images/{image['id']}/360.webp")

    assert response.status_code == 201
    assert (image["width"], image["height"]) == (600, 800)
    assert image["placeholder"].startswith("data:image/webp;base64,")
    assert shown.status_code == 200
    assert shown.headers["content-type"] == "image/webp"
    assert shown.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert shown.headers["x-content-type-options"] == "nosniff"


async def test_an_upload_that_finds_no_room_uses_up_no_limit(
    storefront: Storefront, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def put(*_given: object) -> None:
        raise NoRoom

    with monkeypatch.context() as full:
        full.setattr(FileStore, "put", put)
        refused = await storefront.admin.post("/uploads/images", content=drawn())
    async with sessions() as session:
        counted = (await session.scalars(select(RateLimit.hits))).all()
    await uploaded(storefront)

    assert (refused.status_code, counted) == (NoRoom.status, [0])


@pytest.mark.parametrize(("kind", "mime"), [("avif", "image/avif"), ("webp", "image/webp"), ("jpg", "image/jpeg")])
async def test_each_format_says_its_type(storefront: Storefront, kind: str, mime: str) -> None:
    image_id = await uploaded(storefront)

    response = await storefront.visitor.get(f"/images/{image_id}/96.{kind}")

    assert (response.status_code, response.headers["content-type"]) == (200, mime)


async def test_a_known_picture_is_not_sent_again(storefront: Storefront) -> None:
    address = f"/images/{await uploaded(storefront)}/96.webp"
    etag = (await storefront.visitor.get(address)).headers["etag"]

    response = await storefront.visitor.get(address, headers={"if-none-match": etag})

    assert (response.status_code, response.content, response.headers["etag"]) == (304, b"", etag)


@pytest.mark.parametrize(
    "file",
    [
        "97.webp",
        "1200.webp",
        "096.webp",
        "-96.webp",
        "96.gif",
        "96",
        "original",
        "96.webp.bak",
        "99999.webp",
        "٩٦.webp",
    ],
)
async def test_other_files_of_a_picture_are_not_found(storefront: Storefront, file: str) -> None:
    image_id = await uploaded(storefront)

    assert (await storefront.visitor.get(f"/images/{image_id}/{file}")).status_code == 404


@pytest.mark.parametrize("image_id", ["x", "..", "%2e%2e", MADE_UP, MADE_UP.upper(), MADE_UP.replace("-", "")])
async def test_pictures_that_do_not_exist_are_not_found(storefront: Storefront, image_id: str) -> None:
    assert (await storefront.visitor.get(f"/images/{image_id}/96.webp")).status_code == 404


async def test_only_admins_upload(storefront: Storefront) -> None:
    refused = [
        (await client.post("/uploads/images", content=drawn())).status_code
        for client in (storefront.visitor, storefront.shopper)
    ]

    assert refused == [401, 403]
    assert storefront.files() == []


async def test_another_sites_page_cannot_upload(storefront: Storefront) -> None:
    response = await storefront.admin.post(
        "/uploads/images", content=drawn(), headers={"sec-fetch-site": "cross-site", "content-type": "text/plain"}
    )

    assert response.status_code == 403
    assert storefront.files() == []


@pytest.mark.parametrize(
    ("upload", "reason"),
    [
        (b"", NO_PICTURE),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", NO_PICTURE),
        (png_claiming(30_000, 30_000), "has too many pixels"),
        (drawn("JPEG")[:-200], "is damaged or cut off"),
        (b"\xff" * 15_000_001, "is larger than 15 MB"),
    ],
)
async def test_a_refused_upload_says_why_and_leaves_neither_file_nor_row(
    storefront: Storefront, sessions: Sessions, upload: bytes, reason: str
) -> None:
    response = await storefront.admin.post("/uploads/images", content=upload)

    assert response.status_code == 400
    assert reason in response.json()["message"]
    assert storefront.files() == []
    async with sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Image)) == 0


async def test_an_unreadable_file_is_logged_as_a_defect_not_as_an_unavailable_database(
    storefront: Storefront, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    image_id = await uploaded(storefront)

    async def unreadable(_store: FileStore, key: str) -> bytes:
        raise PermissionError(13, "Permission denied", key)

    monkeypatch.setattr(FileStore, "get", unreadable)
    response = await storefront.visitor.get(f"/images/{image_id}/96.webp")

    [failed] = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"request.failed"' in line]
    assert response.status_code == 500
    assert (failed["exception"]["type"], failed["exception"]["code"]) == ("PermissionError", "EACCES")
    assert any("server/media/service.py" in frame for frame in failed["exception"]["frames"])
