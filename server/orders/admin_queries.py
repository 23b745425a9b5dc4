"""Reads of the back office: the searchable list of orders, and everything about one order.

Refunds, disputes and payments belong to a domain above this one, so their tables are named here and not imported.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    DateTime,
    Integer,
    Select,
    Text,
    Uuid,
    any_,
    case,
    column,
    func,
    literal,
    or_,
    select,
    table,
    tuple_,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncSession

from server.core.text import like_literal, search_terms
from server.identity.models import User
from server.orders.models import ORDER_SEARCH_TEXT, Checkout, Order, OrderNote, Return
from server.orders.queries import PlacedOrder, with_lines

COUNTED_TO = 10_000
"""Counting the results of a search stops here; otherwise it would read every order."""
NUMBER = re.compile(r"(?:M-)?(\d{1,18})", re.IGNORECASE)

Sort = Literal["newest", "oldest", "highest_total", "lowest_total"]
Place = tuple[datetime | int, UUID]
"""Sort key and id of the last order of a page."""

_refunds = table(
    "refunds",
    column("id", Uuid),
    column("order_id", Uuid),
    column("checkout_id", Uuid),
    column("payment_intent_id", Text),
    column("amount_cents", BigInteger),
    column("shipping_cents", BigInteger),
    column("reason", Text),
    column("status", Text),
    column("asked_by", Text),
    column("return_id", Uuid),
    column("replaces_id", Uuid),
    column("closed_at", DateTime(timezone=True)),
    column("created_at", DateTime(timezone=True)),
)
_refund_lines = table(
    "refund_lines", column("refund_id", Uuid), column("order_line_id", Uuid), column("quantity", Integer)
)
_disputes = table(
    "disputes",
    column("id", Text),
    column("order_id", Uuid),
    column("payment_intent_id", Text),
    column("amount_cents", BigInteger),
    column("reason", Text),
    column("status", Text),
    column("answer_by", DateTime(timezone=True)),
    column("created_at", DateTime(timezone=True)),
)
CLOSED_DISPUTE_STATUSES = ("won", "lost", "warning_closed", "prevented")
"""Dispute statuses that need no action by the shop."""


@dataclass(frozen=True)
class AdminOrderFilter:
    """Which orders. `search` is a number, or part of the buyer's e-mail or name; days are UTC and inclusive."""

    search: str = ""
    payment_statuses: tuple[str, ...] = ()
    fulfilments: tuple[str, ...] = ()
    to_ship: bool = False
    open_returns: bool = False
    user_id: UUID | None = None
    first_day: date | None = None
    last_day: date | None = None


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
class PaymentIssueRow:
    """A payment that needs a person's attention. `kind` is unfulfillable, refund_failed or disputed."""

    kind: str
    id: str
    at: datetime
    amount_cents: int
    email: str
    order_id: UUID | None
    number: int | None
    status: str
    reason: str
    payment_intent_id: str | None


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
    session: AsyncSession, wanted: AdminOrderFilter, sort: Sort, *, limit: int, after: Place | None = None
) -> list[PlacedOrder]:
    """A page of orders; new orders do not shift later pages."""
    key = Order.total_cents if sort in ("highest_total", "lowest_total") else Order.created_at
    falling = sort in ("newest", "highest_total")
    found = select(Order).where(*_conditions(wanted))
    if after is not None:
        here = tuple_(key, Order.id)
        found = found.where(here < after if falling else here > after)
    order_by = (key.desc(), Order.id.desc()) if falling else (key.asc(), Order.id.asc())
    await _plan_anew(session)
    rows = (await session.scalars(found.order_by(*order_by).limit(limit))).all()
    return await with_lines(session, rows)


async def total(session: AsyncSession, wanted: AdminOrderFilter) -> int:
    """How many orders match; with a search at most COUNTED_TO."""
    found = select(Order.id).where(*_conditions(wanted))
    if wanted.search.strip():
        found = found.limit(COUNTED_TO)
    await _plan_anew(session)
    return await session.scalar(select(func.count()).select_from(found.subquery())) or 0


async def notes_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, list[AdminNote]]:
    """Notes, oldest first. Orders without any are missing."""
    of_orders = OrderNote.order_id == any_(literal(list(order_ids), ARRAY(Uuid())))
    notes: dict[UUID, list[AdminNote]] = {}
    for row in await session.scalars(select(OrderNote).where(of_orders).order_by(OrderNote.id)):
        notes.setdefault(row.order_id, []).append(AdminNote(row.id, row.author_name, row.text, row.created_at))
    return notes


