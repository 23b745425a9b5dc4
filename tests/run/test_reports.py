"""The reports process, and answers without it while it is not running."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from server.app import create_app
from server.catalog.cache import CachedResponse
from server.config import Settings
from server.graphql_endpoint import UNAVAILABLE, GraphQLEndpoint, GraphQLRequest
from server.platform.core.context import Context
from server.platform.core.db import Sessions
from server.platform.core.process_priority import NICE
from server.platform.core.viewer import Role, Viewer
from server.platform.processes.process import wait_until
from server.run import reports_socket
from server.run.reports import ReportsProcess
from server.run.reports_socket import ReportsRequest, ReportsSocket, read_response, write_response
from tests.api.conftest import client_of, furnish
from tests.e2e.whole_shop import ROOT

pytestmark = pytest.mark.slow

REPORT = "{ admin { analytics { report(range: { last: { days: 2 } }, by: [DAY]) { rowCount } } } }"
CATALOGUE = (
    "query All { ...Deep } fragment Deep on Query { admin { analytics { catalogue { measures { label formula } } } } }"
)
UNFIT = "{ admin { analytics { report(range: { last: { days: 0 } }) { rowCount } } } }"
TOTALS_OF_USERS = "{ admin { users { totalCount } } }"
SECONDS = 30.0


@dataclass
class Asked:
    admin: httpx.AsyncClient
    shopper: httpx.AsyncClient
    settings: Settings

    @property
    def socket(self) -> Path:
        return Path(self.settings.reports_socket)

    async def ask(self, document: str, **headers: str) -> httpx.Response:
        return await self.admin.post("/graphql", json={"query": document}, headers=headers)

    @contextmanager
    def reports(self) -> "Iterator[subprocess.Popen[bytes]]":
        """`python -m server reports` until the end of the block, from when it listens."""
        settings = self.settings
        own = {"DATABASE_URL": settings.database_url, "SHOP_DATA": str(settings.shop_data), "PORT": str(settings.port)}
        process = subprocess.Popen(
            [sys.executable, "-m", "server", "reports"],
            cwd=ROOT,
            env={**os.environ, **own, "OUTSIDE_PORT": "23201", "REPORTS_SOCKET": str(self.socket)},
            stdin=subprocess.DEVNULL,
        )
        try:
            assert wait_until(lambda: is_listened_to(self.socket), SECONDS)
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            assert process.wait(SECONDS) in (0, -signal.SIGKILL)


@pytest.fixture
async def shop(database_url: str, sessions: Sessions, tmp_path: Path) -> AsyncIterator[Asked]:
    """A web process in this one."""
    settings = Settings(  # type: ignore[call-arg]
        _env_file=None,
        port=23_200,
        outside_port=23_201,
        database_url=database_url,
        shop_data=tmp_path,
        reports_socket=str(tmp_path / "reports"),
    )
    _, tokens = await furnish(sessions)
    app = create_app(settings, ReportsSocket(settings.reports_socket))
    async with app.router.lifespan_context(app):
        admin, shopper = client_of(app, tokens["admin"]), client_of(app, tokens["shopper"])
        yield Asked(admin, shopper, settings)
        await admin.aclose()
        await shopper.aclose()


async def test_analytics_alone_is_answered_there_and_gives_way_to_everybody_else(shop: Asked) -> None:
    here = [(await shop.ask(document)).json() for document in (REPORT, CATALOGUE, UNFIT)]
    with shop.reports() as process:
        there = [(await shop.ask(document)).json() for document in (REPORT, CATALOGUE, UNFIT)]
        plain = await shop.ask(CATALOGUE, **{"accept-encoding": "identity"})
        packed = await shop.ask(CATALOGUE, **{"accept-encoding": "gzip"})

        nice = os.getpriority(os.PRIO_PROCESS, process.pid)
        mode = shop.socket.stat().st_mode & 0o777
        process.send_signal(signal.SIGSTOP)
        waiting = [asyncio.create_task(shop.ask(document)) for document in (REPORT, CATALOGUE, UNFIT)]
        users = (await shop.ask(TOTALS_OF_USERS)).json()
        stranger = (await shop.shopper.post("/graphql", json={"query": REPORT})).json()
        await asyncio.sleep(0.2)
        were_waiting = [task.done() for task in waiting]
        process.send_signal(signal.SIGCONT)
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
    assert mode & 0o077 == 0
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
    graphql_request = GraphQLRequest("query Q { __typename }", {"a": [1, None, {"b": "\u2028"}]}, "Q")
    for viewer in (VIEWER, replace(VIEWER, role=Role.USER, lacks_second_factor=True), None):
        request = ReportsRequest(graphql_request, viewer, {"request_id": "1"})
        assert ReportsRequest.read(request.written()) == request
    for answer in (WHOLE, WHOLE._replace(gzipped=None), WHOLE._replace(body=b"", seconds=2.5, stale=None), UNAVAILABLE):
        assert read_response(write_response(answer)) == answer


def test_a_response_that_was_cut_off_is_none() -> None:
    written = write_response(WHOLE)

    for length in range(len(written)):
        with pytest.raises(ValueError, match=r"."):
            read_response(written[:length])


async def test_it_puts_one_answer_together_at_a_time_and_the_last_one_before_it_ends(
    shop: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way: list[int] = [0]
    answer_packed = GraphQLEndpoint.answer_packed

    async def counted(endpoint: GraphQLEndpoint, request: GraphQLRequest, context: Context) -> CachedResponse:
        under_way.append(under_way[-1] + 1)
        await asyncio.sleep(0.05)
        answer = await answer_packed(endpoint, request, context)
        under_way.append(under_way[-1] - 1)
        return answer

    async def ask_there() -> CachedResponse:
        reader, writer = await asyncio.open_unix_connection(str(shop.socket))
        writer.write(ReportsRequest(GraphQLRequest(TOTALS_OF_USERS, None, None), None, {}).written())
        writer.write_eof()
        answer = read_response(await reader.read())
        writer.close()
        return answer

    monkeypatch.setattr(GraphQLEndpoint, "answer_packed", counted)
    async with ending_while_asked(ReportsProcess(shop.settings)) as last:
        answers = await asyncio.gather(*(ask_there() for _ in range(3)))
        last.append(asyncio.create_task(ask_there()))
        while len(under_way) < 8:  # noqa: ASYNC110
            await asyncio.sleep(0)
    answers.append(await last[0])

    assert under_way == [0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert {answer.status for answer in answers} == {200}


@asynccontextmanager
async def ending_while_asked(reports: ReportsProcess) -> "AsyncIterator[list[asyncio.Task[CachedResponse]]]":
    async with asyncio.timeout(SECONDS), reports.running():
        yield []


async def test_who_asked_it_as_it_died_comes_back_and_who_asks_then_is_answered(
    shop: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = asyncio.Event()
    monkeypatch.setattr(reports_socket, "release_slot", reached.set)
    with shop.reports() as process:
        process.send_signal(signal.SIGSTOP)
        task = asyncio.create_task(shop.ask(REPORT))
        async with asyncio.timeout(SECONDS):
            await reached.wait()
            process.kill()
            lost = await task

    after = await shop.ask(REPORT)

    assert lost.status_code == 503
    assert lost.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
    assert int(lost.headers["retry-after"]) > 0
    assert after.json()["data"]["admin"]["analytics"]["report"] == {"rowCount": 2}


async def test_a_new_one_takes_the_socket_of_a_killed_one(shop: Asked) -> None:
    with shop.reports() as first:
        first.kill()
        first.wait()
        with shop.reports() as second:
            second.send_signal(signal.SIGSTOP)
            task = asyncio.create_task(shop.ask(REPORT))
            await asyncio.sleep(0.2)
            was_waiting = not task.done()
            second.send_signal(signal.SIGCONT)
            answer = await task

    assert was_waiting
    assert answer.json()["data"]["admin"]["analytics"]["report"] == {"rowCount": 2}


def is_listened_to(path: Path) -> bool:
    """A socket's file is there a moment before anybody listens."""
    with socket.socket(socket.AF_UNIX) as asking:
        try:
            asking.connect(str(path))
        except OSError:
            return False
        return True
