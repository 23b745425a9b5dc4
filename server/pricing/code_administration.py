"""Administration of discount codes: creating, changing and ending them, and their results."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from sqlalchemy import ColumnElement, Select, func, not_, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.platform.core import clock
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.rules import NumberRule
from server.platform.core.text import is_storable, search_terms
from server.platform.core.viewer import Viewer
from server.pricing.codes import CODE, code_uses, normal, order_uses, reserved_uses
from server.pricing.models import DiscountCode
from server.pricing.promotions import Action, Condition, Promotion, parameter_values

USES = NumberRule(1, 10_000_000, "1 or more", is_optional=True)


class DiscountCodeStatus(Enum):
    """Whether a code applies now, not yet, or no longer."""

    RUNNING = "running"
    PLANNED = "planned"
    ENDED = "ended"


@dataclass(frozen=True)
class DiscountCodeDraft:
    """Everything about a code but its text. Exactly one action is accepted."""

    actions: tuple[Action, ...]
    conditions: tuple[Condition, ...]
    starts_at: datetime | None
    ends_at: datetime | None
    max_uses: int | None
    max_uses_per_customer: int | None
    is_active: bool

    @property
    def columns(self) -> dict[str, Any]:
        """The values of a code's columns."""
        own = {name: getattr(self, name) for name in OWN_COLUMNS}
        return own | {"promotion": Promotion(self.actions[0], self.conditions)}


OWN_COLUMNS = ("starts_at", "ends_at", "max_uses", "max_uses_per_customer", "is_active")
"""Of a draft, what a code has beside its promotion."""


@dataclass(frozen=True)
class DiscountCodeSummary:
    """A code with its results: uses by orders, uses reserved by open checkouts, and discounts in cents."""

    code: DiscountCode
    uses: int
    held: int
    discounts_cents: int

    @property
    def state(self) -> DiscountCodeStatus:
        """Whether the code applies at this moment."""
        now = clock.now()
        if not self.code.is_active or (self.code.ends_at is not None and self.code.ends_at <= now):
            return DiscountCodeStatus.ENDED
        return (
            DiscountCodeStatus.PLANNED
            if self.code.starts_at is not None and self.code.starts_at > now
            else DiscountCodeStatus.RUNNING
        )


@dataclass(frozen=True)
class DiscountCodeFilter:
    """Which codes: those that contain `search`, in one state."""

    search: str = ""
    state: DiscountCodeStatus | None = None


Place = tuple[datetime, str]


async def page(
    session: AsyncSession, criteria: DiscountCodeFilter, limit: int, after: Place | None = None
) -> list[DiscountCodeSummary]:
    """A page of codes, newest first."""
    query = _summaries_query().where(*_conditions(criteria))
    query = query.order_by(DiscountCode.created_at.desc(), DiscountCode.code.desc())
    if after is not None:
        query = query.where(tuple_(DiscountCode.created_at, DiscountCode.code) < after)
    return [_of(row) for row in await session.execute(query.limit(limit))]


async def total(session: AsyncSession, criteria: DiscountCodeFilter) -> int:
    """How many codes match."""
    query = select(func.count()).select_from(DiscountCode).where(*_conditions(criteria))
    return await session.scalar(query) or 0


async def get(session: AsyncSession, code: str) -> DiscountCodeSummary:
    """One code with its results. Raises NotFound."""
    row = (await session.execute(_summaries_query().where(DiscountCode.code == normal(code)))).one_or_none()
    if row is None:
        raise NotFound("This code")
    return _of(row)


async def create(
    session: AsyncSession, actor: Viewer | None, code: str, draft: DiscountCodeDraft
) -> DiscountCodeSummary:
    """Creates a code. Raises InvalidInput, also for a code that exists."""
    code = normal(code)
    problems = {} if CODE.fullmatch(code) else {"code": "2 to 40 letters, digits, - and _"}
    problems |= _problems(draft)
    existing = select(DiscountCode.code).where(DiscountCode.code == code)
    if not problems and await session.scalar(existing) is not None:
        problems["code"] = "This code exists already"
    if problems:
        raise InvalidInput(problems)
    session.add(DiscountCode(code=code, **draft.columns))
    await session.flush()
    await audit.record(session, actor, "code created", _subject(code), after=_audit_values(draft))
    return await get(session, code)


