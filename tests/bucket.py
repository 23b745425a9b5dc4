"""A bucket of S3, as moto's server speaks its API over HTTP; boto3 looks at what is there."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.ports import free_port


def settings_of_s3(port: int) -> dict[str, str]:
    """The environment in which obstore and boto3 find the server."""
    own = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ALLOW_HTTP": "true", "AWS_REGION": "eu-west-1"}
    return own | {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "eu-west-1"}


@contextmanager
def opened(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An empty bucket of boto3 on a server of its own, with the settings for it in the environment."""
    # Here, because it takes as long to import as all the rest of the tests.
    import boto3
    from moto.server import ThreadedMotoServer

    port = free_port()
    server = ThreadedMotoServer("127.0.0.1", port, verbose=False)
    server.start()
    for key, value in settings_of_s3(port).items():
        monkeypatch.setenv(key, value)
    # All servers of one process have the same buckets.
    httpx.post(f"http://127.0.0.1:{port}/moto-api/reset", trust_env=False).raise_for_status()
    found = boto3.resource("s3").Bucket(name)
    found.create(CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    try:
        yield found
    finally:
        server.stop()


def keys(bucket: Any, prefix: str = "") -> list[str]:
    return sorted(each.key for each in bucket.objects.filter(Prefix=prefix))
