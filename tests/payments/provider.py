"""The payment stand-in as a process of its own, as the shop meets it: over HTTP."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from demo.outside import keys
from server.payments.gateway import ProviderEvent
from tests.ports import free_ports


@dataclass
class Provider:
    """One stand-in with a ledger of its own, and the port at which it expects the shop's webhook."""

    data: Path
    ports: list[int] = field(default_factory=lambda: free_ports(3))

    @property
    def shop_port(self) -> int:
        return self.ports[0]

    @property
    def port(self) -> int:
        return self.ports[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        environment = {
            **os.environ,
            "OUTSIDE_PORT": str(self.port),
            "OUTSIDE_SMTP_PORT": str(self.ports[2]),
            "SHOP_DATA": str(self.data),
            "PUBLIC_URL": f"http://localhost:{self.shop_port}",
        }
        self.process = subprocess.Popen([sys.executable, "-m", "demo.outside"], env=environment)
        deadline = time.monotonic() + 60
        while not self._answers():
            assert time.monotonic() < deadline, "The stand-in does not start."
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)

    def ask(self, path: str, **query: str) -> Any:
        return httpx.get(self.url + path, params=query, timeout=10, verify=False).raise_for_status().json()

    def tell(self, path: str, /, **told: Any) -> Any:
        return httpx.post(self.url + path, json=told, timeout=10, verify=False).raise_for_status().json()

    def pay(self, session_id: str, card: str = "4242424242424242") -> int:
        """Types a card into the session's form. Returns the HTTP status: 200, 402 when declined, 409 when closed."""
        path = f"{self.url}/_control/sessions/{session_id}/pay"
        return httpx.post(path, json={"card": card}, timeout=10, verify=False).status_code

    def ledger(self, kind: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.ask("/_control/ledger")[kind]
        return entries

    def session(self, session_id: str) -> dict[str, Any]:
        return next(session for session in self.ledger("sessions") if session["id"] == session_id)

    def products_of(self, session_id: str) -> list[dict[str, Any]]:
        """What the card form lists: name, description and pictures of each line."""
        answer = httpx.get(
            f"{self.url}/v1/checkout/sessions/{session_id}/line_items",
            params={"expand[]": "data.price.product"},
            headers={"authorization": f"Bearer {keys.STRIPE_SECRET_KEY}"},
            timeout=10,
        )
        return [line["price"]["product"] for line in answer.raise_for_status().json()["data"]]

    def refunds_of(self, payment_intent_id: str) -> list[int]:
        """Cents paid back, in the order of asking."""
        return [refund["amount"] for refund in self.ledger("refunds") if refund["payment_intent"] == payment_intent_id]

    def news_of(self, subject: str) -> list[ProviderEvent]:
        """The events about a session, payment, refund or dispute, oldest first."""
        events = []
        for event in self.ledger("events"):
            about = event["data"]["object"]
            if subject in (about["id"], about.get("payment_intent")):
                events.append(ProviderEvent(event["id"], event["type"], about["id"], about.get("payment_intent")))
        return events

    def fail(self, kind: str, count: int = 1, **told: Any) -> None:
        """The next calls of the provider's API go wrong."""
        self.tell("/_control/faults", kind=kind, count=count, **told)

    def quiet(self) -> None:
        """Ends every fault and sends no webhooks: a test brings the news itself."""
        self.tell("/_control/faults")
        self.tell("/_control/webhooks", drop=True)

    def _answers(self) -> bool:
        try:
            # Loading certificates takes 40 ms of a core, and here are none.
            return httpx.get(f"{self.url}/_health", timeout=1, verify=False).status_code == 200
        except httpx.HTTPError:
            return False