async def change(
    session: AsyncSession, actor: Viewer | None, code: str, draft: DiscountCodeDraft
) -> DiscountCodeSummary:
    """Changes a code; open checkouts and orders keep their discount. Raises NotFound or InvalidInput."""
    row = await _locked(session, code)
    if problems := _problems(draft):
        raise InvalidInput(problems)
    before = _draft_of(row)
    for name, value in draft.columns.items():
        setattr(row, name, value)
    await session.flush()
    if draft != before:
        values = {"before": _audit_values(before), "after": _audit_values(draft)}
        await audit.record(session, actor, "code changed", _subject(row.code), **values)
    return await get(session, row.code)


async def end(session: AsyncSession, actor: Viewer | None, code: str) -> DiscountCodeSummary:
    """Ends a code now; idempotent. Raises NotFound."""
    row = await _locked(session, code)
    if row.is_active:
        row.is_active = False
        await session.flush()
        values = {"before": {"is_active": True}, "after": {"is_active": False}}
        await audit.record(session, actor, "code ended", _subject(row.code), **values)
    return await get(session, row.code)


async def _locked(session: AsyncSession, code: str) -> DiscountCode:
    query = select(DiscountCode).where(DiscountCode.code == normal(code)).with_for_update(key_share=True)
    row = await session.scalar(query) if is_storable(code) else None
    if row is None:
        raise NotFound("This code")
    return row


def _problems(draft: DiscountCodeDraft) -> dict[str, str]:
    problems = {} if len(draft.actions) == 1 else {"percent": "Either a percentage or an amount"}
    for rule in (*draft.actions, *draft.conditions):
        problems |= rule.problems()
    if draft.starts_at and draft.ends_at and draft.starts_at >= draft.ends_at:
        problems["endsAt"] = "After the start"
    for name, most in (("maxUses", draft.max_uses), ("maxUsesPerCustomer", draft.max_uses_per_customer)):
        if problem := USES.problem(most):
            problems[name] = problem
    return problems


def _draft_of(code: DiscountCode) -> DiscountCodeDraft:
    own = {name: getattr(code, name) for name in OWN_COLUMNS}
    actions, conditions = ((code.promotion.action,), code.promotion.conditions) if code.promotion else ((), ())
    return DiscountCodeDraft(actions, conditions, **own)


def _audit_values(draft: DiscountCodeDraft) -> dict[str, Any]:
    """What the audit log keeps: parameters of all rules, None of those that the code lacks; times as text."""
    own = {name: getattr(draft, name) for name in OWN_COLUMNS}
    return parameter_values((*draft.actions, *draft.conditions)) | {
        name: value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value for name, value in own.items()
    }


def _subject(code: str) -> audit.AuditSubject:
    return audit.AuditSubject("discount code", code, code)


def _summaries_query() -> Select[Any]:
    of_code = code_uses.c.discount_code == DiscountCode.code
    discounts = select(func.coalesce(func.sum(code_uses.c.discount_cents), 0)).where(of_code)
    return select(
        DiscountCode,
        order_uses(DiscountCode.code),
        reserved_uses(DiscountCode.code),
        discounts.correlate(DiscountCode).scalar_subquery(),
    ).execution_options(populate_existing=True)


def _of(row: Sequence[Any]) -> DiscountCodeSummary:
    code, uses, held, discounts = row
    return DiscountCodeSummary(code, uses, held, int(discounts))


def _conditions(criteria: DiscountCodeFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if search := normal(search_terms(criteria.search)):
        conditions.append(DiscountCode.code.contains(search, autoescape=True))
    ended = or_(not_(DiscountCode.is_active), func.coalesce(DiscountCode.ends_at <= func.now(), False))
    planned = func.coalesce(DiscountCode.starts_at > func.now(), False)
    match criteria.state:
        case DiscountCodeStatus.ENDED:
            conditions.append(ended)
        case DiscountCodeStatus.PLANNED:
            conditions += [not_(ended), planned]
        case DiscountCodeStatus.RUNNING:
            conditions += [not_(ended), not_(planned)]
        case None:
            pass
    return conditions