async def refunds_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, list[RefundSummary]]:
    """Refunds, oldest first, failed ones included. Orders without any are missing."""
    later = _refunds.alias("later")
    replaced = select(later.c.id).where(later.c.replaces_id == _refunds.c.id).exists()
    needs_care = (_refunds.c.status == "failed") & _refunds.c.closed_at.is_(None) & ~replaced
    found = (
        select(_refunds, needs_care.label("needs_care"), _refund_lines.c.order_line_id, _refund_lines.c.quantity)
        .outerjoin(_refund_lines, _refund_lines.c.refund_id == _refunds.c.id)
        .where(_refunds.c.order_id == any_(literal(list(order_ids), ARRAY(Uuid()))))
        .order_by(_refunds.c.created_at, _refunds.c.id)
    )
    refunds: dict[UUID, dict[UUID, RefundSummary]] = {}
    for row in await session.execute(found):
        made = refunds.setdefault(row.order_id, {}).setdefault(row.id, _given_back(row))
        if row.order_line_id is not None:
            made.pieces[row.order_line_id] = row.quantity
    return {order_id: list(made.values()) for order_id, made in refunds.items()}


async def disputes_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, list[DisputeSummary]]:
    """Disputes, oldest first. Orders without any are missing."""
    wanted = _disputes.c.order_id == any_(literal(list(order_ids), ARRAY(Uuid())))
    disputes: dict[UUID, list[DisputeSummary]] = {}
    for row in await session.execute(select(_disputes).where(wanted).order_by(_disputes.c.created_at)):
        is_open = row.status not in CLOSED_DISPUTE_STATUSES
        made = DisputeSummary(row.id, row.amount_cents, row.reason, row.status, is_open, row.answer_by, row.created_at)
        disputes.setdefault(row.order_id, []).append(made)
    return disputes


async def payments_by_order(
    session: AsyncSession, order_ids: Sequence[UUID]
) -> dict[UUID, tuple[str | None, str | None]]:
    """The provider's ids of session and payment."""
    found = select(Order.id, Order.stripe_session_id, Order.payment_intent_id)
    rows = await session.execute(found.where(Order.id == any_(literal(list(order_ids), ARRAY(Uuid())))))
    return {row.id: (row.stripe_session_id, row.payment_intent_id) for row in rows}


async def sums_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, OrderTotalsRow]:
    """The parts of the orders' totals; unknown ids are missing."""
    found = select(
        Order.id,
        Order.subtotal_cents,
        Order.discount_cents,
        Order.discount_code,
        Order.shipping_cents,
        Order.tax_cents,
        Order.tax_included,
    ).where(Order.id == any_(literal(list(order_ids), ARRAY(Uuid()))))
    return {row.id: OrderTotalsRow(*row[1:]) for row in await session.execute(found)}


async def buyers_by_order(session: AsyncSession, order_ids: Sequence[UUID]) -> dict[UUID, tuple[UUID, str, int, int]]:
    """Account id, name, number of paid orders, and cents paid less refunds. Orders without an account are missing."""
    theirs = Order.__table__.alias("theirs")
    kept = func.coalesce(func.sum(theirs.c.total_cents - theirs.c.refunded_cents), 0)
    paid = theirs.c.paid_at.is_not(None)
    found = (
        select(
            Order.id,
            User.id.label("user_id"),
            User.name,
            select(func.count()).where(theirs.c.user_id == User.id, paid).scalar_subquery().label("orders"),
            select(kept).where(theirs.c.user_id == User.id, paid).scalar_subquery().label("spent"),
        )
        .join(User, User.id == Order.user_id)
        .where(Order.id == any_(literal(list(order_ids), ARRAY(Uuid()))))
    )
    rows = await session.execute(found)
    return {row.id: (row.user_id, row.name, int(row.orders), int(row.spent)) for row in rows}


async def queue(session: AsyncSession) -> OrderQueueCounts:
    """The counts of what needs attention; each reads an index of open rows only."""
    to_ship = select(func.count()).select_from(Order).where(*_conditions(AdminOrderFilter(to_ship=True)))
    returns = select(func.count()).select_from(Return).where(Return.status.in_(("requested", "accepted", "received")))
    trouble = select(func.count()).select_from(_troubles(open_only=True).subquery())
    found = select(to_ship.scalar_subquery(), returns.scalar_subquery(), trouble.scalar_subquery())
    return OrderQueueCounts(*(await session.execute(found)).one())


