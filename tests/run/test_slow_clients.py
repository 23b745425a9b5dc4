"""Slow-client protection leaves valid use alone: WebSockets, keep-alive, early responses."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any, cast

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect

from server.platform.processes import slow_clients
from server.platform.processes.slow_clients import GuardedConnection, serving_options
from tests.ports import free_port
from tests.siege.sockets import Crowd, chunked, crowd, head


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(text)


async def at_once(_request: Request) -> Response:
    return PlainTextResponse("at once")


async def slowly(_request: Request) -> Response:
    await asyncio.sleep(1.5)
    return PlainTextResponse("slowly")


async def when_told(request: Request) -> Response:
    await request.app.state.told.wait()
    return PlainTextResponse("when told")


async def in_parts(request: Request) -> Response:
    async def parts() -> AsyncIterator[bytes]:
        await request.app.state.told.wait()
        yield b"in "
        yield b"parts"

    return StreamingResponse(parts())


async def asked(request: Request) -> Response:
    return PlainTextResponse(f"{request.headers.getlist('host')} {request.url.path}?{request.url.query}")


async def whole(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


class Listened:
    """A connection that notes what is written to it, write by write."""

    def __init__(self, connection: Any, written: list[bytes]) -> None:
        self._connection = connection
        self._written = written

    def write(self, data: bytes) -> None:
        self._written.append(data)
        self._connection.write(data)

    def writelines(self, parts: list[bytes]) -> None:
        self.write(b"".join(parts))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


async def until_started(server: uvicorn.Server) -> None:
    for _ in range(1_000):
        if server.started:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("The server did not start.")


@pytest.fixture
def told() -> asyncio.Event:
    """What some answers wait for."""
    return asyncio.Event()


@pytest.fixture
def connections() -> list[set[GuardedConnection]]:
    """The open connections of the server, as one set."""
    return []


@pytest.fixture
async def port(
    monkeypatch: pytest.MonkeyPatch, told: asyncio.Event, connections: list[set[GuardedConnection]]
) -> AsyncIterator[int]:
    """A server whose patience is a tenth."""
    for name in ("HEAD_SECONDS", "BODY_SECONDS", "LOOK_SECONDS"):
        monkeypatch.setattr(slow_clients, name, getattr(slow_clients, name) / 10)
    monkeypatch.setattr(slow_clients, "MOST_CONNECTIONS", 5)
    routes = [
        WebSocketRoute("/socket", echo),
        Route("/at-once", at_once, methods=["GET", "POST"]),
        Route("/slowly", slowly),
        Route("/when-told", when_told),
        Route("/in-parts", in_parts),
        Route("/whole", whole, methods=["POST"]),
        Route("/asked", asked),
    ]
    port = free_port()
    options: dict[str, Any] = {"timeout_keep_alive": 2, "log_level": "error", **serving_options()}
    app = Starlette(routes=routes)
    app.state.told = told
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, **options))
    connections.append(cast(set[GuardedConnection], server.server_state.connections))
    serving = asyncio.create_task(server.serve())
    await until_started(server)
    yield port
    told.set()
    server.should_exit = True
    await serving


@pytest.fixture
async def clients(port: int) -> AsyncIterator[Crowd]:
    async with crowd(port) as clients:
        yield clients


async def test_a_socket_stays_open_beyond_the_time_for_a_head(port: int) -> None:
    async with connect(f"ws://127.0.0.1:{port}/socket") as socket:
        await asyncio.sleep(1.5)
        await socket.send("still here")

        assert await socket.recv() == "still here"


async def test_a_connection_serves_one_request_after_the_other(clients: Crowd) -> None:
    [client] = await clients.join(1)
    statuses = []
    for _ in range(3):
        await client.send(head("GET", "/at-once", "localhost"))
        statuses.append(await client.answer())
        await client.reader.readuntil(b"at once")
        await asyncio.sleep(0.5)

    assert statuses == [200, 200, 200]


@pytest.mark.parametrize(
    ("target", "host"),
    [
        ("/asked?a=1", "localhost"),
        ("http://evil.example/asked?a=1", "evil.example"),
        ("http://localhost@evil.example:81/asked?a=1", "evil.example:81"),
        ("http://[::1]:81/asked?a=1", "[::1]:81"),
    ],
)
async def test_a_whole_url_as_target_takes_the_place_of_the_host(clients: Crowd, target: str, host: str) -> None:
    [client] = await clients.join(1, head("GET", target, "localhost"))

    answer = await client.reader.readuntil(b"?a=1")

    assert answer.endswith(f"\r\n\r\n['{host}'] /asked?a=1".encode())


async def test_an_answer_may_take_longer_than_a_head(clients: Crowd) -> None:
    [client] = await clients.join(1, head("GET", "/slowly", "localhost"))

    assert await client.answer() == 200


async def test_an_answer_goes_out_in_one_piece(clients: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    connection_made: Any = GuardedConnection.connection_made
    monkeypatch.setattr(
        GuardedConnection, "connection_made", lambda self, way: connection_made(self, Listened(way, written))
    )
    [client] = await clients.join(1, head("GET", "/at-once", "localhost"))

    await client.reader.readuntil(b"at once")

    [piece] = written
    assert piece.startswith(b"HTTP/1.1 200 OK\r\n")
    assert piece.endswith(b"\r\n\r\nat once")


async def test_a_head_does_not_wait_for_a_body_that_takes_its_time(clients: Crowd, told: asyncio.Event) -> None:
    [client] = await clients.join(1, head("GET", "/in-parts", "localhost"))

    async with asyncio.timeout(20):
        first = await client.reader.readuntil(b"\r\n\r\n")
    told.set()
    rest = await client.reader.readuntil(b"0\r\n\r\n")

    assert first.startswith(b"HTTP/1.1 200 OK\r\n")
    assert rest == b"3\r\nin \r\n5\r\nparts\r\n0\r\n\r\n"


async def test_an_idle_connection_is_closed(clients: Crowd) -> None:
    [client] = await clients.join(1, head("GET", "/at-once", "localhost"))

    assert await client.is_closed(20)


async def test_an_unfinished_head_is_told_that_it_took_too_long(clients: Crowd) -> None:
    [client] = await clients.join(1, b"GET /at-once HTTP/1.1\r\nhost: ")

    assert await client.answer(20) == 408
    assert await client.is_closed(20)


@pytest.mark.parametrize("words", [b"\r\n", b""])
async def test_line_ends_between_requests_do_not_keep_a_connection_open(clients: Crowd, words: bytes) -> None:
    [client] = await clients.join(1, head("GET", "/at-once", "localhost"))
    await client.reader.readuntil(b"at once")

    for _ in range(40):
        if not await client.send(words):
            break
        await asyncio.sleep(0.1)

    assert await client.is_closed(20)


async def test_a_body_that_comes_at_a_fair_rate_may_take_its_time(clients: Crowd) -> None:
    [client] = await clients.join(1, head("POST", "/whole", "localhost", transfer_encoding="chunked"))
    for _ in range(30):
        await client.send(chunked(b"x" * 1_000))
        await asyncio.sleep(0.1)
    await client.send(b"0\r\n\r\n")

    assert await client.answer() == 200


async def test_a_body_that_drips_is_hung_up_on(clients: Crowd) -> None:
    [client] = await clients.join(1, head("POST", "/whole", "localhost", transfer_encoding="chunked"))
    for _ in range(30):
        if not await client.send(chunked(b"x")):
            break
        await asyncio.sleep(0.1)

    assert await client.is_closed(20)


async def test_whoever_was_answered_before_the_body_was_whole_may_ask_again(clients: Crowd) -> None:
    [client] = await clients.join(1, head("POST", "/at-once", "localhost", content_length="100000"))
    first = await client.answer()
    await client.reader.readuntil(b"at once")
    await client.send(b"x" * 100_000 + head("GET", "/at-once", "localhost"))

    assert (first, await client.answer()) == (200, 200)


async def test_a_new_connection_takes_the_place_of_the_one_that_was_silent_longest(clients: Crowd) -> None:
    oldest, *others = await clients.join(5)
    [newcomer] = await clients.join(1, head("GET", "/at-once", "localhost"))

    assert await newcomer.answer() == 200
    assert await oldest.is_closed(20)
    assert not await others[-1].is_closed(0.2)


async def test_a_connection_that_was_answered_keeps_its_place_before_silent_ones(clients: Crowd) -> None:
    [client] = await clients.join(1, head("GET", "/at-once", "localhost"))
    await client.reader.readuntil(b"at once")
    silent = await clients.join(4)
    await clients.join(1)
    is_closed = [await silent[0].is_closed(20), *[await each.is_closed(0.1) for each in silent[1:]]]

    await client.send(head("GET", "/at-once", "localhost"))

    assert await client.answer() == 200
    assert is_closed == [True, False, False, False]


async def test_of_many_that_come_at_once_those_that_ask_are_heard_first(port: int) -> None:
    with ExitStack() as opened:
        # The server gets no turn between them, so it finds them all at its door.
        came = [opened.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(20)]
        for each in came[:3]:
            each.sendall(head("GET", "/at-once", "localhost"))
            each.setblocking(False)

        starts = [await asyncio.get_running_loop().sock_recv(each, 12) for each in came[:3]]

    assert starts == [b"HTTP/1.1 200"] * 3


@pytest.mark.parametrize("was_answered", [True, False], ids=["free connection", "new connection"])
async def test_request_that_a_busy_server_has_not_read_yet_is_answered(
    clients: Crowd, connections: list[set[GuardedConnection]], monkeypatch: pytest.MonkeyPatch, was_answered: bool
) -> None:
    monkeypatch.setattr(slow_clients, "GRACE_SECONDS", 60)
    message = head("GET", "/at-once", "localhost")
    members = await clients.join(5, message if was_answered else b"")
    if was_answered:
        for each in members:
            await each.reader.readuntil(b"at once")
    [newcomer] = await clients.join(1)
    await asyncio.sleep(0.05)
    address = newcomer.writer.get_extra_info("sockname")
    [server_side] = [each for each in connections[0] if each.transport.get_extra_info("peername") == address]

    # The server gets no turn between the requests and the moment when it makes room.
    monkeypatch.setattr(slow_clients, "GRACE_SECONDS", 0)
    for each in members:
        each.writer.write(message)
    server_side._make_room()

    assert [await each.answer() for each in members] == [200] * 5


async def test_new_connection_is_not_closed_before_its_client_could_send(
    clients: Crowd, connections: list[set[GuardedConnection]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_clients, "GRACE_SECONDS", 60)
    await clients.join(6)
    await asyncio.sleep(0.05)

    newcomer = next(iter(connections[0]))
    newcomer._make_room()

    assert [each for each in connections[0] if each.transport.is_closing()] == [newcomer]


async def test_when_all_are_being_answered_a_new_connection_is_told_when_to_come_back(
    clients: Crowd, told: asyncio.Event
) -> None:
    answered = await clients.join(5, head("GET", "/when-told", "localhost"))
    await asyncio.sleep(0.1)
    [newcomer] = await clients.join(1)

    said = await newcomer.reader.read()
    told.set()

    assert [await each.answer() for each in answered] == [200] * 5
    assert said.startswith(b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 2\r\n")
