"""What the dearest request of a stranger costs is known: processors' time, in hashes of a password."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from graphql import get_introspection_query

from server.platform.core.db import Sessions
from tests.cart.stock import make_product
from tests.hashes import COSTLY
from tests.ports import free_port
from tests.siege.servers import Server, browser, serving

pytestmark = pytest.mark.timed

REQUESTS = 20
MOST_HASHES = 2
"""The dearest is a sign-in: one hash, and its statements."""
CARDS = "{ products(first: 100) { nodes { id name title subtitle description related(first: 4) { id name } } } }"


def graphql(document: str) -> tuple[str, str, dict[str, object]]:
    return "POST", "/graphql", {"json": {"query": document}}


def dear_requests() -> dict[str, Callable[[], tuple[str, str, dict[str, object]]]]:
    """What a stranger may send, of each kind one that no cache has."""
    return {
        "sign-in": lambda: (
            "POST",
            "/api/auth/signin",
            {"json": {"email": f"{uuid4()}@minimal.test", "password": "Denim&Jacket5"}},
        ),
        "forgot password": lambda: (
            "POST",
            "/api/auth/forgot-password",
            {"json": {"email": f"{uuid4()}@minimal.test"}},
        ),
        "page of a search": lambda: ("GET", f"/search?q=shirt+{uuid4()}", {}),
        "search": lambda: graphql(f'{{ search(query: "shirt {uuid4()}") {{ products {{ nodes {{ name }} }} }} }}'),
        "cards": lambda: graphql(f"{CARDS} # {uuid4()}"),
        "introspection": lambda: graphql(f"{get_introspection_query()} # {uuid4()}"),
    }


@pytest.fixture(scope="module")
async def shop(database: str, folder: Path, books: Sessions) -> None:
    async with books() as session:
        for number in range(24):
            await make_product(session, name=f"Shirt {number}", pictures=True)


@pytest.fixture(scope="module")
def server(database: str, folder: Path, shop: None) -> Iterator[Server]:
    with serving(database, folder, free_port()) as server:
        yield server


def processor_seconds(pid: int) -> float:
    """What a process and its children have worked."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    fields = [Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in (pid, *children)]
    return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")


def hash_seconds() -> float:
    began = time.process_time()
    for _ in range(REQUESTS):
        COSTLY.hash("Denim&Jacket5")
    return (time.process_time() - began) / REQUESTS


async def test_no_request_of_a_stranger_costs_more_than_a_known_number_of_hashes(server: Server) -> None:
    one_hash, costs = hash_seconds(), dict[str, float]()
    async with browser(server) as client:
        for name, request in dear_requests().items():
            method, path, options = request()
            await client.request(method, path, **options)  # type: ignore[arg-type]
            before = processor_seconds(server.pid)
            for _ in range(REQUESTS):
                method, path, options = request()
                answer = await client.request(method, path, **options)  # type: ignore[arg-type]
                assert answer.status_code < 500
            costs[name] = (processor_seconds(server.pid) - before) / REQUESTS

    sys.stdout.write(f"a hash takes {one_hash * 1000:.0f} ms of a processor\n")
    for name, seconds in sorted(costs.items(), key=lambda each: -each[1]):
        sys.stdout.write(f"{name}: {seconds * 1000:.0f} ms, {seconds / one_hash:.1f} hashes\n")
    assert max(costs.values()) < MOST_HASHES * one_hash
