"""Which queue a request joins, decided by what the server knows of its sender before anything is done for it."""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Generic, TypeVar

import structlog
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import Scope

from server.core.db import is_unavailable
from server.core.limits import network
from server.web.proxies import TrustedProxies
from server.web.queues import Priority, Visitor

log = structlog.get_logger()

SESSION_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
"""256 bits, as `secrets.token_urlsafe` writes them; anything else is nobody's session."""
KNOWN_SECONDS = 5.0
"""A shopper who puts something into an empty cart is a buyer after this at the latest."""
UNKNOWN_SECONDS = 2.0
MAX_KNOWN = 10_000
MAX_UNKNOWN = 1_000
"""Sessions in memory, some 400 bytes each."""
MAX_BATCH = 250
"""Sessions that one statement looks up."""
LOOKUP_SECONDS = 1.0
"""Seconds; a session that was not looked up by then counts as it did before, or as none."""
PROVIDER = "payment provider"

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True)
class KnownSession:
    """A session that exists: its account, and whether that has a cart with something in it or an open checkout."""

    account: Hashable
    is_buying: bool


FindSessions = Callable[[Sequence[bytes]], Awaitable[Mapping[bytes, KnownSession]]]
"""The sessions of these token hashes, with one statement; those that do not exist are missing."""
VerifyWebhook = Callable[[bytes, str | None], None]
"""Raises a StoreError unless the provider signed the body; takes the header with the signature."""


class RecentValues(Generic[K, V]):
    """The newest `most` values, each current for so many seconds."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._values: OrderedDict[K, tuple[V, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def put(self, key: K, value: V) -> None:
        self._values.pop(key, None)
        self._values[key] = value, self._clock() + self._seconds
        if len(self._values) > self._most:
            self._values.popitem(last=False)

    def current(self, key: K) -> V | None:
        value, until = self._values.get(key, (None, 0.0))
        return value if self._clock() < until else None

    def last(self, key: K) -> V | None:
        """Also when it is current no more."""
        return self._values.get(key, (None, 0.0))[0]

    def forget(self, key: K) -> None:
        self._values.pop(key, None)


class SessionDirectory:
    """Sessions by token hash for queueing alone; authorization reads the database at each request.

    One statement is under way at a time and looks up all that wait, so a flood of made-up cookies costs a few of them.
    """

    def __init__(self, find: FindSessions, clock: Callable[[], float] = time.monotonic) -> None:
        self._find = find
        self._known: RecentValues[bytes, KnownSession] = RecentValues(MAX_KNOWN, KNOWN_SECONDS, clock)
        self._unknown: RecentValues[bytes, bool] = RecentValues(MAX_UNKNOWN, UNKNOWN_SECONDS, clock)
        self._wanted: dict[bytes, asyncio.Future[KnownSession | None]] = {}
        self._finding: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._known) + len(self._unknown)

    def remembered(self, token: str) -> KnownSession | None:
        """Without asking the database."""
        return self._known.current(_hash(token))

    async def session(self, token: str) -> KnownSession | None:
        """None for a session that does not exist, or that the database did not tell of in time."""
        if SESSION_TOKEN.fullmatch(token) is None:
            return None
        key = _hash(token)
        if found := self._known.current(key):
            return found
        if self._unknown.current(key):
            return None
        try:
            return await asyncio.wait_for(asyncio.shield(self._looked_up(key)), LOOKUP_SECONDS)
        except TimeoutError:
            return self._known.last(key)

    def _looked_up(self, key: bytes) -> "asyncio.Future[KnownSession | None]":
        if key not in self._wanted:
            self._wanted[key] = asyncio.get_running_loop().create_future()
        if self._finding is None or self._finding.done():
            self._finding = asyncio.create_task(self._find_all())
        return self._wanted[key]

    async def _find_all(self) -> None:
        while self._wanted:
            batch = list(islice(self._wanted, MAX_BATCH))
            try:
                found = await self._find(batch)
                results = {key: self._remember(key, found.get(key)) for key in batch}
            except Exception as error:
                if not is_unavailable(error):
                    log.error("sessions.lookup_failed", exc_info=True)
                results = {key: self._known.last(key) for key in batch}
            for key, result in results.items():
                self._wanted.pop(key).set_result(result)

    def _remember(self, key: bytes, found: KnownSession | None) -> KnownSession | None:
        if found is None:
            self._known.forget(key)
            self._unknown.put(key, True)
        else:
            self._known.put(key, found)
        return found


class Visitors:
    """Tells a request's priority and client. Raises what a webhook without the provider's signature is refused with."""

    def __init__(
        self,
        sessions: SessionDirectory,
        *,
        cookie: str,
        proxies: TrustedProxies,
        webhook_path: str,
        verify_webhook: VerifyWebhook,
    ) -> None:
        self._sessions = sessions
        self._cookie = cookie
        self._proxies = proxies
        self.webhook_path = webhook_path
        self._verify_webhook = verify_webhook

    async def of(self, scope: Scope, body: bytes, *, is_busy: bool) -> Visitor:
        """While the process is not busy nobody waits, and no session is looked up."""
        if self.is_webhook(scope):
            self._verify_webhook(body, Headers(scope=scope).get("stripe-signature"))
            return Visitor(Priority.BUYER, PROVIDER)
        token = HTTPConnection(scope).cookies.get(self._cookie)
        if not token:
            return self._anonymous(scope)
        if not is_busy:
            known = self._sessions.remembered(token)
            return _visitor(known) if known else Visitor(Priority.SIGNED_IN, None)
        session = await self._sessions.session(token)
        return _visitor(session) if session else self._anonymous(scope)

    def is_webhook(self, scope: Scope) -> bool:
        return scope["type"] == "http" and (scope["method"], scope["path"]) == ("POST", self.webhook_path)

    def _anonymous(self, scope: Scope) -> Visitor:
        peer = scope["client"][0] if scope.get("client") else ""
        address = self._proxies.client_address(peer, Headers(scope=scope).getlist("x-forwarded-for"))
        return Visitor(Priority.ANONYMOUS, network(address))


def _visitor(session: KnownSession) -> Visitor:
    return Visitor(Priority.BUYER if session.is_buying else Priority.SIGNED_IN, session.account)


def _hash(token: str) -> bytes:
    return sha256(token.encode(errors="surrogateescape")).digest()
