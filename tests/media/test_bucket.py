"""Pictures in a bucket, by the API of S3 as moto's server speaks it over HTTP; boto3 looks at what is there."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from server.config import Settings
from server.core.db import Sessions
from server.media.service import ImageProcessor
from tests.catalog.storefront import open_storefront
from tests.media.drawings import drawn
from tests.ports import free_port

URL = "s3://pictures/of/minimal"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An empty one, with the settings for it where obstore and boto3 look for them."""
    # Here, because it takes as long to import as all the rest of the tests.
    import boto3
    from moto.server import ThreadedMotoServer

    port = free_port()
    server = ThreadedMotoServer("127.0.0.1", port, verbose=False)
    server.start()
    own = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ALLOW_HTTP": "true", "AWS_REGION": "eu-west-1"}
    own |= {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "eu-west-1"}
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    found = boto3.resource("s3").Bucket("pictures")
    found.create(CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    yield found
    server.stop()


def keys(bucket: Any) -> list[str]:
    return sorted(each.key for each in bucket.objects.all())


async def test_an_uploaded_picture_and_its_sizes_are_in_the_bucket_and_seen_by_another_process(
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
    kept = bucket.Object(f"of/minimal/{image}/360.webp").get()["Body"].read()
    assert kept == shown.content

    settings = Settings(_env_file=None, images_url=URL, shop_data=tmp_path)  # type: ignore[call-arg]
    other = ImageProcessor.of(settings)
    again = await other.file(uploaded.json()["id"], 360, "webp")
    assert again is not None
    assert again.data == kept
    await other.remove(uploaded.json()["id"])
    assert keys(bucket) == []
