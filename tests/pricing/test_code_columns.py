"""Codes that the version before writes and reads, in columns of percentage, amount and least subtotal."""

from typing import Any

import pytest
from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.pricing.models import DiscountCode
from server.pricing.promotions import AmountOff, MinSubtotal, PercentOff, Promotion

WRITTEN = [
    ({"percent": 15, "amount_cents": None, "min_subtotal_cents": 0}, Promotion(PercentOff(15))),
    ({"percent": None, "amount_cents": 500, "min_subtotal_cents": 0}, Promotion(AmountOff(500))),
    (
        {"percent": 5, "amount_cents": None, "min_subtotal_cents": 9_900},
        Promotion(PercentOff(5), (MinSubtotal(9_900),)),
    ),
]
INSERT = text(
    "INSERT INTO discount_codes (code, percent, amount_cents, min_subtotal_cents)"
    " VALUES ('SPRING', :percent, :amount_cents, :min_subtotal_cents)"
)
UPDATE = text(
    "UPDATE discount_codes SET percent = :percent, amount_cents = :amount_cents,"
    " min_subtotal_cents = :min_subtotal_cents, max_uses = 7"
)
READ = text("SELECT percent, amount_cents, min_subtotal_cents FROM discount_codes")


async def promotion_of(session: AsyncSession) -> Promotion | None:
    code = await session.get(DiscountCode, "SPRING", populate_existing=True)
    assert code is not None
    return code.promotion


@pytest.mark.parametrize(("columns", "promotion"), WRITTEN)
async def test_a_code_that_the_version_before_creates_has_its_promotion(
    session: AsyncSession, columns: dict[str, Any], promotion: Promotion
) -> None:
    await session.execute(INSERT, columns)

    assert await promotion_of(session) == promotion


@pytest.mark.parametrize(("columns", "promotion"), WRITTEN)
async def test_a_code_that_the_version_before_changes_has_the_changed_promotion(
    session: AsyncSession, columns: dict[str, Any], promotion: Promotion
) -> None:
    session.add(DiscountCode(code="SPRING", promotion=Promotion(AmountOff(1), (MinSubtotal(1),))))
    await session.flush()

    await session.execute(UPDATE, columns)

    assert await promotion_of(session) == promotion


@pytest.mark.parametrize(("columns", "promotion"), WRITTEN)
async def test_the_version_before_reads_what_a_code_takes_off(
    session: AsyncSession, columns: dict[str, Any], promotion: Promotion
) -> None:
    session.add(DiscountCode(code="SPRING", promotion=Promotion(AmountOff(1), (MinSubtotal(1),))))
    await session.flush()

    await session.execute(update(DiscountCode).values(promotion=promotion))

    assert dict((await session.execute(READ)).one()._mapping) == columns


async def test_a_rule_of_a_later_version_takes_nothing_off_in_the_version_before(
    session: AsyncSession,
) -> None:
    session.add(DiscountCode(code="SPRING", promotion=Promotion(PercentOff(15), (MinSubtotal(1),))))
    await session.flush()

    await session.execute(
        text("""UPDATE discount_codes SET promotion = '{"action": {"kind": "later"}, "conditions": []}'""")
    )

    assert tuple((await session.execute(READ)).one()) == (None, None, 0)
    assert await promotion_of(session) is None
