"""Ordinary traffic, in a process of its own so that no attacker's work is counted as the shop's.

`python -m tests.siege.visitor URL SECONDS COOKIE` prints what each request was answered with and how long it took.
"""

import json
import sys
import threading
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import quantiles
from subprocess import PIPE, Popen
from typing import Self
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
VISITORS = 4
PAUSE = 0.05
VIEWER = {"query": "{ viewer { name cart { subtotal } } }"}
PRODUCTS = {"query": "{ products(first: 24) { nodes { id name } } }"}
HEADERS = {"content-type": "application/json", "sec-fetch-site": "same-origin"}


@dataclass(frozen=True)
class Visits:
    """What ordinary visitors met."""

    statuses: list[int]
    seconds: list[float]

    @property
    def p99(self) -> float:
        return quantiles(self.seconds, n=100)[98]

    @property
    def failed(self) -> list[int]:
        return [status for status in self.statuses if status != 200]

    def __str__(self) -> str:
        ms = [round(each * 1000, 1) for each in (*quantiles(self.seconds, n=2), self.p99, max(self.seconds))]
        return f"{len(self.statuses)} requests, {len(self.failed)} failed; p50, p99, worst in ms: {ms}"


class Visitors:
    """Ordinary visitors, from now until `visits` is asked for."""

    def __init__(self, url: str, cookie: str) -> None:
        command = [sys.executable, "-m", "tests.siege.visitor", url, cookie]
        self._process = Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def visits(self) -> Visits:
        """Sends them home."""
        said, _ = self._process.communicate("", timeout=60)
        return Visits(**json.loads(said))


def stroll(url: str, cookie: str, ended: threading.Event, visits: Visits) -> None:
    """One visitor: the cart, the catalogue, a page, a call of REST, over one connection as a browser does."""
    place = urlsplit(url)
    headers = {**HEADERS, "cookie": cookie}
    requests = [
        ("POST", "/graphql", json.dumps(VIEWER), headers),
        ("POST", "/graphql", json.dumps(PRODUCTS), HEADERS),
        ("GET", "/category/men/shirts", None, {}),
        ("GET", "/api/cart", None, headers),
    ]
    connection = HTTPConnection(str(place.hostname), place.port, timeout=20)
    while not ended.is_set():
        for method, path, body, with_headers in requests:
            began = time.perf_counter()
            try:
                connection.request(method, path, body, with_headers)
                answer = connection.getresponse()
                answer.read()
                status = answer.status
            except (OSError, HTTPException):
                connection.close()
                status = 0
            visits.seconds.append(time.perf_counter() - began)
            visits.statuses.append(status)
            ended.wait(PAUSE)


def main(url: str, cookie: str) -> None:
    """Until standard input ends."""
    ended, visits = threading.Event(), Visits([], [])
    strollers = [threading.Thread(target=stroll, args=(url, cookie, ended, visits)) for _ in range(VISITORS)]
    for stroller in strollers:
        stroller.start()
    sys.stdin.read()
    ended.set()
    for stroller in strollers:
        stroller.join()
    sys.stdout.write(json.dumps(vars(visits)))


if __name__ == "__main__":
    main(*sys.argv[1:])
