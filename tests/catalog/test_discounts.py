"""Discounts with a beginning and an end, in lists and at checkout."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server import wiring
from server.cart import service as cart
from server.catalog import discounts, lists, queries
from server.catalog.models import Product
from server.config import Settings
from server.identity.models import User
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment
from server.platform.core.resources import Resources
from tests.catalog.goods import put_on_offer
from tests.catalog.indexes import loaded
from tests.catalog.storefront import Storefront, ask, working
from tests.everything import ROOT
from tests.sql_texts import newest_texts

HOUR = timedelta(hours=1)


async def discounted(session: AsyncSession, starts: timedelta | None, ends: timedelta | None) -> UUID:
    """On offer at 100.00, for 75.00 between moments told from now."""
    product_id = await put_on_offer(session, price=10_000, discounted=7_500)
    now = datetime.now(UTC)
    window = {
        "discount_starts_at": None if starts is None else now + starts,
        "discount_ends_at": None if ends is None else now + ends,
    }
    await session.execute(update(Product).where(Product.id == product_id).values(**window))
    await session.commit()
    return product_id


async def charged(session: AsyncSession, product_id: UUID) -> tuple[int, int | None]:
    row = (await queries.products_by_id(session, [product_id]))[product_id]
    return row.charged_cents, row.discounted_price_cents


@pytest.mark.parametrize(
    ("starts", "ends", "expected"),
    [
        (None, None, (7_500, 7_500)),
        (-HOUR, HOUR, (7_500, 7_500)),
        (None, HOUR, (7_500, 7_500)),
        (-HOUR, None, (7_500, 7_500)),
        (HOUR, None, (10_000, None)),
        (HOUR, 2 * HOUR, (10_000, None)),
        (-2 * HOUR, -HOUR, (10_000, None)),
    ],
)
async def test_a_discount_counts_from_its_beginning_until_its_end(
    session: AsyncSession, starts: timedelta | None, ends: timedelta | None, expected: tuple[int, int | None]
) -> None:
    product_id = await discounted(session, starts, ends)

    assert await charged(session, product_id) == expected
    is_listed = (await loaded(session)).total(lists.ProductCriteria(on_sale=True)) == 1
    assert is_listed == (expected[1] is not None)


def test_only_one_function_compares_a_discount_with_the_clock() -> None:
    code = {str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "server").rglob("*.py")}
    compared = re.compile(
        r"discount_(starts|ends)_at\s*[<>]=?\s*\w*\.?now\(|now\(\)\s*[<>]=?\s*\S*discount_(starts|ends)_at"
    )

    places = {name for name, text in (newest_texts() | code).items() if compared.search(text)}

    # Beside `discount_applies`, whose arguments have other names, the trigger that looks for the next change.
    assert places == {"catalog/keep_discount_window"}


async def pass_by(session: AsyncSession, product_id: UUID, column: str) -> None:
    """As if the moment had come since it was written down."""
    await session.execute(text("ALTER TABLE products DISABLE TRIGGER keep_discount_window"))
    past = datetime.now(UTC) - timedelta(seconds=1)
    moments = {column: past, "discount_turns_at": past}
    await session.execute(update(Product).where(Product.id == product_id).values(**moments))
    await session.execute(text("ALTER TABLE products ENABLE TRIGGER keep_discount_window"))
    await session.commit()


async def test_lists_turn_when_the_moment_comes_and_turn_back_at_the_end(
    session: AsyncSession, sessions: Sessions
) -> None:
    env = JobEnvironment(sessions, Resources(Settings(_env_file=None)))  # type: ignore[call-arg]
    product_id = await discounted(session, HOUR, 2 * HOUR)

    await pass_by(session, product_id, "discount_starts_at")
    assert await charged(session, product_id) == (10_000, None)
    await discounts.turn(env)
    assert await charged(session, product_id) == (7_500, 7_500)
    await pass_by(session, product_id, "discount_ends_at")
    await discounts.turn(env)

    assert await charged(session, product_id) == (10_000, None)
    assert await session.scalar(select(Product.discount_turns_at)) is None


async def test_the_till_goes_by_the_clock_before_any_list_has_turned(session: AsyncSession, sessions: Sessions) -> None:
    product_id = await discounted(session, HOUR, 2 * HOUR)
    async with begin(sessions) as other:
        shopper = User(email="ada@shop.test", name="Ada Lovelace")
        other.add(shopper)
        await other.flush()
        await cart.add_line(other, shopper.id, await cart.variant_for(other, product_id, "S", None))

    before = (await cart.get(session, shopper.id)).subtotal_cents
    await session.rollback()
    await pass_by(session, product_id, "discount_starts_at")
    during = (await cart.get(session, shopper.id)).subtotal_cents
    await session.rollback()
    await pass_by(session, product_id, "discount_ends_at")
    after = (await cart.get(session, shopper.id)).subtotal_cents

    assert (before, during, after) == (10_000, 7_500, 10_000)


async def test_shoppers_see_a_discount_begin_and_end_by_itself_within_two_seconds(
    storefront: Storefront, session: AsyncSession
) -> None:
    await discounted(session, timedelta(seconds=3), timedelta(seconds=6))

    async def seen() -> str | None:
        answer = await ask(storefront.visitor, "{ products { nodes { discountedPrice } } }")
        price: str | None = answer["products"]["nodes"][0]["discountedPrice"]
        return price

    async def until(expected: str | None) -> None:
        async with asyncio.timeout(30):
            while await seen() != expected:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    assert [seconds for seconds, work in wiring.PERIODIC if work is discounts.turn] == [1.0]
    async with working(storefront):
        assert await seen() is None
        await until("75.00")
        await until(None)
