import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from hashlib import md5
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import URL, func, select, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from demo import catalogue, history, seed
from server.analytics.behaviour import funnel
from server.analytics.models import ShopEvent, VisitEvent
from server.analytics.reports.ranges import Span
from server.audit.models import AuditEntry
from server.catalog.models import Product, ProductImage, StockMovement, Variant
from server.identity import service as identity
from server.identity.models import Address, User
from server.identity.passwords import PasswordHashing
from server.media.gateway import FileStore
from server.media.models import Image
from server.media.service import ImageProcessor
from server.orders.models import Order, OrderLine, order_numbers
from server.payments.models import Refund
from server.platform.core.db import Sessions, create_engine, sessionmaker
from server.platform.core.models import ShopFact
from tests.conftest import copied_database, url_of

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TIMELESS = (
    "product_colors",
    "variants",
    "order_lines",
    "orders",
    "refunds",
    "addresses",
    "stock_movements",
    "shop_events",
)


def pictures_in(folder: Path) -> ImageProcessor:
    return ImageProcessor(FileStore.open("", folder / "images"), max_bytes=15_000_000, max_pixels=50_000_000)


@pytest.fixture
def pictures(tmp_path: Path) -> ImageProcessor:
    return pictures_in(tmp_path)


@pytest.fixture(scope="module")
async def filled_once(
    cluster: URL,
    maintenance: AsyncEngine,
    template: str,
    name_database: Callable[[], str],
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Sessions]:
    """A shop that was empty and has been filled, for tests that only look at it."""
    name = name_database()
    async with copied_database(maintenance, name, template):
        engine = create_engine(url_of(cluster, name))
        assert await seed.fill(sessionmaker(engine), pictures_in(tmp_path_factory.mktemp("filled")), NOW)
        yield sessionmaker(engine)
        await engine.dispose()


@pytest.fixture
async def filled(filled_once: Sessions) -> AsyncIterator[AsyncSession]:
    async with filled_once() as session:
        yield session


async def test_an_empty_shop_gets_range_accounts_and_orders(filled: AsyncSession) -> None:
    assert await count(filled, Product) == len(catalogue.products())
    assert await filled.scalar(select(func.sum(Variant.stock))) == sum(
        units for product in catalogue.products() for units in product.stock.values()
    )
    assert await count(filled, User) == history.SHOPPERS + 3
    assert len(await identity.admin_requests(filled)) == 2
    assert await count(filled, AuditEntry) == 2
    assert await count(filled, Order) > 1_000
    assert await filled.scalar(select(ShopFact.name)) == "demo"
    assert await count(filled, ProductImage) == await count(filled, Image)


async def test_the_demo_accounts_can_sign_in_and_nobody_else_has_a_password(filled: AsyncSession) -> None:
    users = (await filled.scalars(select(User).where(User.password_hash.is_not(None)).order_by(User.email))).all()

    assert [(user.email, user.role, user.is_primary) for user in users] == [
        ("admin@minimal.test", "admin", False),
        ("owner@minimal.test", "admin", True),
        ("shopper@minimal.test", "user", False),
    ]
    assert all(user.email_verified_at and len(user.name) >= 5 for user in users)
    assert all([(await PasswordHashing().verify(str(user.password_hash), "Minimal1!")).is_right for user in users])
    shopper = users[2].id
    assert await filled.scalar(select(func.count()).select_from(Address).where(Address.user_id == shopper)) == 2
    assert await filled.scalar(select(func.count()).select_from(Order).where(Order.user_id == shopper)) == 4


async def test_the_last_two_months_had_visits_that_agree_with_the_orders(filled: AsyncSession) -> None:
    span = Span(datetime.fromisoformat("2026-09-22"), datetime.fromisoformat("2026-11-22"), ZoneInfo("UTC"))

    [whole] = await funnel.progress(filled, span, "UTC", timedelta(days=1))
    paid = select(VisitEvent.c.at, VisitEvent.c.product_id).where(VisitEvent.c.kind == "paid")
    purchases = {(row.at, row.product_id) for row in await filled.execute(paid)}
    sold = select(Order.paid_at, OrderLine.product_id).join(OrderLine, OrderLine.order_id == Order.id)
    lines = {(row.paid_at, row.product_id) for row in await filled.execute(sold)}
    latest = await filled.scalar(select(func.max(ShopEvent.at)))

    viewed, added, checkout, bought = whole.visits
    assert viewed > 1_000
    assert viewed * 0.10 < added < viewed * 0.20
    assert added * 0.4 < checkout < added * 0.8
    assert viewed * 0.03 < bought < viewed * 0.06
    assert purchases < lines
    assert latest is not None
    assert latest <= NOW


async def test_a_shop_that_holds_anything_is_left_alone(
    sessions: Sessions, session: AsyncSession, pictures: ImageProcessor
) -> None:
    session.add(User(email="first@shop.test", name="First"))
    await session.commit()

    assert not await seed.fill(sessions, pictures, NOW)

    assert (await count(session, User), await count(session, Product)) == (1, 0)


