"""Payments that need a person's attention: refunds that failed, payments without an order, disputes."""

from dataclasses import dataclass, fields
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Select, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders.views import payment_issues


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


async def troubles(
    session: AsyncSession, *, open_only: bool, limit: int, after: tuple[datetime, str] | None = None
) -> list[PaymentIssueRow]:
    """A page of payment issues, newest first."""
    issue = payment_issues.c
    columns = [issue[field.name] for field in fields(PaymentIssueRow)]
    query = select(*columns).where(*_open(open_only)).order_by(issue.at.desc(), issue.id.desc()).limit(limit)
    if after is not None:
        query = query.where(tuple_(issue.at, issue.id) < after)
    return [PaymentIssueRow(*row) for row in await session.execute(query)]


async def number_of_troubles(session: AsyncSession, *, open_only: bool) -> int:
    """How many payment issues there are."""
    return await session.scalar(count(open_only=open_only)) or 0


def count(*, open_only: bool) -> Select[int]:
    """SQL for the number of payment issues."""
    return select(func.count()).select_from(payment_issues).where(*_open(open_only))


def _open(only: bool) -> list[ColumnElement[bool]]:
    return [payment_issues.c.is_open] if only else []
