"""The parts of `just bench`: what it asks is answered, and what it counts was asked."""

import asyncio
import subprocess
import sys

import asyncpg
import pytest
from graphql import GraphQLSchema, parse, validate

from server import schema
from server.platform.core.db import Sessions
from tests.api.conftest import furnish
from tests.bench import documents, drop
from tests.bench.catalogue import multiply
from tests.bench.load import NUMBER, Order, ask, request
from tests.processor import Processor


def test_each_document_fits_the_schema() -> None:
    graphql: GraphQLSchema = schema.build(introspection=False)._schema
    texts = (
        documents.LIGHT,
        documents.FACETS,
        documents.ADD,
        *map(documents.of_client, ("ProductList", "Product", "Search")),
        drop.START,
    )

    assert [str(error) for document in texts for error in validate(graphql, parse(document))] == []


def test_work_of_a_connection_that_closed_stays_counted() -> None:
    leader = (
        "import subprocess, sys; work = 'sum(range(4_000_000)); print(); input()'; "
        "child = subprocess.Popen([sys.executable, '-c', work], stdout=subprocess.PIPE, stdin=subprocess.PIPE); "
        "child.stdout.readline(); print(flush=True); input(); child.communicate(b'\\n'); print(flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", leader], stdout=subprocess.PIPE, stdin=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        processor = Processor(-1, process.pid)
        process.stdout.readline()
        while_open = processor.milliseconds()
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        closed = processor.milliseconds()
        process.communicate(b"\n")

    assert while_open > 20
    assert closed >= while_open - 20  # The system tells of ended processes in ticks of 10 ms.


async def test_copies_of_products_are_whole_and_can_be_bought(sessions: Sessions, database_url: str) -> None:
    await furnish(sessions)
    database = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    assert await multiply(database, 4) == 4
    rows = await database.fetch(
        "SELECT products.name, array_agg(DISTINCT size ORDER BY size) AS sizes, min(stock) AS least, "
        "count(DISTINCT color_id) AS colors FROM variants JOIN products ON products.id = product_id "
        "JOIN product_colors ON product_colors.id = color_id AND product_colors.product_id = products.id "
        "GROUP BY products.id ORDER BY products.name"
    )
    await database.close()

    assert [row["name"] for row in rows] == ["Oxford Shirt", "Oxford Shirt 1", "Oxford Shirt 2", "Oxford Shirt 3"]
    assert {(tuple(row["sizes"]), row["least"], row["colors"]) for row in rows} == {(("M", "S"), 100_000, 1)}


async def test_each_connection_asks_in_turn_and_never_the_same_number() -> None:
    heard: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n") if not reader.at_eof() else b"":
            heard.append(head.split(b" ", 2)[1])
            status = b"503 Busy" if head.startswith(b"GET /busy") else b"200 OK"
            writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 2\r\n\r\nok")
            await asyncio.sleep(0.001)

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    number = NUMBER.decode()
    answered = await ask(Order(port, 0.5, [[request("GET", f"/{number}"), request("GET", "/busy")]] * 2, 1))
    server.close()

    numbers = [path for path in heard if path != b"/busy"]
    under_way = 2  # One of each connection, at the end.
    assert 0 < answered.count <= len(heard) <= answered.count + under_way
    assert 0 < answered.refused <= len(heard) - len(numbers) <= answered.refused + under_way
    assert answered.refusal.startswith("HTTP/1.1 503 Busy")
    assert len(set(numbers)) == len(numbers)
    assert answered.p50 <= answered.p99


async def test_a_buyer_of_a_drop_presses_again_and_waits_for_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drop, "AGAIN_SECONDS", 0.01)
    bodies = [b"{}", b'{"data":{"startCheckout":{"__typename":"Checkout"}}}', b'{"errors":[]}']
    presses: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not reader.at_eof() and (head := await reader.read(4096)):
            presses.append(head)
            body = bodies[len(presses) - 1]
            status = b"503 Busy" if body == b"{}" else b"200 OK"
            writer.write(b"HTTP/1.1 %b\r\ncontent-length: %d\r\n\r\n%b" % (status, len(body), body))

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port, log = server.sockets[0].getsockname()[1], drop.Told()
    await drop._buy(port, "one", log)
    await drop._buy(port, "other", log)
    server.close()

    assert dict(log.outcomes) == {"asked to come again": 1, "Checkout": 1, "errors": 1}
    assert len(log.waits) == 2
    assert b"cookie: accessToken-%d=one" % port in presses[1]
