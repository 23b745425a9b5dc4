"""Reads of the back office: the searchable list of orders, and everything about one order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Uuid,
    any_,
    func,
    literal,
    or_,
    select,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncSession

from server.identity.models import User
from server.orders import payment_issues
from server.orders.models import ORDER_SEARCH_TEXT, Order, OrderNote, Return
from server.orders.queries import PlacedOrder, with_lines
from server.orders.states import HAVE_ITEMS_WAITING, MAY_BE_SENT, OPEN_RETURNS
from server.orders.views import order_disputes, order_refund_lines, order_refunds
from server.platform.core.text import like_literal, search_terms

COUNTED_TO = 10_000
"""Counting the results of a search stops here; otherwise it would read every order."""
NUMBER = re.compile(r"(?:M-)?(\d{1,18})", re.IGNORECASE)
Sort = Literal["newest", "oldest", "highest_total", "lowest_total"]
Place = tuple[datetime | int, UUID]
"""Sort key and id of the last order of a page."""


@dataclass(frozen=True)
class AdminOrderFilter:
    """Which orders. `search` is a number, or part of the buyer's e-mail or name. `since` is inclusive, `before` not."""

    search: str = ""
    payment_statuses: tuple[str, ...] = ()
    fulfilments: tuple[str, ...] = ()
    to_ship: bool = False
    open_returns: bool = False
    user_id: UUID | None = None
    since: datetime | None = None
    before: datetime | None = None


@dataclass(frozen=True)
class AdminNote:
    """A note on an order, with its author's name."""

    id: UUID
    author: str
    text: str
    at: datetime


@dataclass(frozen=True)
class RefundSummary:
    """A refund with quantities by order line. `needs_care` when it failed and no admin has handled that."""

    id: UUID
    amount_cents: int
    shipping_cents: int
    reason: str
    status: str
    asked_by: str
    return_id: UUID | None
    at: datetime
    needs_care: bool
    pieces: dict[UUID, int]


@dataclass(frozen=True)
class DisputeSummary:
    """A dispute of an order's payment, in the provider's words."""

    id: str
    amount_cents: int
    reason: str
    status: str
    is_open: bool
    answer_by: datetime | None
    at: datetime


@dataclass(frozen=True)
class OrderTotalsRow:
    """The parts of a total, in cents."""

    subtotal_cents: int
    discount_cents: int
    discount_code: str | None
    shipping_cents: int
    tax_cents: int
    tax_included: bool


@dataclass(frozen=True)
class OrderQueueCounts:
    """How many orders, returns and payments need attention."""

    to_ship: int
    returns: int
    trouble: int


async def page(
    session: AsyncSession, criteria: AdminOrderFilter, sort: Sort, *, limit: int, after: Place | None = None
) -> list[PlacedOrder]:
    """A page of orders; new orders do not shift later pages."""
    key = Order.total_cents if sort in ("highest_total", "lowest_total") else Order.created_at
    falling = sort in ("newest", "highest_total")
    query = select(Order).where(*_conditions(criteria))
    if after is not None:
        here = tuple_(key, Order.id)
        query = query.where(here < after if falling else here > after)
    order_by = (key.desc(), Order.id.desc()) if falling else (key.asc(), Order.id.asc())
    await _plan_anew(session)
    rows = (await session.scalars(query.order_by(*order_by).limit(limit))).all()
    return await with_lines(session, rows)


async def total(session: AsyncSession, criteria: AdminOrderFilter) -> int:
    """How many orders match; with a search at most COUNTED_TO."""
    query = select(Order.id).where(*_conditions(criteria))
    if criteria.search.strip():
        query = query.limit(COUNTED_TO)
    await _plan_anew(session)
    return await session.scalar(select(func.count()).select_from(query.subquery())) or 0


async def notes_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, list[AdminNote]]:
    """Notes, oldest first. Orders without any are missing."""
    of_orders = OrderNote.order_id == any_(literal(list(order_ids), ARRAY(Uuid())))
    notes: dict[UUID, list[AdminNote]] = {}
    for row in await session.scalars(select(OrderNote).where(of_orders).order_by(OrderNote.id)):
        notes.setdefault(row.order_id, []).append(AdminNote(row.id, row.author_name, row.text, row.created_at))
    return notes


async def refunds_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, list[RefundSummary]]:
    """Refunds, oldest first, failed ones included. Orders without any are missing."""
    columns, pieces = order_refunds.c, order_refund_lines.c
    query = (
        select(order_refunds, pieces.order_line_id, pieces.quantity)
        .outerjoin(order_refund_lines, pieces.refund_id == columns.id)
        .where(columns.order_id == any_(literal(list(order_ids), ARRAY(Uuid()))))
        .order_by(columns.created_at, columns.id)
    )
    refunds: dict[UUID, dict[UUID, RefundSummary]] = {}
    for row in await session.execute(query):
        refund = refunds.setdefault(row.order_id, {}).setdefault(row.id, _given_back(row))
        if row.order_line_id is not None:
            refund.pieces[row.order_line_id] = row.quantity
    return {order_id: list(of_order.values()) for order_id, of_order in refunds.items()}


