"""Discount codes: promotions that a code triggers, who may use it, and how often.

An open checkout reserves a use and its order keeps it. A released checkout frees it, and so does an order whose
payment failed, or that was canceled or refunded in full before any of it was sent. Uses are therefore derived from
checkouts and orders, and no code path has to give one back. For a code whose total uses are limited, triggers keep
their number in `discount_codes.counted_uses`. Only one shopper gets the last use, because a checkout first locks the
code's row. A shopper's own open checkout never counts against them. A buyer who has paid keeps the discount that was
shown, even if the payment came after the checkout was released and another shopper has taken the last use since.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import (
    ARRAY,
    BindParameter,
    ColumnElement,
    Select,
    SQLColumnExpression,
    Text,
    Uuid,
    bindparam,
    case,
    cast,
    column,
    func,
    select,
    table,
    text,
)
from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core import clock
from server.platform.core.statements import PreparedStatement, Statements
from server.pricing.errors import CodeRefused, CodeUnknown
from server.pricing.models import DiscountCode
from server.pricing.promotions import Promotion, PromotionLine, from_json
from server.pricing.totals import Allocation

# Views of orders, above this domain.
code_uses = table("code_uses", *map(column, ("discount_code", "user_id", "discount_cents")))
_code_reservations = table("code_reservations", column("discount_code"), column("user_id"))

CODE = re.compile("[A-Z0-9][A-Z0-9_-]{1,39}")
UNKNOWN = "This code does not exist."
ENDED = "This code has ended."
NOT_YET = "This code does not count yet."
USED_UP = "This code has been used up."
USED_BY_YOU = "You have used this code already."


@dataclass(frozen=True)
class ApplicableCode:
    """A code as it applies to one shopper.

    `promotion` is None where only a later version of the shop has its rules; then it does not apply yet. `uses` and
    `own_uses` are counted only where they are limited, and 0 otherwise. `uses` leaves out the use that the shopper's
    own open checkout reserves.
    """

    code: str
    promotion: Promotion | None
    starts_at: datetime | None
    ends_at: datetime | None
    max_uses: int | None
    max_uses_per_customer: int | None
    is_active: bool
    uses: int
    own_uses: int

    def refusal(self, now: datetime) -> str | None:
        """Why this shopper cannot use it with any cart; None when they can."""
        if not self.is_active:
            return ENDED
        if self.ends_at is not None and now >= self.ends_at:
            return ENDED
        if self.promotion is None or (self.starts_at is not None and now < self.starts_at):
            return NOT_YET
        if self.max_uses_per_customer is not None and self.own_uses >= self.max_uses_per_customer:
            return USED_BY_YOU
        if self.max_uses is not None and self.uses >= self.max_uses:
            return USED_UP
        return None

    def problem(self, lines: Sequence[PromotionLine], now: datetime) -> str | None:
        """Why it does not apply now to a cart with these lines that can be bought; None when it does."""
        return self.refusal(now) or (self.promotion.problem(lines) if self.promotion else NOT_YET)

    def allocate(self, lines: Sequence[PromotionLine]) -> Allocation:
        """What it takes off each line, if it applies."""
        if self.promotion is None:
            return Allocation(self.code, (0,) * len(lines))
        return self.promotion.allocate(lines, self.code)


def normal(code: str) -> str:
    """The code as it is stored: upper case, trimmed."""
    return code.strip().upper()


async def find(session: Statements, code: str, user_id: UUID) -> ApplicableCode:
    """The code as it applies to this shopper. Raises CodeUnknown."""
    normalized = normal(code)
    if not CODE.fullmatch(normalized):
        raise CodeUnknown(code, UNKNOWN)
    rows = await _APPLICABLE_CODE.rows(session, shopper=user_id, code=normalized)
    if not rows:
        raise CodeUnknown(code, UNKNOWN)
    [(stored, *facts)] = rows
    return ApplicableCode(normalized, from_json(orjson.loads(stored)), *facts)


async def lock(session: AsyncSession, *codes: str | None) -> None:
    """Locks the counted uses of codes until the transaction ends, by `lock_code_uses`.

    A transaction that changes uses after it has locked variants calls it before them, and one that changes uses of two
    codes calls it with both, so that no two wait for each other. None is ignored.
    """
    locked = [code for code in codes if code is not None]
    if locked:
        await session.execute(_LOCK, {"codes": locked})


async def take(session: AsyncSession, code: str, user_id: UUID, *, released: str | None = None) -> None:
    """Locks the use that this checkout is about to reserve until the transaction ends.

    The caller has locked the shopper's cart, which fixes their own uses. `released` is the code whose use the checkout
    that is replaced gives back. Raises CodeRefused.
    """
    await lock(session, code, released)
    refusal = (await find(session, code, user_id)).refusal(clock.now())
    if refusal:
        raise CodeRefused(code, refusal)


def order_uses(code: SQLColumnExpression[str], user_id: UUID | BindParameter[UUID] | None = None) -> ColumnElement[int]:
    """SQL for the number of orders that use a code, of all shoppers or one."""
    placed = select(func.count()).select_from(code_uses).where(code_uses.c.discount_code == code)
    if user_id is not None:
        placed = placed.where(code_uses.c.user_id == user_id)
    return placed.scalar_subquery()


def reserved_uses(
    code: SQLColumnExpression[str], user_id: UUID | BindParameter[UUID] | None = None
) -> ColumnElement[int]:
    """SQL for the number of open checkouts that reserve a use of a code, of all shoppers or one."""
    reserved = select(func.count()).select_from(_code_reservations).where(_code_reservations.c.discount_code == code)
    if user_id is not None:
        reserved = reserved.where(_code_reservations.c.user_id == user_id)
    return reserved.scalar_subquery()


def _applicable_code_query() -> Select[*tuple[Any, ...]]:
    code, shopper = DiscountCode.code, bindparam("shopper", type_=Uuid)
    return select(
        cast(DiscountCode.promotion, Text),
        DiscountCode.starts_at,
        DiscountCode.ends_at,
        DiscountCode.max_uses,
        DiscountCode.max_uses_per_customer,
        DiscountCode.is_active,
        case((DiscountCode.max_uses.is_not(None), DiscountCode.counted_uses - reserved_uses(code, shopper)), else_=0),
        case((DiscountCode.max_uses_per_customer.is_not(None), order_uses(code, shopper)), else_=0),
    ).where(code == bindparam("code"))


_LOCK = text("SELECT lock_code_uses(:codes)").bindparams(bindparam("codes", type_=ARRAY(Text)))
_APPLICABLE_CODE = PreparedStatement(_applicable_code_query())
