"""One process of the stand-ins per test module, and a shop that writes down the webhooks it gets."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import httpx
import pytest
import stripe

from demo.outside import keys
from tests.ports import free_port, free_ports

Json = dict[str, Any]


def until(condition: Callable[[], Any], seconds: float = 30) -> Any:
    """The first thing found that is true. Fails when there is none in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.01)
    pytest.fail("It did not happen in time.")


@dataclass
class Shop:
    """The shop's webhook address: keeps what comes and answers with `status`."""

    port: int = field(default_factory=free_port)
    status: int = 200
    received: list[tuple[str, bytes]] = field(default_factory=list)

    def start(self) -> None:
        shop = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                shop.received.append((self.headers["stripe-signature"], body))
                self.send_response(shop.status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def events(self) -> list[stripe.Event]:
        """What came, each with its signature checked by Stripe's own code."""
        return [
            stripe.Webhook.construct_event(body.decode(), signature, keys.STRIPE_WEBHOOK_SECRET)
            for signature, body in self.received
        ]

    def about(self, id: str) -> list[str]:
        """Types of the events about an object, in the order they came."""
        return [
            event["type"]
            for event in (json.loads(body) for _, body in self.received)
            if event["data"]["object"]["id"] == id
        ]


@dataclass
class Outside:
    """The stand-ins as a process; they take mail one port above."""

    data: Path
    shop: Shop
    port: int = field(default_factory=lambda: free_ports(2)[0])

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        environment = {
            **os.environ,
            "OUTSIDE_PORT": str(self.port),
            "OUTSIDE_SMTP_PORT": str(self.port + 1),
            "SHOP_DATA": str(self.data),
            "PUBLIC_URL": f"http://localhost:{self.shop.port}",
        }
        self.process = subprocess.Popen([sys.executable, "-m", "demo.outside"], env=environment)
        until(self._is_up, 60)

    def _is_up(self) -> bool:
        try:
            # Loading certificates takes 40 ms of a core, and here are none.
            return httpx.get(f"{self.url}/_health", timeout=1, verify=False).status_code == 200
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(5)

    def ask(self, path: str) -> Any:
        return httpx.get(self.url + path, verify=False).raise_for_status().json()

    def tell(self, control: str, **told: Any) -> Any:
        return httpx.post(self.url + control, json=told, verify=False).raise_for_status().json()

    def pay(self, session: str, card: str = "4242424242424242", **told: Any) -> httpx.Response:
        body = {"card": card, **told}
        return httpx.post(f"{self.url}/_control/sessions/{session}/pay", json=body, verify=False)


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    shop = Shop()
    shop.start()
    yield shop
    shop.stop()


@pytest.fixture(scope="module")
def outside(shop: Shop) -> Iterator[Outside]:
    with TemporaryDirectory(prefix="minimal-outside-") as folder:
        outside = Outside(Path(folder), shop)
        outside.start()
        yield outside
        outside.stop()


@pytest.fixture
def client(outside: Outside) -> stripe.StripeClient:
    return client_of(outside)


def client_of(outside: Outside, retries: int = 0) -> stripe.StripeClient:
    return stripe.StripeClient(
        keys.STRIPE_SECRET_KEY,
        base_addresses={"api": outside.url},
        max_network_retries=retries,
        http_client=stripe.HTTPXClient(timeout=10, allow_sync_methods=True),
    )


def order(**changes: Any) -> Any:
    """Parameters of a session: two lines of $274.00 in all."""

    def line(name: str, cents: int, quantity: int) -> Json:
        return {
            "price_data": {"currency": "usd", "unit_amount": cents, "product_data": {"name": name}},
            "quantity": quantity,
        }

    usual = {
        "mode": "payment",
        "ui_mode": "embedded_page",
        "return_url": "http://localhost:8000/payment/return?session_id={CHECKOUT_SESSION_ID}",
        "line_items": [line("Straight Jean", 9600, 1), line("Oxford Shirt", 8900, 2)],
        "client_reference_id": "checkout-1",
        "customer_email": "ada@example.test",
        "metadata": {"cart": "7"},
        "expires_at": int(time.time()) + 1800,
        "adaptive_pricing": {"enabled": False},
        "payment_intent_data": {"metadata": {"checkout": "1"}},
    }
    return {name: value for name, value in (usual | changes).items() if value is not None}
