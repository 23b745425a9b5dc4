"""Pictures in a bucket of S3, from uploads to what a CDN in front is asked for."""

import asyncio
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from server.config import Settings
from server.media import service
from server.media.gateway import FileStore
from server.media.service import ImageProcessor
from server.platform.core.db import Sessions
from server.platform.core.errors import TooLarge
from tests.bucket import keys, opened
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import ask, client_of, open_app, open_storefront
from tests.media.drawings import drawn
from tests.ports import free_port

URL = "s3://pictures/of/minimal"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with opened("pictures", monkeypatch) as own_bucket:
        yield own_bucket


async def test_uploaded_pictures_and_sizes_are_shared_through_the_bucket(
    bucket: Any, database_url: str, sessions: Sessions, tmp_path: Path
) -> None:
    async with open_storefront(database_url, sessions, tmp_path, images_url=URL) as shop:
        uploaded = await shop.admin.post("/uploads/images", content=drawn("PNG", (600, 800)))
        assert uploaded.status_code == 201
        image = uploaded.json()["id"]
        shown = await shop.visitor.get(f"/images/{image}/360.webp")
        missing = await shop.visitor.get("/images/0198c000-0000-7000-8000-000000000000/360.webp")

    assert Image.open(BytesIO(shown.content)).size == (360, 480)
    assert missing.status_code == 404
    assert keys(bucket) == [f"of/minimal/{image}/360.webp", f"of/minimal/{image}/original"]
    assert shop.files() == []
    stored = bucket.Object(f"of/minimal/{image}/360.webp").get()["Body"].read()
    assert stored == shown.content

    settings = Settings(_env_file=None, images_url=URL, shop_data=tmp_path)  # type: ignore[call-arg]
    other = ImageProcessor.of(settings)
    again = await other.file(uploaded.json()["id"], 360, "webp")
    assert again is not None
    assert again.data == stored
    await other.remove(uploaded.json()["id"])
    assert keys(bucket) == []


async def test_a_bucket_that_is_away_is_told_within_seconds_and_asked_again(
    bucket: Any, database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_storefront(database_url, sessions, tmp_path, images_url=URL) as shop:
        uploaded = (await shop.admin.post("/uploads/images", content=drawn())).json()["id"]
        with monkeypatch.context() as broken:
            broken.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
            async with open_app(database_url, tmp_path, images_url=URL) as app, client_of(app, None, None) as visitor:
                async with asyncio.timeout(30):
                    picture = await visitor.get(f"/images/{uploaded}/60.webp")
                    asset = await visitor.get("/assets/entry-00000000.js")
        again = await shop.visitor.get(f"/images/{uploaded}/60.webp")

    assert [(each.status_code, each.headers["retry-after"]) for each in (picture, asset)] == [(503, "2"), (503, "2")]
    assert again.status_code == 200


@pytest.fixture(autouse=True)
def own_pictures() -> Iterator[None]:
    yield
    service.serve_from("")


async def test_pages_fetch_pictures_from_the_origin_of_a_cdn_and_may(
    database_url: str, sessions: Sessions, session: AsyncSession, tmp_path: Path
) -> None:
    product = await put_on_offer(session, pictures=1)
    query = "query Own($id: ID!) { product(id: $id) { colors { images { id url srcset(format: AVIF) } } } }"
    async with open_storefront(database_url, sessions, tmp_path, media_base_url="https://cdn.example/") as shop:
        shown = (await ask(shop.visitor, query, id=str(product)))["product"]["colors"][0]["images"][0]
        page = await shop.visitor.get(f"/product/{product}")

    assert shown["url"] == f"https://cdn.example/images/{shown['id']}/900.webp"
    assert shown["srcset"].startswith(f"https://cdn.example/images/{shown['id']}/96.avif 96w, https://cdn.example/")
    assert f'src="https://cdn.example/images/{shown["id"]}/' in page.text
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    assert "https://cdn.example" in policy["img-src"].split()
    assert "https://cdn.example" not in policy["script-src"] + policy["default-src"]


@pytest.mark.parametrize("value", ["cdn.example", "https://cdn.example/pictures", "https://a.example; script-src *"])
def test_a_base_that_is_no_origin_is_refused(value: str) -> None:
    with pytest.raises(ValidationError, match=r"it (has to begin with|is a scheme, a host)"):
        Settings(_env_file=None, media_base_url=value)  # type: ignore[call-arg]


async def test_a_file_larger_than_asked_for_is_not_read(bucket: Any) -> None:
    bucket.put_object(Key="of/minimal/file", Body=b"x" * 1_000)
    store = FileStore.open(URL, Path())

    with pytest.raises(TooLarge):
        await store.get("file", 999)

    assert await store.get("file", 1_000) == b"x" * 1_000
