"""Discount codes: what one takes off, who may use it, and how often.

An open checkout reserves a use and its order keeps it; a released checkout or failed payment frees it. Uses are
therefore counted from checkouts and orders, and never have to be given back. Only one shopper gets the last use,
because a checkout first locks the code's row and counts under the lock. A shopper's own open checkout never counts
against them. A buyer who has paid keeps the discount that was shown, even if the payment came after the checkout was
released and another shopper has taken the last use since.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    SQLColumnExpression,
    Uuid,
    bindparam,
    column,
    func,
    select,
    table,
)
from sqlalchemy.ext.asyncio import AsyncSession

from server.core import clock, money
from server.core.statements import PreparedStatement, Statements
from server.pricing.errors import CodeRefused, CodeUnknown
from server.pricing.models import DiscountCode
from server.pricing.totals import percent_of

# Views of orders, above this domain.
code_uses = table("code_uses", *map(column, ("discount_code", "user_id", "discount_cents", "total_cents")))
_code_reservations = table("code_reservations", column("discount_code"), column("user_id"))

CODE = re.compile("[A-Z0-9][A-Z0-9_-]{1,39}")
UNKNOWN = "This code does not exist."
ENDED = "This code has ended."
NOT_YET = "This code does not count yet."
USED_UP = "This code has been used up."
USED_BY_YOU = "You have used this code already."


@dataclass(frozen=True)
class ApplicableCode:
    """A code as it applies to one shopper. `uses` leaves out the use that their own open checkout reserves."""

    words: str
    percent: int | None
    amount_cents: int | None
    min_subtotal_cents: int
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
        if self.starts_at is not None and now < self.starts_at:
            return NOT_YET
        if self.max_uses_per_customer is not None and self.own_uses >= self.max_uses_per_customer:
            return USED_BY_YOU
        if self.max_uses is not None and self.uses >= self.max_uses:
            return USED_UP
        return None

    def problem(self, subtotal_cents: int, now: datetime) -> str | None:
        """Why it does not apply to a cart with this subtotal now; None when it does."""
        if refusal := self.refusal(now):
            return refusal
        if missing := max(self.min_subtotal_cents - subtotal_cents, 0):
            least = money.dollars(self.min_subtotal_cents)
            return f"This code counts from {least}. {money.dollars(missing)} to go."
        return None

    def discount_cents(self, subtotal_cents: int) -> int:
        """What it takes off such a subtotal, if it applies; at most the subtotal."""
        if self.percent is not None:
            return percent_of(self.percent, subtotal_cents)
        return min(self.amount_cents or 0, subtotal_cents)


def normal(words: str) -> str:
    """The code as it is stored: upper case, trimmed."""
    return words.strip().upper()


async def find(session: Statements, words: str, user_id: UUID) -> ApplicableCode:
    """The code as it applies to this shopper. Raises CodeUnknown."""
    code = normal(words)
    if not CODE.fullmatch(code):
        raise CodeUnknown(words, UNKNOWN)
    found = await _AS_MET.rows(session, shopper=user_id, code=code)
    if not found:
        raise CodeUnknown(words, UNKNOWN)
    return ApplicableCode(*found[0])


async def take(session: AsyncSession, words: str, user_id: UUID) -> None:
    """Locks the use that this checkout is about to reserve until the transaction ends.

    The caller has locked the shopper's cart, which fixes their own uses; the code's row is locked where its total uses
    are limited. Raises CodeRefused.
    """
    limited = select(DiscountCode.code).where(DiscountCode.code == words, DiscountCode.max_uses.is_not(None))
    await session.execute(limited.with_for_update(key_share=True))
    refusal = (await find(session, words, user_id)).refusal(clock.now())
    if refusal:
        raise CodeRefused(words, refusal)


def uses_of(code: SQLColumnExpression[str], user_id: UUID | BindParameter[UUID] | None = None) -> ColumnElement[int]:
    """SQL for the number of orders with a code, of all shoppers or one; orders whose payment failed do not count."""
    placed = select(func.count()).select_from(code_uses).where(code_uses.c.discount_code == code)
    if user_id is not None:
        placed = placed.where(code_uses.c.user_id == user_id)
    return placed.scalar_subquery()


def held_of(
    code: SQLColumnExpression[str], *, except_for: UUID | BindParameter[UUID] | None = None
) -> ColumnElement[int]:
    """SQL for the number of open checkouts that reserve a use of a code, except one shopper's."""
    reserved = _code_reservations.c
    held = select(func.count()).select_from(_code_reservations).where(reserved.discount_code == code)
    if except_for is not None:
        held = held.where(reserved.user_id != except_for)
    return held.scalar_subquery()


def _as_met() -> Select[*tuple[Any, ...]]:
    code, shopper = DiscountCode.code, bindparam("shopper", type_=Uuid)
    return select(
        code,
        DiscountCode.percent,
        DiscountCode.amount_cents,
        DiscountCode.min_subtotal_cents,
        DiscountCode.starts_at,
        DiscountCode.ends_at,
        DiscountCode.max_uses,
        DiscountCode.max_uses_per_customer,
        DiscountCode.is_active,
        (uses_of(code) + held_of(code, except_for=shopper)).label("uses"),
        uses_of(code, shopper).label("own_uses"),
    ).where(code == bindparam("code"))


_AS_MET = PreparedStatement(_as_met())