async def troubles(
    session: AsyncSession, *, open_only: bool, limit: int, after: tuple[datetime, str] | None = None
) -> list[PaymentIssueRow]:
    """A page of payment issues, newest first."""
    every = _troubles(open_only=open_only).subquery()
    found = select(every).order_by(every.c.at.desc(), every.c.id.desc()).limit(limit)
    if after is not None:
        found = found.where(tuple_(every.c.at, every.c.id) < after)
    return [PaymentIssueRow(*row) for row in await session.execute(found)]


async def number_of_troubles(session: AsyncSession, *, open_only: bool) -> int:
    """How many payment issues there are."""
    every = _troubles(open_only=open_only).subquery()
    return await session.scalar(select(func.count()).select_from(every)) or 0


def _troubles(*, open_only: bool) -> Any:
    """The three kinds of issues in one list, with the columns of PaymentIssueRow."""
    return union_all(
        _failed_refunds(open_only=open_only), _unfulfillable(open_only=open_only), _disputed(open_only=open_only)
    )


def _failed_refunds(*, open_only: bool) -> Select[Any]:
    later = _refunds.alias("later")
    replaced = select(later.c.id).where(later.c.replaces_id == _refunds.c.id).exists()
    found = (
        select(
            literal("refund_failed").label("kind"),
            func.cast(_refunds.c.id, Text).label("id"),
            _refunds.c.created_at.label("at"),
            _refunds.c.amount_cents,
            func.coalesce(Order.email, Checkout.email, "").label("email"),
            Order.id.label("order_id"),
            Order.number,
            case((_refunds.c.closed_at.is_not(None) | replaced, "closed"), else_="failed").label("status"),
            _refunds.c.reason,
            _refunds.c.payment_intent_id,
        )
        .outerjoin(Order, Order.id == _refunds.c.order_id)
        .outerjoin(Checkout, Checkout.id == _refunds.c.checkout_id)
        .where(_refunds.c.status == "failed")
    )
    return found.where(_refunds.c.closed_at.is_(None), ~replaced) if open_only else found


def _unfulfillable(*, open_only: bool) -> Select[Any]:
    """Payments that could not become an order."""
    status = func.coalesce(_refunds.c.status, "pending")
    found = (
        select(
            literal("unfulfillable"),
            func.cast(Checkout.id, Text),
            func.coalesce(_refunds.c.created_at, Checkout.created_at),
            Checkout.total_cents,
            Checkout.email,
            literal(None, Uuid()),
            literal(None, BigInteger()),
            status,
            func.coalesce(_refunds.c.reason, ""),
            _refunds.c.payment_intent_id,
        )
        .outerjoin(
            _refunds,
            (_refunds.c.checkout_id == Checkout.id) & _refunds.c.order_id.is_(None) & _refunds.c.replaces_id.is_(None),
        )
        .where(Checkout.status == "refunding")
    )
    return found.where(status == "pending") if open_only else found


def _disputed(*, open_only: bool) -> Select[Any]:
    found = select(
        literal("disputed"),
        _disputes.c.id,
        _disputes.c.created_at,
        _disputes.c.amount_cents,
        func.coalesce(Order.email, ""),
        _disputes.c.order_id,
        Order.number,
        _disputes.c.status,
        _disputes.c.reason,
        _disputes.c.payment_intent_id,
    ).outerjoin(Order, Order.id == _disputes.c.order_id)
    return found.where(_disputes.c.status.not_in(CLOSED_DISPUTE_STATUSES)) if open_only else found


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


def _conditions(wanted: AdminOrderFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.user_id is not None:
        conditions.append(Order.user_id == wanted.user_id)
    if wanted.payment_statuses:
        conditions.append(Order.payment_status.in_(wanted.payment_statuses))
    if wanted.fulfilments:
        conditions.append(Order.fulfilment.in_(wanted.fulfilments))
    if wanted.to_ship:
        conditions += [
            Order.fulfilment.in_(("unfulfilled", "partly_shipped")),
            Order.payment_status.in_(("paid", "partially_refunded")),
        ]
    if wanted.open_returns:
        is_open = Return.status.in_(("requested", "accepted", "received"))
        conditions.append(Order.id.in_(select(Return.order_id).where(is_open)))
    if wanted.first_day is not None:
        conditions.append(Order.created_at >= datetime.combine(wanted.first_day, time.min, UTC))
    if wanted.last_day is not None:
        conditions.append(Order.created_at < datetime.combine(wanted.last_day, time.min, UTC) + timedelta(days=1))
    return conditions + _found_by(wanted.search)


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
