"""deploy/haproxy.cfg, as `just cluster` runs it, before hosts that die with a request."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.cluster.configuration import Ports, haproxy

pytestmark = pytest.mark.skipif(
    shutil.which("haproxy") is None, reason="HAProxy is not installed: apt-get install haproxy, as .ci/run does"
)

FIRST_PORT = 30_300
READY = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nready"
BUSY = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 7\r\ncontent-length: 4\r\n\r\nbusy"


@asynccontextmanager
async def host(port: int, answer: bytes, *, is_ready: bool) -> AsyncIterator[None]:
    """Alive, and answers everything else with these bytes; without any it hangs up, as a killed process does."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                is_probe = b" /readyz " in head or b" /livez " in head
                is_known = is_probe and (is_ready or b" /livez " in head)
                writer.write(READY if is_known else BUSY if is_probe else answer)
                if not (is_probe or answer):
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", port):
        yield


@asynccontextmanager
async def balanced(folder: Path, *answers: bytes, is_ready: bool = True) -> AsyncIterator[httpx.AsyncClient]:
    """A client of HAProxy before hosts that answer so."""
    ports = Ports(FIRST_PORT)
    file = folder / "haproxy.cfg"
    file.write_text(haproxy(ports, 1, is_cuttable=False))
    async with AsyncExitStack() as stack:
        for number, answer in enumerate(answers, start=1):
            await stack.enter_async_context(host(ports.web(number), answer, is_ready=is_ready))
        process = await asyncio.create_subprocess_exec("haproxy", "-f", str(file), stderr=asyncio.subprocess.DEVNULL)
        client = await stack.enter_async_context(
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{ports.shop(1)}", trust_env=False)
        )
        try:
            async with asyncio.timeout(30):
                while not await _answers(client):  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.05)
            # Hosts that nobody starts have failed their checks by then.
            await asyncio.sleep(1)
            yield client
        finally:
            process.kill()
            await process.wait()


async def _answers(client: httpx.AsyncClient) -> bool:
    try:
        return bool((await client.get("/livez")).status_code)
    except httpx.TransportError:
        return False


async def test_a_change_on_a_dying_host_can_be_repeated_and_a_read_moves_to_another_host(
    tmp_path: Path,
) -> None:
    async with balanced(tmp_path, b"", READY) as client:
        # On a connection that had answers before, HAProxy hangs up without one, and browsers ask again by themselves.
        changes = [await client.post("/graphql", json={}, headers={"connection": "close"}) for _ in range(6)]
        readings = [await client.get("/") for _ in range(6)]

    put_off = [each for each in changes if each.status_code != 200]
    assert 0 < len(put_off) < 6
    assert {each.status_code for each in put_off} == {503}
    assert {each.headers["retry-after"] for each in put_off} == {"1"}
    assert {each.text for each in put_off} == {"The shop is back in a moment."}
    assert [each.status_code for each in readings] == [200] * 6


async def test_what_a_host_says_itself_when_it_is_busy_stays_as_it_is(tmp_path: Path) -> None:
    async with balanced(tmp_path, BUSY) as client:
        answer = await client.post("/graphql", json={})

    assert (answer.status_code, answer.headers["retry-after"], answer.text) == (503, "7", "busy")


async def test_without_a_database_a_page_comes_from_the_host_that_knows_it(tmp_path: Path) -> None:
    async with balanced(tmp_path, BUSY, READY, is_ready=False) as client:
        pages = [await client.get("/") for _ in range(6)]
        changes = [await client.post("/graphql", json={}) for _ in range(6)]

    assert [each.status_code for each in pages] == [200] * 6
    assert {each.status_code for each in changes} == {200, 503}
