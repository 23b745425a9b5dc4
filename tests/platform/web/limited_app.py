"""An application behind load shedding, whose handlers end when a test lets them."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from server.config import STAND_IN_STRIPE_WEBHOOK_SECRET
from server.payments.gateway import StripeGateway
from server.platform.web.load_shedding import ConcurrencyLimiter
from server.platform.web.proxies import TrustedProxies
from server.platform.web.visitors import KnownSession, SessionDirectory, Visitors

COOKIE, WEBHOOK = "accessToken", "/api/payment/webhook"


class Shoppers:
    """Sessions that exist: their names begin with `buyer` or `member`, and what follows names the account."""

    def __init__(self) -> None:
        self.lookups: list[int] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def find(self, hashes: Sequence[bytes]) -> dict[bytes, KnownSession]:
        self.lookups.append(len(hashes))
        await asyncio.sleep(0.005)
        await self.may_answer.wait()
        return {key: self._made[key] for key in hashes if key in self._made}

    @cached_property
    def _made(self) -> dict[bytes, KnownSession]:
        names = [f"{kind}{number}" for kind in ("buyer", "member") for number in range(600)]
        return {sha256(token(name).encode()).digest(): KnownSession(name, name.startswith("buyer")) for name in names}


def token(name: str) -> str:
    """As long as a real one."""
    return name.ljust(43, "x")


def visitors(shoppers: Shoppers | None = None) -> Visitors:
    gateway = StripeGateway("sk_test", (STAND_IN_STRIPE_WEBHOOK_SECRET,), return_url="http://localhost")
    return Visitors(
        SessionDirectory((shoppers or Shoppers()).find),
        cookie=COOKIE,
        proxies=TrustedProxies(),
        webhook_path=WEBHOOK,
        verify_webhook=gateway.verify_webhook,
    )


def limited(app: ASGIApp, shoppers: Shoppers | None = None, **options: Any) -> ConcurrencyLimiter:
    return ConcurrencyLimiter(app, visitors(shoppers), **options)


@dataclass
class Kitchen:
    """An app that answers, with what it was sent, when it is told to."""

    doors: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    inside: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.inside += 1
        self.arrived.release()
        try:
            body = b""
            message = await receive()
            while message.get("more_body"):
                body += message["body"]
                message = await receive()
            body += message.get("body", b"")
            await self.doors.wait()
        finally:
            self.inside -= 1
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def until(holds: Callable[[], bool]) -> None:
    """Waits for it however busy the machine is."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110, nobody sets an event for it
            await asyncio.sleep(0.005)
