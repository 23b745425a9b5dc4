import httpx
import pytest
from starlette.types import Receive, Scope, Send

from server.core import logs
from server.core.middleware import RequestLog

SECRET = "hunter2 at /srv/shop/db.py"


async def fails(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise RuntimeError(SECRET)


async def loses_the_database(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise ConnectionRefusedError(SECRET)


@pytest.mark.parametrize(("app", "status"), [(fails, 500), (loses_the_database, 503)])
async def test_a_failure_is_answered_and_logged_without_its_words(
    app: object, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure()
    transport = httpx.ASGITransport(RequestLog(app))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answer = await client.get("/api/cart")

    assert answer.status_code == status
    assert answer.headers.get("retry-after") == ("2" if status == 503 else None)
    assert answer.headers["x-request-id"]
    assert SECRET not in answer.text + capsys.readouterr().out
