"""The clock and the postman: does what is due and delivers webhooks, also what an earlier process left undone."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool

from demo.outside import webhooks
from demo.outside.ledger import Ledger, Transaction

Timer = Callable[[Transaction, str], None]
LONGEST_NAP = 5.0
AT_ONCE = 16
PATIENCE = 10.0
logger = logging.getLogger(__name__)


class Courier:
    """Runs timers that are due, and delivers webhooks."""

    def __init__(self, ledger: Ledger, timers: Mapping[str, Timer]) -> None:
        self._ledger = ledger
        self._timers = timers
        self._wake = asyncio.Event()
        self._under_way: dict[int, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Works until it is cancelled."""
        loop = asyncio.get_running_loop()
        self._ledger.committed = lambda: _ring(loop, self._wake)
        await run_in_threadpool(self._hurry)
        while True:
            self._wake.clear()
            due, nap = await run_in_threadpool(self._look)
            for delivery in due:
                task = asyncio.create_task(run_in_threadpool(self._deliver, delivery))
                self._under_way[delivery] = task
                task.add_done_callback(partial(self._arrived, delivery))
            await self._sleep(nap)

    async def _sleep(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._wake.wait(), seconds)
        except TimeoutError:
            return

    def _arrived(self, delivery: int, task: asyncio.Task[None]) -> None:
        del self._under_way[delivery]
        if not task.cancelled() and task.exception():
            logger.error("A webhook delivery broke off", exc_info=task.exception())
        self._wake.set()

    def _hurry(self) -> None:
        """The shop may have come back with us: what waits is tried at once."""
        with self._ledger.transaction() as tx:
            tx.execute("UPDATE deliveries SET due = ? WHERE state = 'pending' AND attempts > 0", time.time())

    def _look(self) -> tuple[list[int], float]:
        """Runs the timers that are due; then which deliveries to start and how long to sleep."""
        moment = time.time()
        with self._ledger.reading() as tx:
            ringing = tx.execute("SELECT what, id FROM timers WHERE due <= ? ORDER BY due", moment).fetchall()
        for what, id in ringing:
            with self._ledger.transaction() as tx:
                tx.unwind(what, id)
                self._timers[what](tx, id)
        room = AT_ONCE - len(self._under_way)
        with self._ledger.reading() as tx:
            waiting = tx.execute(
                "SELECT id, due FROM deliveries WHERE state = 'pending' ORDER BY due, id LIMIT ?", AT_ONCE * 2
            ).fetchall()
            bell = tx.execute("SELECT min(due) FROM timers").fetchone()[0]
        free = [(id, due) for id, due in waiting if id not in self._under_way]
        due = [id for id, at in free if at <= moment][:room]
        later = [at for id, at in free if id not in due and at > moment] + ([bell] if bell else [])
        return due, min([LONGEST_NAP, *(max(at - time.time(), 0.005) for at in later)])

    def _deliver(self, delivery: int) -> None:
        with self._ledger.reading() as tx:
            message = webhooks.message(tx, delivery)
        if message is None:
            return
        url, body, secret = message
        started = time.monotonic()
        status, error = _post(url, body, secret)
        took = round((time.monotonic() - started) * 1000)
        with self._ledger.transaction() as tx:
            webhooks.record(tx, delivery, status, error, took)


def _post(url: str, body: bytes, secret: str) -> tuple[int | None, str | None]:
    """The status of the answer, or the name of what kept it away. Redirects are answers, as they are for Stripe."""
    address = urlsplit(url)
    kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
    connection = kind(address.netloc, timeout=PATIENCE)
    try:
        connection.request("POST", address._replace(scheme="", netloc="").geturl() or "/", body, _headers(secret, body))
        return connection.getresponse().status, None
    except (OSError, HTTPException) as failure:
        return None, type(failure).__name__
    finally:
        connection.close()


def _ring(loop: asyncio.AbstractEventLoop, bell: asyncio.Event) -> None:
    with suppress(RuntimeError):  # The loop is closed: what was written waits for the next start.
        loop.call_soon_threadsafe(bell.set)


def _headers(secret: str, body: bytes) -> dict[str, str]:
    return {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (stand-in of the Minimal demo)",
        "stripe-signature": webhooks.signature(secret, body, int(time.time())),
    }
