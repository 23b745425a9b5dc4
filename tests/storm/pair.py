"""Two hosts, each with a web process and a worker, on one database, and who hands a request to one that listens."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

import httpx

from tests.ports import free_port
from tests.roles import Roles
from tests.storm.shop import StormShop, empty_machine


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
    """Beside the supervisor's processes there are a second web process and worker, which nobody starts again."""

    second: Roles | None = None
    second_port: int = field(default_factory=free_port)
    served: Counter[int] = field(default_factory=Counter)
    """Requests by the port of the server that answered."""

    def transport(self) -> httpx.AsyncBaseTransport:
        return Balancer([self.ports[0], self.second_port], self.served)

    async def start_second(self) -> None:
        """Returns when it is ready. It calls itself by the first one's name, as processes behind a balancer do."""
        own = {"OUTSIDE_PORT": str(self.ports[1]), "PUBLIC_URL": self.url, "DATABASE_URL": self.database_url}
        host = f"localhost:{self.ports[0]}"
        self.second = Roles(self.second_port, self.log, {**self.environment, **own}, host)
        await asyncio.to_thread(self.second.start)

    def kill_second(self) -> None:
        if self.second is not None:
            self.second.kill()


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
