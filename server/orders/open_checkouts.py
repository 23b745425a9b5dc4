"""Reads of the back office: open checkouts, with who reserved what by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ARRAY, Uuid, any_, func, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.models import User
from server.orders.models import Checkout, CheckoutLine
from server.orders.states import CheckoutStatus


@dataclass(frozen=True)
class OpenCheckout:
    """An open checkout. `user_id` and `name` are the account's, None and empty once it is deleted."""

    id: UUID
    user_id: UUID | None
    name: str
    email: str
    total_cents: int
    has_session: bool
    created_at: datetime
    expires_at: datetime


_NEWEST_FIRST = (
    select(
        Checkout.id,
        User.id,
        func.coalesce(User.name, ""),
        Checkout.email,
        Checkout.total_cents,
        Checkout.stripe_session_id.is_not(None),
        Checkout.created_at,
        Checkout.expires_at,
    )
    .outerjoin(User, User.id == Checkout.user_id)
    .where(Checkout.status == CheckoutStatus.OPEN)
    .order_by(Checkout.created_at.desc(), Checkout.id.desc())
)
_COUNT = select(func.count()).select_from(Checkout).where(Checkout.status == CheckoutStatus.OPEN)


async def page(session: AsyncSession, *, limit: int, after: tuple[datetime, UUID] | None = None) -> list[OpenCheckout]:
    """A page of open checkouts, newest first; `after` is the start and id of the last one before it."""
    query = _NEWEST_FIRST.limit(limit)
    if after is not None:
        query = query.where(tuple_(Checkout.created_at, Checkout.id) < after)
    return [OpenCheckout(*row) for row in await session.execute(query)]


async def total(session: AsyncSession) -> int:
    """How many checkouts are open."""
    return await session.scalar(_COUNT) or 0


async def lines_by_checkout(session: AsyncSession, ids: Sequence[UUID]) -> dict[UUID, list[CheckoutLine]]:
    """The lines of checkouts, in the order of their carts. Unknown ids are missing."""
    of_checkouts = CheckoutLine.checkout_id == any_(literal(list(ids), ARRAY(Uuid())))
    in_order = select(CheckoutLine).where(of_checkouts).order_by(CheckoutLine.checkout_id, CheckoutLine.position)
    lines: dict[UUID, list[CheckoutLine]] = {}
    for line in await session.scalars(in_order):
        lines.setdefault(line.checkout_id, []).append(line)
    return lines
