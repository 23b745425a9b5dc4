"""Real server processes, complete ones and ones with a guard removed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.e2e.whole_shop import ROOT, WholeShop

SECONDS_TO_ANSWER = 90
WORKER = (("server", "worker"),)
"""What a shop has beside its web process, where mails or other jobs are waited for."""
LONG = bool(os.environ.get("SIEGE_LONG"))
"""Whether attacks go on for longer than `just test` has time for."""


@dataclass(frozen=True)
class Server:
    """A web process."""

    port: int
    pid: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def memory(self) -> int:
        """Bytes of RAM that it holds right now."""
        fields = Path(f"/proc/{self.pid}/status").read_text().split("VmRSS:")[1].split()
        return int(fields[0]) * 1024

    def said(self) -> str:
        return self.log.read_text()


@contextmanager
def serving(
    database_url: str,
    folder: Path,
    port: int,
    *,
    shop_port: int = 0,
    without: str = "",
    program: Sequence[str] = ("server", "web"),
    beside: Sequence[Sequence[str]] = (),
    **settings: str,
) -> Iterator[Server]:
    """`python -m server web` on a database that is there, until the end of the block.

    `shop_port` is the one that shoppers type, where several processes are one shop; `without` takes a guard off;
    `program` is another module that serves the shop, with its arguments; those `beside` it run with the same settings
    and write the same log.
    """
    program = ["tests.siege.planted", without] if without else program
    shop = WholeShop(folder, ports=[port, port])
    own = {"DATABASE_URL": database_url, "PUBLIC_URL": f"http://localhost:{shop_port or port}", "OUTSIDE_PORT": "9"}
    log = folder / f"server-{port}.log"
    # The database may name pictures whose files no test asks for.
    (folder / "images").mkdir(exist_ok=True)
    environment = {**os.environ, **shop.environment, **own, **settings}
    with log.open("ab", buffering=0) as said:
        said.truncate(0)
        process, *others = [
            subprocess.Popen(
                [sys.executable, "-m", *each],
                cwd=ROOT,
                env=environment if each is program else {**environment, "METRICS_PORT": "0"},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
            for each in (program, *beside)
        ]
    server = Server(port, process.pid, log)
    try:
        _wait(process, server)
        yield server
    finally:
        for each in (process, *others):
            each.send_signal(signal.SIGTERM)
        for each in (process, *others):
            try:
                each.wait(20)
            except subprocess.TimeoutExpired:
                each.kill()
                each.wait()


@asynccontextmanager
async def browser(
    server: Server, *, address: str = "127.0.0.1", token: str | None = None
) -> AsyncIterator[httpx.AsyncClient]:
    """A page of the shop in some browser; every address of 127.0.0.0/8 is a different visitor's."""
    async with httpx.AsyncClient(
        base_url=server.url,
        transport=httpx.AsyncHTTPTransport(local_address=address),
        headers={"content-type": "application/json", "sec-fetch-site": "same-origin"},
        timeout=120,
    ) as client:
        yield client


def _wait(process: subprocess.Popen[bytes], server: Server) -> None:
    deadline = time.monotonic() + SECONDS_TO_ANSWER
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{server.url}/readyz", timeout=5, trust_env=False, verify=False).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError(f"The server did not open:\n{server.said()[-3000:]}")
