from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import service
from server.identity.models import User
from server.orders.models import Order, OrderLine
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import Storefront, ask
from tests.statements import counted_statements


async def sell(
    session: AsyncSession, lines: Sequence[tuple[UUID | None, int, int]], status: str = "paid", refunded: int = 0
) -> None:
    """One order; a line is product, quantity and unit price."""
    order = Order(
        id=uuid4(),
        email="buyer@shop.test",
        payment_status=status,
        total_cents=sum(quantity * price for _, quantity, price in lines),
        refunded_cents=refunded,
        currency="USD",
        shipping_address={},
    )
    session.add(order)
    await session.flush()
    for position, (product_id, quantity, price) in enumerate(lines):
        session.add(
            OrderLine(
                order_id=order.id,
                position=position,
                product_id=product_id,
                name="Sold as this",
                color="Sky",
                size="M",
                sku="X",
                quantity=quantity,
                unit_price_cents=price,
                list_price_cents=price,
            )
        )
    await session.commit()


async def test_an_empty_shop_has_totals_of_nothing(session: AsyncSession) -> None:
    assert await service.totals(session) == service.AnalyticsTotals(0, 0, 0, 0, [])


async def test_orders_count_once_paid_and_sales_are_paid_less_refunded(session: AsyncSession) -> None:
    shirt = await put_on_offer(session, "Shirt")
    await put_on_offer(session, "Gone", retired_at=datetime(2025, 1, 1, tzinfo=UTC))
    session.add_all([User(email="a@shop.test", name="Ada L"), User(email="b@shop.test", name="Bob M", role="admin")])
    await sell(session, [(shirt, 2, 1_000)])
    await sell(session, [(shirt, 1, 1_000)], "partially_refunded", refunded=300)
    await sell(session, [(shirt, 1, 5_000)], "refunded", refunded=5_000)
    await sell(session, [(shirt, 7, 9_000)], "processing")
    await sell(session, [(shirt, 7, 9_000)], "failed")

    totals = await service.totals(session)

    assert (totals.total_users, totals.total_products, totals.total_orders, totals.total_sales_cents) == (
        2,
        1,
        3,
        2_700,
    )
    assert [(top.id, top.total_sold, top.revenue_cents) for top in totals.top_products] == [(shirt, 4, 8_000)]


async def test_the_ten_best_are_by_units_and_revenue_breaks_ties(session: AsyncSession) -> None:
    products = [await put_on_offer(session, f"Shirt {number}") for number in range(12)]
    for number, product_id in enumerate(products):
        await sell(session, [(product_id, 1 + number // 4, 1_000 + number)])
    await sell(session, [(None, 99, 1_000)])

    top = (await service.totals(session)).top_products

    assert [product.name for product in top] == [f"Shirt {number}" for number in (11, 10, 9, 8, 7, 6, 5, 4, 3, 2)]


async def test_a_retired_product_stays_among_the_best_under_its_name(session: AsyncSession) -> None:
    gone = await put_on_offer(session, "Gone", retired_at=datetime(2025, 1, 1, tzinfo=UTC), pictures=2)
    await sell(session, [(gone, 1, 1_000)])

    [top] = (await service.totals(session)).top_products

    assert top.name == "Gone"
    assert top.image is not None


async def test_totals_are_two_statements(session: AsyncSession) -> None:
    with counted_statements() as statements:
        await service.totals(session)

    assert len(statements) == 2


@pytest.mark.spec("entities.analytics", "calls.analytics")
async def test_totals_over_rest_have_the_specifications_members(storefront: Storefront, session: AsyncSession) -> None:
    shirt = await put_on_offer(session, "Shirt", pictures=1)
    await sell(session, [(shirt, 2, 1_999)])

    totals = (await storefront.admin.get("/api/analytics")).json()

    image = totals["topProducts"][0].pop("image")
    assert image.startswith("/images/")
    assert totals == {
        "totalProducts": 1,
        "totalUsers": 3,
        "totalOrders": 1,
        "totalSales": 39.98,
        "topProducts": [{"_id": str(shirt), "name": "Shirt", "totalSold": 2, "revenue": 39.98}],
    }


@pytest.mark.spec("screens.admin.analytics")
async def test_totals_over_graphql(storefront: Storefront, session: AsyncSession) -> None:
    shirt = await put_on_offer(session, "Shirt")
    await sell(session, [(shirt, 2, 1_999)])
    query = """
    { admin { analytics { totalUsers totalProducts totalOrders totalSales
      topProducts { id name image { id } totalSold revenue } } } }
    """

    assert (await ask(storefront.admin, query))["admin"]["analytics"] == {
        "totalUsers": 3,
        "totalProducts": 1,
        "totalOrders": 1,
        "totalSales": "39.98",
        "topProducts": [{"id": str(shirt), "name": "Shirt", "image": None, "totalSold": 2, "revenue": "39.98"}],
    }


@pytest.mark.spec("calls.analytics")
@pytest.mark.parametrize(("role", "status"), [("visitor", 401), ("shopper", 403)])
async def test_totals_are_for_admins(storefront: Storefront, role: str, status: int) -> None:
    assert (await getattr(storefront, role).get("/api/analytics")).status_code == status
