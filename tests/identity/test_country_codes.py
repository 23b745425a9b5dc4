"""The migration that gives stored countries their codes."""

import asyncio
from collections.abc import AsyncIterator, Callable

import asyncpg
import pytest
from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from alembic import command
from server.run.migrations import alembic_config
from tests.conftest import copied_database, url_of

BEFORE, AFTER = "0031", "0032"
WRITTEN = ("Germany", "deutschland", "us", "USA", "Narnia", "")
PLACE = '{"city": "Lund", "country": "%s"}'


@pytest.fixture
async def before(cluster: URL, maintenance: AsyncEngine, name_database: Callable[[], str]) -> AsyncIterator[str]:
    """URL of a database in which each of `WRITTEN` is the country of an address, of an order and of a checkout."""
    name = name_database()
    async with copied_database(maintenance, name, "template0"):
        url = url_of(cluster, name)
        await asyncio.to_thread(command.upgrade, alembic_config(url), BEFORE)
        connection = await asyncpg.connect(url.replace("+asyncpg", ""))
        await connection.execute("SET minimal.bulk = 'on'")
        user = await connection.fetchval("INSERT INTO users (email, name) VALUES ('a@b.co', 'Ann') RETURNING id")
        for country in WRITTEN:
            await connection.execute(
                "INSERT INTO addresses (user_id, name, address1, city, country, phone)"
                " VALUES ($1, 'A', 'B', 'Lund', $2, '1')",
                user,
                country,
            )
            await connection.execute(
                "INSERT INTO orders (email, payment_status, total_cents, currency, shipping_address, paid_at)"
                " VALUES ('a@b.co', 'paid', 1, 'usd', $1, now())",
                PLACE % country,
            )
            await connection.execute(
                "INSERT INTO checkouts (email, fingerprint, total_cents, currency, expires_at, check_at,"
                " shipping_address) VALUES ('a@b.co', '', 1, 'usd', now(), now(), $1)",
                PLACE % country,
            )
        await connection.close()
        yield url


async def test_each_country_that_can_be_told_gets_its_code_and_nothing_typed_is_lost(before: str) -> None:
    await asyncio.to_thread(command.upgrade, alembic_config(before), AFTER)

    connection = await asyncpg.connect(before.replace("+asyncpg", ""))
    addresses = await connection.fetch("SELECT country, city FROM addresses ORDER BY id")
    copies = (
        "SELECT shipping_address ->> 'country' AS name, shipping_address ->> 'country_code' AS code FROM {} ORDER BY id"
    )
    orders, checkouts = [await connection.fetch(copies.format(table)) for table in ("orders", "checkouts")]
    followed = await connection.fetch(
        "SELECT shipping_address ->> 'country_code' AS code FROM orders JOIN analytics_outbox ON order_id = orders.id"
    )
    await connection.close()
    matches = [("Germany", "DE")] * 2 + [("United States", "US")] * 2
    assert [tuple(row) for row in addresses] == [
        *[(code, "Lund") for _, code in matches],
        ("ZZ", "Lund, Narnia"),
        ("ZZ", "Lund"),
    ]
    assert (
        [tuple(row) for row in orders] == [tuple(row) for row in checkouts] == [*matches, ("Narnia", None), ("", None)]
    )
    assert sorted(row["code"] for row in followed) == ["DE", "US", "US"], "Germany was Germany before"
