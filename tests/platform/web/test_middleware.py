import json

import asyncpg
import httpx
import pytest
from sqlalchemy.exc import InterfaceError
from starlette.types import Receive, Scope, Send

from server.platform.core import logs
from server.platform.core.db import DatabaseUnavailable
from server.platform.web.middleware import RequestLog

SECRET = "hunter2 at /srv/shop/db.py"


async def fails(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise RuntimeError(SECRET)


async def loses_the_database(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise DatabaseUnavailable(SECRET)


async def misses_a_file(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise FileNotFoundError(2, SECRET)


async def misuses_a_connection(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise InterfaceError("SELECT", {}, asyncpg.InterfaceError(SECRET))


@pytest.mark.parametrize(
    ("app", "status", "kind"),
    [
        (fails, 500, "RuntimeError"),
        (misses_a_file, 500, "FileNotFoundError"),
        (misuses_a_connection, 500, "InterfaceError"),
        (loses_the_database, 503, None),
    ],
)
async def test_a_failure_is_answered_and_logged_without_its_words(
    app: object, status: int, kind: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure()
    transport = httpx.ASGITransport(RequestLog(app))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answer = await client.get("/api/cart")

    said = capsys.readouterr().out
    failed = [json.loads(line) for line in said.splitlines() if "request.failed" in line]
    assert answer.status_code == status
    assert answer.headers.get("retry-after") == ("2" if status == 503 else None)
    assert answer.headers["x-request-id"]
    assert [line["exception"]["type"] for line in failed] == ([kind] if kind else [])
    assert all("test_middleware.py" in line["exception"]["frames"][-1] for line in failed)
    assert SECRET not in answer.text + said


async def test_a_long_path_is_logged_by_its_beginning(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure()
    transport = httpx.ASGITransport(RequestLog(fails))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        await client.get("/" + "x" * 60_000)

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["event"], line["path"]) for line in lines] == [
        ("request.failed", "/" + "x" * 199),
        ("request", "/" + "x" * 199),
    ]
