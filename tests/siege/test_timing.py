"""Timing attacks: response times do not reveal whether an account exists."""

import asyncio
import gc
import json
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pytest

from server.identity import service as identity
from server.limits import Limits
from server.platform.core.db import Sessions, begin
from server.platform.processes.process import wait_until
from server.run.startup_checks import is_listening
from tests.hashes import COSTLY
from tests.ports import free_port
from tests.siege.planted import CHEAP
from tests.siege.servers import LONG, WORKER, Server, serving

pytestmark = pytest.mark.timed

PAIRS = 2_000 if LONG else 500
MOST_OFF = 0.05
WARMING = 60
PEOPLE = 50
KNOWN, WITHOUT_PASSWORD, WITH_A_COSTLY_ONE, UNKNOWN = (
    [f"{kind}{number:02}@minimal.test" for number in range(PEOPLE)] for kind in ("known", "gmail", "dearly", "never")
)
STRANGERS = [f"stranger{number:02}@minimal.test" for number in range(PEOPLE)]
"""Whose answers are measured where those before them are suspected."""
SIGN_IN, FORGOT = "/api/auth/signin", "/api/auth/forgot-password"


@dataclass(frozen=True)
class Question:
    """What is asked about known and unknown e-mails, and whether that answer may tell them apart, or the one after."""

    path: str
    known: Sequence[str]
    is_next_measured: bool = False

    def __str__(self) -> str:
        return f"{self.path} {self.known[0][:5]}{' and the next' * self.is_next_measured}"


@pytest.fixture(scope="module")
async def people(books: Sessions) -> None:
    """Accounts with a password, and accounts that sign in with Google."""
    cheap, costly = CHEAP.hash("Linen&Shirt4"), COSTLY.hash("Linen&Shirt4")
    hashes = {**dict.fromkeys(KNOWN, cheap), **dict.fromkeys(WITH_A_COSTLY_ONE, costly)}
    async with begin(books) as session:
        for email in (*KNOWN, *WITH_A_COSTLY_ONE, *WITHOUT_PASSWORD):
            await identity.create(session, name="Ann Shopper", email=email, password_hash=hashes.get(email))


@pytest.fixture(scope="module")
def shop(database: str, folder: Path, people: None) -> Iterator[Server]:
    with unlimited(database, folder, "costly hashes", mails=LONG) as server:
        yield server


@contextmanager
def post_office() -> Iterator[int]:
    """Takes every mail and forgets it; gives its port."""
    port = free_port()
    sink = ["aiosmtpd", "-n", "-l", f"127.0.0.1:{port}", "-c", "aiosmtpd.handlers.Sink"]
    process = subprocess.Popen([sys.executable, "-m", *sink])
    assert wait_until(lambda: is_listening("127.0.0.1", port), 30, every=0.05)
    try:
        yield port
    finally:
        process.terminate()
        process.wait()


@contextmanager
def unlimited(database: str, folder: Path, without: str, *, mails: bool) -> Iterator[Server]:
    """A server that one may ask often; with its worker for questions that end in mails, as resets do."""
    often = 1_000_000
    limits = Limits(sign_in_failures_per_account=often, sign_in_failures_per_address=often, resets_per_day=often)
    with ExitStack() as open_ones:
        smtp_port = open_ones.enter_context(post_office()) if mails else 9
        yield open_ones.enter_context(
            serving(
                database,
                folder,
                free_port(),
                without=without,
                beside=WORKER if mails else (),
                LIMITS=limits.model_dump_json(),
                SMTP_URL=f"smtp://127.0.0.1:{smtp_port}",
            )
        )