async def disputes_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, list[DisputeSummary]]:
    """Disputes, oldest first. Orders without any are missing."""
    of_orders = order_disputes.c.order_id == any_(literal(list(order_ids), ARRAY(Uuid())))
    query = select(order_disputes).where(of_orders).order_by(order_disputes.c.created_at)
    disputes: dict[UUID, list[DisputeSummary]] = {}
    for row in await session.execute(query):
        dispute = DisputeSummary(
            row.id, row.amount_cents, row.reason, row.status, row.is_open, row.answer_by, row.created_at
        )
        disputes.setdefault(row.order_id, []).append(dispute)
    return disputes


async def payments_by_order(
    session: AsyncSession, order_ids: Sequence[UUID]
) -> dict[UUID, tuple[str | None, str | None]]:
    """The provider's ids of session and payment."""
    query = select(Order.id, Order.stripe_session_id, Order.payment_intent_id)
    rows = await session.execute(query.where(Order.id == any_(literal(list(order_ids), ARRAY(Uuid())))))
    return {row.id: (row.stripe_session_id, row.payment_intent_id) for row in rows}


async def sums_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, OrderTotalsRow]:
    """The parts of the orders' totals; unknown ids are missing."""
    query = select(
        Order.id,
        Order.subtotal_cents,
        Order.discount_cents,
        Order.discount_code,
        Order.shipping_cents,
        Order.tax_cents,
        Order.tax_included,
    ).where(Order.id == any_(literal(list(order_ids), ARRAY(Uuid()))))
    return {row.id: OrderTotalsRow(*row[1:]) for row in await session.execute(query)}


async def buyers_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, tuple[UUID, str, int, int]]:
    """Account id, name, number of paid orders, and cents paid less refunds. Orders without an account are missing."""
    theirs = Order.__table__.alias("theirs")
    net_cents = func.coalesce(func.sum(theirs.c.total_cents - theirs.c.refunded_cents), 0)
    paid = theirs.c.paid_at.is_not(None)
    query = (
        select(
            Order.id,
            User.id.label("user_id"),
            User.name,
            select(func.count()).where(theirs.c.user_id == User.id, paid).scalar_subquery().label("orders"),
            select(net_cents).where(theirs.c.user_id == User.id, paid).scalar_subquery().label("spent"),
        )
        .join(User, User.id == Order.user_id)
        .where(Order.id == any_(literal(list(order_ids), ARRAY(Uuid()))))
    )
    rows = await session.execute(query)
    return {row.id: (row.user_id, row.name, int(row.orders), int(row.spent)) for row in rows}


async def queue(session: AsyncSession) -> OrderQueueCounts:
    """The counts of what needs attention; each reads an index of open rows only."""
    to_ship = select(func.count()).select_from(Order).where(*_conditions(AdminOrderFilter(to_ship=True)))
    returns = select(func.count()).select_from(Return).where(Return.status.in_(OPEN_RETURNS))
    trouble = payment_issues.count(open_only=True)
    query = select(to_ship.scalar_subquery(), returns.scalar_subquery(), trouble.scalar_subquery())
    return OrderQueueCounts(*(await session.execute(query)).one())


def _given_back(row: Any) -> RefundSummary:
    return RefundSummary(
        id=row.id,
        amount_cents=row.amount_cents,
        shipping_cents=row.shipping_cents,
        reason=row.reason,
        status=row.status,
        asked_by=row.asked_by,
        return_id=row.return_id,
        at=row.created_at,
        needs_care=row.needs_care,
        pieces={},
    )


def _conditions(criteria: AdminOrderFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if criteria.user_id is not None:
        conditions.append(Order.user_id == criteria.user_id)
    if criteria.payment_statuses:
        conditions.append(Order.payment_status.in_(criteria.payment_statuses))
    if criteria.fulfilments:
        conditions.append(Order.fulfilment.in_(criteria.fulfilments))
    if criteria.to_ship:
        conditions += [
            Order.fulfilment.in_(HAVE_ITEMS_WAITING),
            Order.payment_status.in_(MAY_BE_SENT),
        ]
    if criteria.open_returns:
        is_open = Return.status.in_(OPEN_RETURNS)
        conditions.append(Order.id.in_(select(Return.order_id).where(is_open)))
    if criteria.since is not None:
        conditions.append(Order.created_at >= criteria.since)
    if criteria.before is not None:
        conditions.append(Order.created_at < criteria.before)
    return conditions + _found_by(criteria.search)


def _found_by(search: str) -> list[ColumnElement[bool]]:
    """An order number matches exactly; other text matches parts of e-mail and name, by trigrams."""
    words = search_terms(search)
    if not words:
        return []
    number = NUMBER.fullmatch(words)
    if number and words[0] in "Mm":
        return [Order.number == int(number[1])]
    typed = func.search_text(literal(like_literal(words)))
    within = ORDER_SEARCH_TEXT.like("%" + typed + "%")
    return [or_(Order.number == int(number[1]), within) if number else within]


async def _plan_anew(session: AsyncSession) -> None:
    """Has PostgreSQL plan this search by its text: a generic plan would be a hundred times slower."""
    await session.execute(select(func.set_config("plan_cache_mode", "force_custom_plan", True)))
