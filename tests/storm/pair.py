"""Two servers on one database, and in front of them who hands a request to one that listens."""

import asyncio
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

import httpx

from tests.e2e.whole_shop import ROOT
from tests.ports import free_port
from tests.storm.shop import StormShop, empty_machine

SECONDS_TO_OPEN = 120


class Balancer(httpx.AsyncBaseTransport):
    """Sends a request to any of these ports; to another where nobody listens. What breaks off midway stays broken."""

    def __init__(self, ports: list[int], served: Counter[int]) -> None:
        self._ports, self._served, self._dice = ports, served, Random()
        self._inner = httpx.AsyncHTTPTransport(verify=False)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        for port in self._dice.sample(self._ports, len(self._ports)):
            request.url = request.url.copy_with(port=port)
            try:
                answer = await self._inner.handle_async_request(request)
            except httpx.ConnectError:
                continue
            self._served[port] += 1
            return answer
        raise httpx.ConnectError("Nobody listens.")

    async def aclose(self) -> None:
        await self._inner.aclose()


@dataclass
class PairShop(StormShop):
    """Beside the supervisor's server there is a second, which nobody starts again."""

    second: subprocess.Popen[bytes] | None = None
    second_port: int = field(default_factory=free_port)
    served: Counter[int] = field(default_factory=Counter)
    """Requests by the port of the server that answered."""

    def transport(self) -> httpx.AsyncBaseTransport:
        return Balancer([self.ports[0], self.second_port], self.served)

    async def start_second(self) -> None:
        """Returns when it is ready. It calls itself by the first one's name, as processes behind a balancer do."""
        own = {"PORT": str(self.second_port), "OUTSIDE_PORT": str(self.ports[1])}
        own |= {"PUBLIC_URL": self.url, "DATABASE_URL": self.database_url}
        with self.log.open("ab") as log:
            self.second = subprocess.Popen(
                [sys.executable, "-m", "server", "serve"],
                cwd=ROOT,
                env={**self.environment, **own},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        async with asyncio.timeout(SECONDS_TO_OPEN), httpx.AsyncClient(trust_env=False, verify=False) as client:
            while not await self._second_is_ready(client):
                assert self.second.poll() is None, self.log.read_text()[-4000:]
                await asyncio.sleep(0.1)

    def kill_second(self) -> None:
        if self.second is not None:
            self.second.send_signal(signal.SIGKILL)
            self.second.wait()

    async def _second_is_ready(self, client: httpx.AsyncClient) -> bool:
        try:
            answer = await client.get(
                f"http://127.0.0.1:{self.second_port}/readyz", headers={"host": f"localhost:{self.ports[0]}"}
            )
        except httpx.TransportError:
            return False
        return answer.status_code == 200


@contextmanager
def open_pair() -> Iterator[PairShop]:
    """The second server is for the test to start."""
    with empty_machine() as shop:
        pair = PairShop(shop.data, ports=shop.ports)
        pair.start()
        try:
            yield pair
        finally:
            pair.kill_second()
            pair.stop()