async def test_an_interrupted_seeding_leaves_nothing_and_one_of_two_repeats_fills_it(
    filled_once: Sessions,
    sessions: Sessions,
    session: AsyncSession,
    pictures: ImageProcessor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(_: object) -> object:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(seed, "refund_rows", stop)
        with pytest.raises(KeyboardInterrupt):
            await seed.fill(sessions, pictures, NOW)
    assert (await count(session, User), await count(session, Image)) == (0, 0)

    results = await asyncio.gather(*(seed.fill(sessions, pictures, NOW) for _ in range(2)))

    assert sorted(results) == [False, True]
    assert await count(session, Product) == len(catalogue.products())
    assert await checksums(sessions) == await checksums(filled_once)


async def test_orders_add_up_and_the_next_number_is_free(filled: AsyncSession) -> None:
    lines = (
        select(func.sum(OrderLine.quantity * OrderLine.unit_price_cents))
        .where(OrderLine.order_id == Order.id)
        .correlate(Order)
        .scalar_subquery()
    )
    refunds = (
        select(func.coalesce(func.sum(Refund.amount_cents), 0))
        .where(Refund.order_id == Order.id)
        .correlate(Order)
        .scalar_subquery()
    )
    wrong = select(func.count()).where((Order.total_cents != lines) | (Order.refunded_cents != refunds))
    assert await filled.scalar(wrong) == 0
    assert await filled.scalar(select(func.max(Order.created_at))) <= NOW  # type: ignore[operator]
    assert await filled.scalar(select(func.count()).where(Order.payment_intent_id.is_not(None))) == 0
    last = await filled.scalar(select(func.max(Order.number)))
    assert await filled.scalar(order_numbers.next_value()) == (last or 0) + 1


async def test_popularity_is_the_units_sold(filled: AsyncSession) -> None:
    lines = select(OrderLine.product_id, func.sum(OrderLine.quantity).label("units")).group_by(OrderLine.product_id)
    sold = {line.product_id: line.units for line in await filled.execute(lines)}
    popularity = (await filled.execute(select(Product.id, Product.popularity))).all()

    assert all(sold.get(product_id, 0) == units for product_id, units in popularity)


async def test_the_ledger_tells_how_every_shelf_came_to_its_stock(filled: AsyncSession) -> None:
    balances = (
        select(
            StockMovement.variant_id,
            StockMovement.id,
            func.sum(StockMovement.quantity)
            .over(partition_by=StockMovement.variant_id, order_by=StockMovement.id)
            .label("balance"),
        )
    ).subquery()
    lowest = await filled.scalar(select(func.min(balances.c.balance)))
    moved = select(func.coalesce(func.sum(StockMovement.quantity), 0)).where(StockMovement.variant_id == Variant.id)
    wrong = select(func.count()).where(Variant.stock != moved.correlate(Variant).scalar_subquery())
    reasons = set(await filled.scalars(select(StockMovement.reason).distinct()))
    assert lowest == 0
    assert await filled.scalar(wrong) == 0
    assert reasons == {"opening", "sale", "return", "received", "counted"}


def test_the_shop_grew_busy_before_christmas_and_people_came_back() -> None:
    range_ = history.Range.of(catalogue.products(), NOW)
    people = history.shoppers(NOW)
    orders = history.orders(people, range_, NOW)

    by_month = Counter(order.at.strftime("%Y-%m") for order in orders)
    by_shopper = Counter(order.shopper.email for order in orders)
    assert by_month["2025-12"] > 2 * by_month["2026-02"]
    assert sum(by_month[f"2026-{month:02d}"] for month in range(1, 11)) > sum(
        by_month[f"2025-{month:02d}"] for month in range(1, 11)
    )
    assert sum(times > 1 for times in by_shopper.values()) > len(by_shopper) / 2
    assert {order.returned is not None for order in orders} == {True, False}


def test_nobody_buys_before_joining_or_before_a_product_arrives() -> None:
    range_ = history.Range.of(catalogue.products(), NOW)
    arrived = {product.slug: moment for product, moment in range_.arrivals}

    for order in history.orders(history.shoppers(NOW), range_, NOW):
        assert order.shopper.joined <= order.at <= NOW
        assert all(arrived[line.product.slug] <= order.at for line in order.lines)
        assert all(line.size in line.product.sizes and line.color in line.product.colors for line in order.lines)
        assert order.returned is None or order.at < order.returned.at <= NOW - timedelta(days=6)


async def count(session: AsyncSession, table: type) -> int:
    return await session.scalar(select(func.count()).select_from(table)) or 0


async def checksums(sessions: Sessions) -> dict[str, str]:
    async with sessions() as session:
        sums = {}
        for table in TIMELESS:
            rows = await session.scalars(text(f"SELECT t::text FROM {table} t ORDER BY 1"))
            sums[table] = md5("\n".join(rows).encode()).hexdigest()
        return sums
