"""Which queue a request joins, by its sender, before any work is done for it."""

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
from starlette.types import Scope

from server.platform.core.db import is_unavailable
from server.platform.core.limits import network
from server.platform.web.headers import cookies, headers
from server.platform.web.proxies import TrustedProxies
from server.platform.web.queues import Priority, Visitor

log = structlog.get_logger()

SESSION_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
"""256 bits as `secrets.token_urlsafe` writes them; other values cannot be a session's token."""
KNOWN_SECONDS = 5.0
"""A shopper who adds to an empty cart counts as a buyer after this at the latest."""
UNKNOWN_SECONDS = 2.0
MAX_KNOWN = 10_000
MAX_UNKNOWN = 1_000
"""Sessions kept in memory, some 400 bytes each."""
MAX_BATCH = 250
"""Sessions that one statement looks up."""
LOOKUP_SECONDS = 1.0
"""A session whose lookup takes longer counts as it did before, or as none."""
PROVIDER = "payment provider"

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True)
class KnownSession:
    """An existing session: its account, and whether that has a filled cart or an open checkout."""

    account: Hashable
    is_buying: bool


FindSessions = Callable[[Sequence[bytes]], Awaitable[Mapping[bytes, KnownSession]]]
"""Looks up sessions by their token hashes in one statement; those that do not exist are missing."""
VerifyWebhook = Callable[[bytes, str | None], Awaitable[None]]
"""Takes body and signature header. Raises a StoreError unless the provider has signed the body."""


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
        """Stores a value, evicting the oldest one when there are too many."""
        self._values.pop(key, None)
        self._values[key] = value, self._clock() + self._seconds
        if len(self._values) > self._most:
            self._values.popitem(last=False)

    def current(self, key: K) -> V | None:
        """The value, None when it has expired."""
        value, until = self._values.get(key, (None, 0.0))
        return value if self._clock() < until else None

    def last(self, key: K) -> V | None:
        """The value even when it has expired."""
        return self._values.get(key, (None, 0.0))[0]

    def forget(self, key: K) -> None:
        """Drops a value."""
        self._values.pop(key, None)


class SessionDirectory:
    """Sessions by token hash, used for queueing only; authorization reads the database at each request.

    One statement runs at a time and looks up all tokens that wait, so a flood of invalid cookies costs few statements.
    """

    def __init__(self, find: FindSessions, clock: Callable[[], float] = time.monotonic) -> None:
        self._find = find
        self._known: RecentValues[bytes, KnownSession] = RecentValues(MAX_KNOWN, KNOWN_SECONDS, clock)
        self._unknown: RecentValues[bytes, bool] = RecentValues(MAX_UNKNOWN, UNKNOWN_SECONDS, clock)
        self._pending: dict[bytes, asyncio.Future[KnownSession | None]] = {}
        self._finding: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._known) + len(self._unknown)

    def remembered(self, token: str) -> KnownSession | None:
        """The session in memory, without asking the database; None when it is not there."""
        return self._known.current(_hash(token))

    async def session(self, token: str) -> KnownSession | None:
        """The session; None when it does not exist, or the database did not respond in time."""
        if SESSION_TOKEN.fullmatch(token) is None:
            return None
        key = _hash(token)
        if session := self._known.current(key):
            return session
        if self._unknown.current(key):
            return None
        try:
            return await asyncio.wait_for(asyncio.shield(self._looked_up(key)), LOOKUP_SECONDS)
        except TimeoutError:
            return self._known.last(key)

    def _looked_up(self, key: bytes) -> "asyncio.Future[KnownSession | None]":
        if key not in self._pending:
            self._pending[key] = asyncio.get_running_loop().create_future()
        if self._finding is None or self._finding.done():
            self._finding = asyncio.create_task(self._find_all())
        return self._pending[key]

    async def _find_all(self) -> None:
        while self._pending:
            batch = list(islice(self._pending, MAX_BATCH))
            try:
                sessions = await self._find(batch)
                results = {key: self._remember(key, sessions.get(key)) for key in batch}
            except Exception as error:
                if not is_unavailable(error):
                    log.error("sessions.lookup_failed", exc_info=True)
                results = {key: self._known.last(key) for key in batch}
            for key, result in results.items():
                self._pending.pop(key).set_result(result)

    def _remember(self, key: bytes, session: KnownSession | None) -> KnownSession | None:
        if session is None:
            self._known.forget(key)
            self._unknown.put(key, True)
        else:
            self._known.put(key, session)
        return session


class Visitors:
    """Determines a request's priority and client. Raises the StoreError of an unsigned webhook."""

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
        """The request's sender. Sessions are looked up only while the process is busy; otherwise no request queues."""
        if self.is_webhook(scope):
            await self._verify_webhook(body, next(iter(headers(scope, b"stripe-signature")), None))
            return Visitor(Priority.BUYER, PROVIDER)
        token = cookies(scope).get(self._cookie)
        if not token:
            return self._anonymous(scope)
        if not is_busy:
            session_in_memory = self._sessions.remembered(token)
            return _visitor(session_in_memory) if session_in_memory else Visitor(Priority.SIGNED_IN, None)
        session = await self._sessions.session(token)
        return _visitor(session) if session else self._anonymous(scope)

    def is_webhook(self, scope: Scope) -> bool:
        """Whether the request is a webhook of the payment provider."""
        return scope["type"] == "http" and (scope["method"], scope["path"]) == ("POST", self.webhook_path)

    def _anonymous(self, scope: Scope) -> Visitor:
        peer = scope["client"][0] if scope.get("client") else ""
        address = self._proxies.client_address(peer, headers(scope, b"x-forwarded-for"))
        return Visitor(Priority.ANONYMOUS, network(address))


def _visitor(session: KnownSession) -> Visitor:
    return Visitor(Priority.BUYER if session.is_buying else Priority.SIGNED_IN, session.account)


def _hash(token: str) -> bytes:
    return sha256(token.encode(errors="surrogateescape")).digest()
