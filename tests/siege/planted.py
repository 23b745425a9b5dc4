"""The shop's server with some of its guards taken off: `python -m tests.siege.planted limits,patience`.

An attack that does not succeed here proves nothing by failing elsewhere.
"""

import sys
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from argon2 import PasswordHasher
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request
from starlette.types import ASGIApp, Scope

from server.analytics.behaviour import events, intake
from server.analytics.behaviour.events import VisitEvent
from server.config import Settings
from server.identity import passwords
from server.identity import service as identity
from server.identity.models import User
from server.identity.passwords import PasswordHashing, PasswordVerdict
from server.media import apart
from server.orders import reservation_limits
from server.platform.core import limits
from server.platform.core.context import Context, transaction
from server.platform.core.db import Sessions
from server.platform.core.errors import StoreError
from server.platform.core.limits import Limit
from server.platform.gql import cost, document_cache, execution
from server.platform.gql.document_cache import DocumentCache
from server.platform.processes import slow_clients
from server.platform.web import load_shedding, rest
from server.platform.web.queues import Priority, Visitor
from server.platform.web.visitors import Visitors

CHEAP = PasswordHasher(time_cost=1, memory_cost=1_024, parallelism=1)
"""A millisecond. One that took longer would hide in its own variation what else takes time."""


def without_limits() -> None:
    """Nobody counts attempts."""

    async def take(sessions: Sessions, *limits: Limit) -> dict[str, int]:
        return {}

    limits.take = take


def without_patience() -> None:
    """The HTTP implementation as it comes, with its own cap on connections; a body is read to its end."""
    slow_clients.serving_options = lambda: {"http": "httptools", "limit_concurrency": slow_clients.MOST_CONNECTIONS}

    async def read_body(request: Request, limit: int, refused: StoreError | None = None) -> bytes:
        return await request.body()

    rest.read_body = read_body


def without_leisure() -> None:
    """No guard: the shop's own, sooner."""
    slow_clients.HEAD_SECONDS = 2.0
    slow_clients.LOOK_SECONDS = 0.5


def without_prices() -> None:
    """Introspection costs nothing, and an answer may be as large as it becomes."""
    cost.INTROSPECTION = frozenset()
    execution.MAX_ANSWER_BYTES = sys.maxsize


def without_byte_limits() -> None:
    """Documents of any length are kept, a thousand of them."""
    setattr(document_cache, "LONGEST_KEPT", sys.maxsize)  # noqa: B010 - imported there under that name
    document_cache.KEPT_BYTES = sys.maxsize
    DocumentCache.__init__.__defaults__ = (sys.maxsize,)


def without_apart() -> None:
    """Every picture is decoded where shoppers are answered."""
    apart.FROM_PIXELS = sys.maxsize


def without_admission() -> None:
    """Everybody is let in at once."""

    def open_door(app: ASGIApp, *_: object, **__: object) -> ASGIApp:
        return app

    setattr(load_shedding, "ConcurrencyLimiter", open_door)  # noqa: B010 - a class otherwise


def without_priorities() -> None:
    """Everybody stands in one queue, first come, first served, and no signature is looked at before it."""

    async def of(self: Visitors, scope: Scope, body: bytes, *, is_busy: bool) -> Visitor:
        return Visitor(Priority.BUYER, "everybody")

    setattr(Visitors, "of", of)  # noqa: B010 - a method otherwise


def without_costly_hashes() -> None:
    """Passwords are hashed at a test's cost, for everybody alike."""
    passwords._HASHER = CHEAP


def without_free_slots() -> None:
    """A request holds its slot while its password waits to be hashed, and visitors' writes queue with their reads."""

    @asynccontextmanager
    async def with_slot() -> AsyncIterator[None]:
        yield

    def as_reads(visitor: Visitor, **_: Priority) -> Visitor:
        return visitor

    setattr(passwords, "without_slot", with_slot)  # noqa: B010 - imported there under that name
    setattr(load_shedding, "replace", as_reads)  # noqa: B010 - likewise


def without_reservation_limits() -> None:
    """An account may reserve whatever is in its cart."""

    async def check(*_given: object, **_named: object) -> None:
        """Nothing is refused."""

    setattr(reservation_limits, "check", check)  # noqa: B010 - mypy would compare the signatures


def without_dummy_hash() -> None:
    """Where there is no hash, nothing is compared."""
    compared = PasswordHashing.verify

    async def verify(self: PasswordHashing, hashed: str, password: str, client: Hashable = None) -> PasswordVerdict:
        if hashed == self.dummy_hash:
            return PasswordVerdict(is_right=False)
        return await compared(self, hashed, password, client)

    setattr(PasswordHashing, "verify", verify)  # noqa: B010 - a method otherwise


def without_discreet_resets() -> None:
    """Whether an account exists is found out before the answer: there is a job to write down only where it does."""

    async def request_reset(session: AsyncSession, email: str, *, shop_url: str, unless_open: bool = False) -> None:
        if await session.scalar(select(User.id).where(User.email == email)):
            await discreet(session, email, shop_url=shop_url, unless_open=unless_open)

    discreet, identity.request_reset = identity.request_reset, request_reset


def without_discretion() -> None:
    """Whoever reads a body writes it down."""
    careful = rest.read_body

    async def read_body(request: Request, limit: int, refused: StoreError | None = None) -> bytes:
        body = await careful(request, limit, refused)
        sys.stderr.write(body.decode(errors="replace") + "\n")
        return body

    rest.read_body = read_body


def without_event_bounds() -> None:
    """Whatever a browser reports is written down."""

    async def take(context: Context, visit: UUID, happenings: Sequence[VisitEvent]) -> None:
        async with transaction(context) as session:
            await events.record(session, visit, happenings)

    intake.take = take


FAULTS: dict[str, Callable[[], None]] = {
    "discretion": without_discretion,
    "limits": without_limits,
    "event bounds": without_event_bounds,
    "patience": without_patience,
    "leisure": without_leisure,
    "apart": without_apart,
    "byte limits": without_byte_limits,
    "prices": without_prices,
    "admission": without_admission,
    "priorities": without_priorities,
    "costly hashes": without_costly_hashes,
    "free slots": without_free_slots,
    "reservation limits": without_reservation_limits,
    "dummy hash": without_dummy_hash,
    "discreet resets": without_discreet_resets,
}

if __name__ == "__main__":
    for name in sys.argv[1].split(","):
        FAULTS[name]()
    # Only now, since some rooms take the guards over by name.
    from server.platform.pages.renderer import Renderer
    from server.run.web import serve

    serve(Settings(), Renderer())
