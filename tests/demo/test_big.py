from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select

from demo import big, seed
from server.analytics.models import SalesDay, ShopEvent
from server.media.gateway import FileStore
from server.media.service import ImageProcessor
from server.orders.models import Order, OrderLine
from server.platform.core.db import Sessions

pytestmark = pytest.mark.slow

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SEED = 7
MANY = 6_000


async def test_a_big_past_is_counted_whole_and_its_visits_come_a_few_at_a_time(
    sessions: Sessions, tmp_path: Path
) -> None:
    pictures = ImageProcessor(FileStore.open("", tmp_path), max_bytes=15_000_000, max_pixels=50_000_000)
    await seed.fill(sessions, pictures, NOW)
    progress: list[str] = []

    await big.make(sessions, MANY, SEED, NOW, on_progress=progress.append)

    assert progress[:3] == ["6,000 of 6,000 orders", "2,000 of 2,564 visits", "2,564 of 2,564 visits"]
    big_orders = Order.email.like("shopper%@big.minimal.test")
    lines = (
        select(func.sum(OrderLine.quantity * OrderLine.unit_price_cents))
        .where(OrderLine.order_id == Order.id)
        .correlate(Order)
        .scalar_subquery()
    )
    async with sessions() as session:
        assert await session.scalar(select(func.count()).where(big_orders)) == MANY
        assert (
            await session.scalar(
                select(func.count()).where(big_orders, Order.total_cents - Order.shipping_cents != lines)
            )
            == 0
        )
        assert await session.scalar(select(func.count()).where(Order.paid_at > NOW)) == 0
        assert await session.scalar(select(func.count()).where(ShopEvent.visit_number.is_(None))) == 0
        paid = await session.scalar(select(func.count()).where(Order.paid_at.is_not(None)))
        assert await session.scalar(select(func.sum(SalesDay.orders))) == paid