class Stopwatch:
    """One connection, and how long each answer took to begin."""

    def __init__(self, server: Server) -> None:
        self._host = f"127.0.0.1:{server.port}"
        self._socket = socket.create_connection(("127.0.0.1", server.port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def ask(self, path: str, email: str) -> float:
        body = json.dumps({"email": email, "password": "Denim&Jacket5"})
        request = (
            f"POST {path} HTTP/1.1\r\nhost: {self._host}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n\r\n{body}"
        ).encode()
        began = time.perf_counter()
        self._socket.sendall(request)
        answer = self._socket.recv(65_536)
        took = time.perf_counter() - began
        assert answer.split(b" ")[1] == (b"401" if path == SIGN_IN else b"204"), answer
        if path == SIGN_IN and not answer.rstrip().endswith(b"}"):
            self._socket.recv(65_536)
        return took


def measured(server: Server, question: Question, pairs: int) -> list[list[float]]:
    """Seconds of one kind and of the other, asked in turns without a pause, each pair in an order of its own."""
    warming = min(WARMING, pairs // 4)
    kinds, took = (question.known, UNKNOWN), [[0.0][:0], [0.0][:0]]
    gc.collect()
    gc.disable()
    try:
        with Stopwatch(server) as watch:
            for number in range(warming + pairs):
                order = [0, 1]
                random.shuffle(order)
                for kind in order:
                    seconds = watch.ask(question.path, kinds[kind][number % PEOPLE])
                    if question.is_next_measured:
                        seconds = watch.ask(question.path, STRANGERS[number % PEOPLE])
                    if number >= warming:
                        took[kind].append(seconds)
    finally:
        gc.enable()
    return took


def auc(some: Sequence[float], others: Sequence[float]) -> float:
    """How often one of the first took longer than one of the second: 0.5 tells nothing, 0 and 1 tell all."""
    ranked = sorted([(seconds, 0) for seconds in some] + [(seconds, 1) for seconds in others])
    ranks = sum(place for place, (_, kind) in enumerate(ranked, start=1) if kind == 0)
    return (ranks - len(some) * (len(some) + 1) / 2) / (len(some) * len(others))


async def told_by_time(server: Server, question: Question, pairs: int = PAIRS) -> float:
    """The AUC. Chance alone takes one measurement in 150 over the limit, so such a one is made twice as long."""
    took = await asyncio.to_thread(measured, server, question, pairs)
    if abs(auc(*took) - 0.5) > MOST_OFF and pairs == PAIRS:
        more = await asyncio.to_thread(measured, server, question, pairs)
        took = [first + second for first, second in zip(took, more, strict=True)]
    area = auc(*took)
    sys.stdout.write(f"{question}, {len(took[0])} pairs: AUC {area:.3f}\n")
    return area


def test_the_auc_of_equal_times_is_a_half_and_of_apart_ones_nothing_or_all() -> None:
    assert auc([1, 4], [2, 3]) == 0.5
    assert auc([3, 4], [1, 2]) == 1
    assert auc([1, 2], [3, 4]) == 0


SHORT = [Question(SIGN_IN, KNOWN)]
LATER = [
    Question(SIGN_IN, WITHOUT_PASSWORD),
    Question(FORGOT, KNOWN),
    Question(FORGOT, KNOWN, is_next_measured=True),
]


@pytest.mark.parametrize("question", SHORT + LATER if LONG else SHORT, ids=str)
async def test_the_answers_take_as_long_for_a_known_email_as_for_an_unknown_one(
    shop: Server, question: Question
) -> None:
    assert abs(await told_by_time(shop, question) - 0.5) <= MOST_OFF


PLANTED = [
    ("dummy hash", Question(SIGN_IN, WITH_A_COSTLY_ONE), 40, 0.9),
    ("costly hashes,discreet resets", Question(FORGOT, KNOWN), 500, 0.5 + MOST_OFF),
]


@pytest.mark.parametrize(("without", "question", "pairs", "most"), PLANTED if LONG else PLANTED[:1], ids=str)
async def test_the_time_tells_them_apart(
    database: str, folder: Path, people: None, without: str, question: Question, pairs: int, most: float
) -> None:
    """No dummy hash for the unknown; a reset's job for those alone who have an account."""
    with unlimited(database, folder, without, mails=question.path == FORGOT) as naive:
        assert await told_by_time(naive, question, pairs) > most
