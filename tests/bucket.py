"""A bucket of S3, as moto's server speaks its API over HTTP; boto3 looks at what is there."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import httpx
import pytest

from tests.ports import free_port

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

KEY, SECRET, REGION = "key", "secret", "eu-west-1"


def settings_of_s3(port: int) -> dict[str, str]:
    """The environment in which obstore and boto3 find the server."""
    own = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ALLOW_HTTP": "true", "AWS_REGION": REGION}
    return own | {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_DEFAULT_REGION": REGION}


class SignedUrls:
    """Refuses signed URLs that were changed or have expired, as S3 does and moto does not. botocore says which."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        signed = {name: values[0] for name, values in parse_qs(environ["QUERY_STRING"]).items()}
        if "X-Amz-Signature" in signed and environ["REQUEST_METHOD"] != "OPTIONS" and not _is_valid(environ, signed):
            start_response("403 Forbidden", [("content-type", "application/xml")])
            return [b"<Error><Code>AccessDenied</Code></Error>"]
        return self._app(environ, start_response)


def _is_valid(environ: "WSGIEnvironment", signed: dict[str, str]) -> bool:
    from botocore.auth import S3SigV4QueryAuth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials

    signed_at = datetime.strptime(signed["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    url, _, signature = f"http://{environ['HTTP_HOST']}{environ['REQUEST_URI']}".partition("&X-Amz-Signature=")
    request = AWSRequest(environ["REQUEST_METHOD"], url, {"host": environ["HTTP_HOST"]})
    request.context["timestamp"] = signed["X-Amz-Date"]
    auth = S3SigV4QueryAuth(Credentials(KEY, SECRET), "s3", REGION)
    right = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
    return bool(signature == right and datetime.now(UTC) < signed_at + timedelta(seconds=int(signed["X-Amz-Expires"])))


@contextmanager
def opened(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An empty bucket of boto3 on a server of its own, with the settings for it in the environment."""
    # Here, because it takes as long to import as all the rest of the tests.
    import boto3
    from moto.server import ThreadedMotoServer

    port = free_port()
    server = ThreadedMotoServer("127.0.0.1", port, verbose=False)
    server.start()
    assert server._server is not None
    server._server.app = SignedUrls(server._server.app)
    for key, value in settings_of_s3(port).items():
        monkeypatch.setenv(key, value)
    # All servers of one process have the same buckets.
    httpx.post(f"http://127.0.0.1:{port}/moto-api/reset", trust_env=False).raise_for_status()
    bucket = boto3.resource("s3").Bucket(name)
    bucket.create(CreateBucketConfiguration={"LocationConstraint": REGION})
    try:
        yield bucket
    finally:
        server.stop()


def keys(bucket: Any, prefix: str = "") -> list[str]:
    return sorted(each.key for each in bucket.objects.filter(Prefix=prefix))
