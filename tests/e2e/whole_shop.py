"""A whole shop as `just start` opens it: supervisor, PostgreSQL, stand-ins and server, in a folder of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.ports import free_ports

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_OPEN = 180
SECONDS_TO_ANSWER = 60
"""On a machine that is busy with much else."""
_BLANK = ("STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET", "GOOGLE_CLIENT_ID", "SMTP_URL")
_DEFAULTS = {
    **dict.fromkeys((*_BLANK, "DATABASE_URL", "IMAGES_URL", "PUBLIC_URL"), ""),
    "HOST": "127.0.0.1",
    "OUTSIDE_PORT": "0",
    "DEMO": "true",
}


@dataclass
class WholeShop:
    """One shop under test. `data` survives a stop, so that a second start can be compared with the first."""

    data: Path
    settings: dict[str, str] = field(default_factory=dict)
    ports: list[int] = field(default_factory=lambda: free_ports(2))
    process: subprocess.Popen[bytes] | None = None
    program: tuple[str, ...] = ("server", "start", "--end-with-parent")
    """The module that opens it, with arguments."""
    seconds_to_open: float = SECONDS_TO_OPEN

    @property
    def url(self) -> str:
        return f"http://localhost:{self.ports[0]}"

    @property
    def outside_url(self) -> str:
        return f"http://localhost:{self.ports[1]}"

    @property
    def environment(self) -> dict[str, str]:
        """For commands on this shop; nothing of the settings of whoever runs the tests."""
        own = {"SHOP_DATA": str(self.data), "PORT": str(self.ports[0])}
        return {**os.environ, **_DEFAULTS, **self.settings, **own}

    @property
    def log(self) -> Path:
        """What the supervisor and its processes said, over all starts."""
        return self.data.with_suffix(".log")

    def start(self) -> float:
        """Returns, in seconds, how long it took until the first page was there. Raises AssertionError with the log."""
        began = time.monotonic()
        said_before = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *self.program],
                cwd=ROOT,
                env={
                    **os.environ,
                    **_DEFAULTS,
                    **self.settings,
                    "SHOP_DATA": str(self.data),
                    "PORT": str(self.ports[0]),
                },
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        while time.monotonic() - began < self.seconds_to_open and self.process.poll() is None:
            # A server that a killed supervisor left behind may answer for a moment longer.
            if b"The shop is open" in self.log.read_bytes()[said_before:] and self.answers():
                return time.monotonic() - began
            time.sleep(0.05)
        raise AssertionError(f"The shop did not open:\n{self.log.read_text()[-6000:]}")

    def answers(self) -> bool:
        """Whether the first page can be had."""
        try:
            # Loading certificates takes 40 ms of a core, and here are none.
            return httpx.get(f"{self.url}/", timeout=5, trust_env=False, verify=False).status_code == 200
        except httpx.TransportError:
            return False

    def stop(self) -> int:
        """Closes it as Ctrl-C does. Returns the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(SECONDS_TO_OPEN)

    def kill(self) -> None:
        """Kills the supervisor as a crash would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def pid_of(self, child: str) -> int:
        """Process id of `web`, `worker`, `reports` or the `stand-ins`."""
        return int((self.data / "run" / f"{child}.lock").read_text())

    def visitor(self) -> httpx.Client:
        """Somebody with cookies of their own who asks by hand."""
        return _by_hand(self.url, {"sec-fetch-site": "same-origin"})

    def mails(self, to: str) -> list[dict[str, Any]]:
        """What the mailbox holds for an address, oldest first."""
        messages: list[dict[str, Any]] = self.ask("mail", to=to)
        return messages

    def ledger(self) -> dict[str, Any]:
        """Every checkout session, payment and refund that the payment stand-in knows."""
        content: dict[str, Any] = self.ask("ledger")
        return content

    def ask(self, control: str, **query: str) -> Any:
        with _by_hand(self.outside_url) as client:
            return client.get(f"/_control/{control}", params=query).raise_for_status().json()

    def tell(self, control: str, **body: object) -> Any:
        """One of the stand-ins' switches, as `tell("webhooks", duplicate=2)`."""
        with _by_hand(self.outside_url) as client:
            answer = client.post(f"/_control/{control}", json=body).raise_for_status()
        return json.loads(answer.content or "null")


def _by_hand(url: str, headers: dict[str, str] | None = None) -> httpx.Client:
    # Loading certificates takes 40 ms of a core, and here are none.
    return httpx.Client(base_url=url, headers=headers, timeout=SECONDS_TO_ANSWER, trust_env=False, verify=False)


@contextmanager
def open_shop(data: Path, **settings: str) -> Iterator[WholeShop]:
    """A shop that is open for the time of the block."""
    shop = WholeShop(data, settings)
    shop.start()
    try:
        yield shop
    finally:
        shop.stop()
