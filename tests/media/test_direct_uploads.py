"""Pictures that the browser sends straight to a bucket of S3, and everything that a signed URL must not be good for."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from pydantic import ValidationError
from sqlalchemy import func, select

from server.config import Settings
from server.media import service
from server.media.models import Image
from server.platform.core.db import Sessions
from tests.bucket import keys, opened
from tests.catalog.storefront import Storefront, open_storefront
from tests.media.drawings import NO_PICTURE, drawn, png_claiming

URL = "s3://pictures/of/minimal"
SIGNED = "/uploads/images/signed"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with opened("pictures", monkeypatch) as own_bucket:
        yield own_bucket


@pytest.fixture
async def shop(bucket: Any, database_url: str, sessions: Sessions, tmp_path: Path) -> AsyncIterator[Storefront]:
    async with open_storefront(database_url, sessions, tmp_path, images_url=URL, direct_uploads=True) as shop:
        yield shop


async def sign(client: httpx.AsyncClient, size: int = 1_000) -> dict[str, str]:
    response = await client.post(SIGNED, json={"size": size})
    assert response.status_code == 201
    signed: dict[str, str] = response.json()
    return signed


async def put(url: str, content: bytes = b"", method: str = "PUT") -> int:
    """As the browser sends it: to the bucket, without a cookie of the shop. Returns the status."""
    async with httpx.AsyncClient(trust_env=False) as browser:
        response = await browser.request(method, url, content=content, headers={"content-type": "image/png"})
    return response.status_code


async def take_over(client: httpx.AsyncClient, signed: dict[str, str]) -> httpx.Response:
    return await client.post(f"{SIGNED}/{signed['id']}", json={})


async def rows(sessions: Sessions) -> int:
    async with sessions() as session:
        return await session.scalar(select(func.count()).select_from(Image)) or 0


async def test_a_picture_goes_to_the_bucket_and_is_taken_over_as_if_it_had_been_uploaded(
    shop: Storefront, bucket: Any
) -> None:
    picture = drawn("PNG", (600, 800))

    signed = await sign(shop.admin, len(picture))
    assert await put(signed["url"], picture) == 200
    taken = await take_over(shop.admin, signed)
    uploaded = await shop.admin.post("/uploads/images", content=picture)

    assert (taken.status_code, uploaded.status_code) == (201, 201)
    image, same = taken.json(), uploaded.json()
    assert {**image, "id": ""} == {**same, "id": ""}
    assert image["id"] != signed["id"]
    assert keys(bucket) == sorted(f"of/minimal/{each['id']}/original" for each in (image, same))
    first, second = (bucket.Object(key).get()["Body"].read() for key in keys(bucket))
    assert first == second != picture
    assert (await shop.visitor.get(f"/images/{image['id']}/360.webp")).status_code == 200


@pytest.mark.parametrize(
    ("upload", "reason"),
    [
        (b"", NO_PICTURE),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", NO_PICTURE),
        (b"<script>alert(1)</script>", NO_PICTURE),
        (png_claiming(30_000, 30_000), "has too many pixels"),
        (png_claiming(8_000, 8_000), "has 8000 x 8000 pixels; the limit is 50 million"),
        (drawn("JPEG")[:-200], "is damaged or cut off"),
        (b"\xff" * 15_000_001, "is larger than 15 MB"),
    ],
    ids=["nothing", "SVG", "HTML", "a bomb", "pixels", "damaged", "bytes"],
)
async def test_an_upload_that_is_no_picture_is_refused_and_removed(
    shop: Storefront, bucket: Any, sessions: Sessions, upload: bytes, reason: str
) -> None:
    signed = await sign(shop.admin)
    assert await put(signed["url"], upload) == 200

    refused = await take_over(shop.admin, signed)

    assert refused.status_code == 400
    assert reason in refused.json()["message"]
    assert keys(bucket) == []
    assert await rows(sessions) == 0


async def test_a_file_that_is_larger_than_a_picture_may_be_is_refused_before_it_is_sent(shop: Storefront) -> None:
    refused = await shop.admin.post(SIGNED, json={"size": 15_000_001})

    assert refused.status_code == 400
    assert refused.json()["message"] == "This picture is larger than 15 MB."


async def test_nobody_takes_over_what_another_admin_has_sent(shop: Storefront) -> None:
    signed = await sign(shop.admin)
    await put(signed["url"], drawn())

    strange = await take_over(shop.primary, signed)
    own = await take_over(shop.admin, signed)

    assert (strange.status_code, own.status_code) == (404, 201)


async def test_a_signed_url_writes_one_key_and_neither_another_one_nor_reads(shop: Storefront, bucket: Any) -> None:
    signed, other = await sign(shop.admin), await sign(shop.admin)
    image = (await shop.admin.post("/uploads/images", content=drawn())).json()["id"]
    own = bucket.Object(f"of/minimal/{image}/original").get()["Body"].read()
    path, _, query = signed["url"].partition("?")
    folder = path.partition("/uploads/")[0]

    statuses = [
        await put(f"{folder}/{image}/original?{query}", b"overwritten"),
        await put(f"{other['url'].partition('?')[0]}?{query}", b"overwritten"),
        await put(signed["url"].replace("Expires=300", "Expires=3000"), b"overwritten"),
        await put(signed["url"], method="GET"),
        await put(signed["url"], method="DELETE"),
    ]

    assert statuses == [403] * 5
    assert keys(bucket) == [f"of/minimal/{image}/original"]
    assert bucket.Object(f"of/minimal/{image}/original").get()["Body"].read() == own
    assert await put(signed["url"], drawn()) == 200


async def test_keys_cannot_be_guessed(shop: Storefront) -> None:
    signed = [await sign(shop.admin) for _ in range(20)]

    ids = [UUID(each["id"]) for each in signed]
    # Version 4: 122 random bits.
    assert {each.version for each in ids} == {4}
    assert len(set(ids)) == 20
    assert all(each["url"].partition("?")[0].endswith(f"/{each['id']}") for each in signed)


async def test_a_signed_url_expires(shop: Storefront, bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = await sign(shop.admin)
    monkeypatch.setattr(service, "SIGNED_FOR", timedelta(seconds=1))
    short = await sign(shop.admin)
    await asyncio.sleep(2)

    assert "&X-Amz-Expires=300&" in usual["url"]
    assert await put(short["url"], drawn()) == 403
    assert keys(bucket) == []
    assert (await take_over(shop.admin, short)).status_code == 404


async def test_an_upload_repeated_after_its_takeover_changes_nothing_and_is_removed(
    shop: Storefront, bucket: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed = await sign(shop.admin)
    await put(signed["url"], drawn())
    image = (await take_over(shop.admin, signed)).json()["id"]
    own = bucket.Object(f"of/minimal/{image}/original").get()["Body"].read()

    again = await take_over(shop.admin, signed)
    assert await put(signed["url"], drawn("PNG", (50, 50))) == 200

    assert again.status_code == 404
    assert bucket.Object(f"of/minimal/{image}/original").get()["Body"].read() == own
    monkeypatch.setattr(service, "ABANDONED_AFTER", timedelta(seconds=-2))
    await service.tidy(shop.app.state.shop.env)
    assert keys(bucket) == [f"of/minimal/{image}/original"]


async def test_an_upload_that_was_not_taken_over_within_an_hour_is_removed(shop: Storefront, bucket: Any) -> None:
    from moto.s3.models import s3_backends

    image = (await shop.admin.post("/uploads/images", content=drawn())).json()["id"]
    old, fresh = await sign(shop.admin), await sign(shop.admin)
    for signed in (old, fresh):
        await put(signed["url"], drawn())
    stored = s3_backends["123456789012"]["aws"].buckets["pictures"].keys
    for key, minutes in ((image, 61), (old["id"], 61), (fresh["id"], 59)):
        [file] = [stored[name] for name in stored if key in name]
        file.last_modified = datetime.now(UTC).replace(tzinfo=None) - timedelta(minutes=minutes)

    await service.tidy(shop.app.state.shop.env)

    assert [key.rpartition("/")[2] for key in keys(bucket, "of/minimal/uploads/")] == [fresh["id"]]
    assert f"of/minimal/{image}/original" in keys(bucket)


async def test_an_admin_uploads_so_many_pictures_an_hour_whichever_way_they_go(
    bucket: Any, database_url: str, sessions: Sessions, tmp_path: Path
) -> None:
    settings: dict[str, Any] = {"images_url": URL, "direct_uploads": True, "limits": {"image_uploads_per_hour": 2}}
    async with open_storefront(database_url, sessions, tmp_path, **settings) as shop:
        signed = [await sign(shop.admin) for _ in range(2)]
        none = await shop.admin.post(SIGNED, json={"size": 1})
        await put(signed[0]["url"], drawn())
        first = await take_over(shop.admin, signed[0])
        second = await shop.admin.post("/uploads/images", content=drawn())
        await put(signed[1]["url"], drawn())
        third = await take_over(shop.admin, signed[1])
        other = await shop.primary.post("/uploads/images", content=drawn())

    assert [each.status_code for each in (none, first, second, third, other)] == [429, 201, 201, 429, 201]


async def test_pages_may_send_to_the_uploads_of_that_bucket_and_to_nothing_beside_it(
    shop: Storefront, bucket: Any
) -> None:
    endpoint = bucket.meta.client.meta.endpoint_url
    signed = await sign(shop.admin)
    page = await shop.visitor.get("/")

    allowed = connections(page)
    assert f"{endpoint}/pictures/of/minimal/uploads/" in allowed
    assert signed["url"].startswith(f"{endpoint}/pictures/of/minimal/uploads/")
    assert not [each for each in allowed if each.startswith(endpoint) and not each.endswith("/minimal/uploads/")]


async def test_without_direct_uploads_pictures_go_to_the_shop_alone(
    bucket: Any, database_url: str, sessions: Sessions, tmp_path: Path
) -> None:
    async with open_storefront(database_url, sessions, tmp_path, images_url=URL) as shop:
        answer = await shop.admin.post(SIGNED, json={"size": 1})
        unknown = await shop.admin.post(f"{SIGNED}/{uuid4()}", json={})
        page = await shop.visitor.get("/")

    assert (answer.status_code, answer.content) == (204, b"")
    assert unknown.status_code == 404
    assert not [each for each in connections(page) if each.startswith(bucket.meta.client.meta.endpoint_url)]


def connections(page: httpx.Response) -> list[str]:
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    return str(policy["connect-src"]).split()


@pytest.mark.parametrize("images_url", ["", "gs://pictures"])
def test_direct_uploads_need_a_bucket_of_s3(images_url: str) -> None:
    with pytest.raises(ValidationError, match="DIRECT_UPLOADS needs a bucket"):
        Settings(_env_file=None, images_url=images_url, direct_uploads=True)  # type: ignore[call-arg]
