"""The reports process, and answers without it while it is not running."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from server import wiring
from server.app import create_app
from server.catalog.cache import CachedResponse
from server.config import Settings
from server.core.context import Context
from server.core.db import Sessions
from server.core.process_priority import NICE
from server.core.viewer import Role, Viewer
from server.graphql_endpoint import UNAVAILABLE, GraphQLEndpoint, GraphQLRequest
from server.run import reports
from server.run.process import wait_until
from server.run.reports import ReportProcess, ReportsRequest, read_response, write_response
from tests.api.conftest import client_of, furnish

REPORT = "{ admin { analytics { report(range: { last: { days: 2 } }, by: [DAY]) { rowCount } } } }"
CATALOGUE = (
    "query All { ...Deep } fragment Deep on Query { admin { analytics { catalogue { measures { label formula } } } } }"
)
UNFIT = "{ admin { analytics { report(range: { last: { days: 0 } }) { rowCount } } } }"
TOTALS_OF_USERS = "{ admin { users { totalCount } } }"
SERVES = """
import asyncio
from server.run.reports import ReportProcess
async def main():
    reports = ReportProcess()
    while not await reports._is_there():
        await asyncio.sleep(0.05)
    print(reports._process.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""
SECONDS = 30.0


@dataclass
class Asked:
    admin: httpx.AsyncClient
    shopper: httpx.AsyncClient

    async def ask(self, document: str, **headers: str) -> httpx.Response:
        return await self.admin.post("/graphql", json={"query": document}, headers=headers)

    async def until_started(self) -> int:
        """Asks as an admin would until the process runs. Returns its id."""
        async with asyncio.timeout(SECONDS):
            while not (pids := _processes()):
                assert (await self.ask(REPORT)).json()["data"]
                await asyncio.sleep(0.05)
        return pids[0]

    async def until_there(self) -> int:
        """The same, and waits until it can be asked."""
        pid = await self.until_started()
        assert await asyncio.to_thread(wait_until, _is_listened_to, SECONDS)
        return pid


@pytest.fixture
async def shop(
    database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Asked]:
    """A shop that serves in this process; the other ends with it."""
    monkeypatch.setattr(wiring, "PERIODIC", [])
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    given = {"PORT": "23200", "OUTSIDE_PORT": "23201", "DATABASE_URL": database_url, "SHOP_DATA": str(tmp_path)}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    _, tokens = await furnish(sessions)
    app = create_app(Settings(), ReportProcess())
    async with app.router.lifespan_context(app):
        admin, shopper = client_of(app, tokens["admin"]), client_of(app, tokens["shopper"])
        yield Asked(admin, shopper)
        await admin.aclose()
        await shopper.aclose()
    assert _processes() == []
    assert _folders() == []


async def test_analytics_alone_is_answered_there_and_gives_way_to_everybody_else(shop: Asked) -> None:
    here = [(await shop.ask(document)).json() for document in (REPORT, CATALOGUE, UNFIT)]
    pid = await shop.until_there()
    there = [(await shop.ask(document)).json() for document in (REPORT, CATALOGUE, UNFIT)]
    plain = await shop.ask(CATALOGUE, **{"accept-encoding": "identity"})
    packed = await shop.ask(CATALOGUE, **{"accept-encoding": "gzip"})

    nice = os.getpriority(os.PRIO_PROCESS, pid)
    os.kill(pid, signal.SIGSTOP)
    waiting = [asyncio.create_task(shop.ask(document)) for document in (REPORT, CATALOGUE, UNFIT)]
    users = (await shop.ask(TOTALS_OF_USERS)).json()
    stranger = (await shop.shopper.post("/graphql", json={"query": REPORT})).json()
    await asyncio.sleep(0.2)
    were_waiting = [task.done() for task in waiting]
    os.kill(pid, signal.SIGCONT)
    answers = await asyncio.gather(*waiting)

    assert here[0]["data"]["admin"]["analytics"]["report"] == {"rowCount": 2}
    assert there == here
    assert there[2]["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"
    assert (plain.headers.get("content-encoding"), packed.headers["content-encoding"]) == (None, "gzip")
    assert plain.json() == packed.json() == there[1]
    assert packed.headers["cache-control"] == "no-store"
    assert were_waiting == [False, False, False]
    assert [answer.json() for answer in answers] == here
    assert users["data"]["admin"]["users"]["totalCount"] == 4
    assert stranger["data"] == {"admin": None}
    assert os.getsid(pid) == pid
    assert nice == min(os.getpriority(os.PRIO_PROCESS, 0) + NICE, 19)


VIEWER = Viewer(
    uuid4(),
    uuid4(),
    "owner@shop.test",
    "Edsger Dijkstra",
    Role.ADMIN,
    is_primary=True,
    expires_at=datetime(2026, 11, 23, 12, 30, 0, 5, tzinfo=UTC),
)
WHOLE = CachedResponse(b'{"data":\n{}}', stale=0.25, gzipped=b"\x1f\x8b\n\x00")


def test_what_goes_through_the_socket_arrives_as_it_was() -> None:
    asked = GraphQLRequest("query Q { __typename }", {"a": [1, None, {"b": "\u2028"}]}, "Q")
    for viewer in (VIEWER, replace(VIEWER, role=Role.USER, lacks_second_factor=True), None):
        request = ReportsRequest(asked, viewer, {"request_id": "1"})
        assert ReportsRequest.read(request.written()) == request
    for answer in (WHOLE, WHOLE._replace(gzipped=None), WHOLE._replace(body=b"", seconds=2.5, stale=None), UNAVAILABLE):
        assert read_response(write_response(answer)) == answer


def test_a_response_that_was_cut_off_is_none() -> None:
    written = write_response(WHOLE)

    for length in range(len(written)):
        with pytest.raises(ValueError, match=r"."):
            read_response(written[:length])


async def test_it_puts_one_answer_together_at_a_time(
    shop: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shop of this test is there for its settings alone."""
    under_way: list[int] = [0]
    answer_packed = GraphQLEndpoint.answer_packed

    async def counted(endpoint: GraphQLEndpoint, asked: GraphQLRequest, context: Context) -> CachedResponse:
        under_way.append(under_way[-1] + 1)
        await asyncio.sleep(0.05)
        answer = await answer_packed(endpoint, asked, context)
        under_way.append(under_way[-1] - 1)
        return answer

    async def ask_there() -> CachedResponse:
        reader, writer = await asyncio.open_unix_connection(str(path))
        writer.write(ReportsRequest(GraphQLRequest(TOTALS_OF_USERS, None, None), None, {}).written())
        writer.write_eof()
        answer = read_response(await reader.read())
        writer.close()
        return answer

    monkeypatch.setattr(GraphQLEndpoint, "answer_packed", counted)
    path = tmp_path / "socket"
    serving = asyncio.create_task(reports.serve(Settings(), path))
    async with asyncio.timeout(SECONDS):
        while not path.exists():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    answers = await asyncio.gather(*(ask_there() for _ in range(3)))
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)

    assert under_way == [0, 1, 0, 1, 0, 1, 0]
    assert {answer.status for answer in answers} == {200}


async def test_who_asked_it_as_it_died_comes_back_and_who_asks_then_is_answered(
    shop: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "PAUSE", 0.0)
    first = await shop.until_there()
    reached = asyncio.Event()
    monkeypatch.setattr(reports, "release_slot", reached.set)
    os.kill(first, signal.SIGSTOP)
    asked = asyncio.create_task(shop.ask(REPORT))
    async with asyncio.timeout(SECONDS):
        await reached.wait()
        os.kill(first, signal.SIGKILL)
        lost = await asked

    after = await shop.ask(REPORT)
    second = await shop.until_started()

    assert lost.status_code == 503
    assert lost.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
    assert int(lost.headers["retry-after"]) > 0
    assert after.json()["data"]["admin"]["analytics"]["report"] == {"rowCount": 2}
    assert second != first


async def test_it_goes_when_the_one_that_serves_is_killed(shop: Asked) -> None:
    """The shop of this test is there for its settings alone."""
    serving = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVES, stdout=subprocess.PIPE)
    assert serving.stdout
    pid = int(await serving.stdout.readline())
    [started] = _processes(serving.pid)
    serving.kill()
    await serving.wait()

    assert pid == started
    assert await asyncio.to_thread(wait_until, lambda: not Path(f"/proc/{pid}").exists(), SECONDS)
    assert _folders() == []


def _processes(parent: int | None = None) -> list[int]:
    """Those that answer reports and live; ours unless another `parent` is named."""
    told = subprocess.run(
        ["/bin/ps", "-o", "pid=,stat=,args=", "--ppid", str(parent or os.getpid())],
        capture_output=True,
        text=True,
        check=False,
    )
    rows: list[Any] = [line.split(None, 2) for line in told.stdout.splitlines()]
    return [int(pid) for pid, state, command in rows if "server.run.reports" in command and "Z" not in state]


def _folders() -> list[Path]:
    return list(Path(os.environ["TMPDIR"]).glob("minimal-reports-*"))


def _is_listened_to() -> bool:
    """A socket's file is there a moment before anybody listens."""
    for folder in _folders():
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(folder / "socket"))
            return True
    return False
