"""Lists, menu and pages with a hundred categories: as few statements, and as quick, as with five.

`MANY_PRODUCTS=20000 python -m pytest -n0 -s tests/catalog/test_many_categories.py` prints times with that many.
"""

import os
import sys
from statistics import median
from time import perf_counter

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import admin_queries, category_queries
from server.catalog.admin_queries import AdminListFilter, AdminListSort
from tests.catalog.storefront import Storefront, ask, catch_up
from tests.statements import StatementRecorder, counted_statements

CATEGORIES = 100
PRODUCTS = int(os.environ.get("MANY_PRODUCTS", "500"))
ROUNDS = 15
MAKE = """
INSERT INTO departments (key, name, heading, slug, position)
    SELECT 'd' || n, 'Department ' || n, 'Collection ' || n, 'd' || n, 10 + n FROM generate_series(1, 10) n;
INSERT INTO kinds (key, name) SELECT 'k' || n, 'Kind ' || n FROM generate_series(1, 10) n;
INSERT INTO categories (department, kind, name, slug, position)
    SELECT 'd' || d, 'k' || k, 'Kind ' || k, 'k' || k, k
    FROM generate_series(1, 10) d, generate_series(1, 10) k WHERE (d, k) <> (10, 10) LIMIT :categories;
"""
FILL = """
INSERT INTO products
    (id, name, title, subtitle, description, gender, subcategory, price_cents, popularity)
    SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Piece ' || n, 'Piece ' || n, 'Cotton',
        'Made.', department, kind, 1000 + n % 5000, n % 100
    FROM generate_series(1, :products) n
    JOIN (SELECT department, kind, row_number() OVER (ORDER BY key) - 1 AS place, count(*) OVER () AS many
          FROM categories) each ON each.place = n % each.many;
INSERT INTO product_colors (id, product_id, name, hex, family, position)
    SELECT gen_random_uuid(), id, 'Sky', '#b9cce3', 'Blue', 0 FROM products;
INSERT INTO variants (product_id, color_id, size, sku, stock)
    SELECT product_id, id, 'M', 'SKU-' || product_id, 5 FROM product_colors;
ANALYZE
"""
LIST = """query ($department: String!, $kind: String!) {
    products(filter: { department: $department, kind: $kind }, first: 24) {
        totalCount nodes { id name price category { key name path } } facets { sizes { size count } } } }"""
MENU = "{ categories { id key name path productCount } }"


async def fill(session: AsyncSession, categories: int, products: int) -> None:
    """So many categories beside the five, and products spread evenly over all."""
    for script, values in ((MAKE, {"categories": categories}), (FILL, {"products": products})):
        for statement in script.split(";\n"):
            used = {name: value for name, value in values.items() if f":{name}" in statement}
            await session.execute(text(statement), used)
    await session.commit()


@pytest.mark.parametrize("categories", [0, CATEGORIES - 5])
async def test_lists_and_the_menu_cost_no_statement_more(
    storefront: Storefront, session: AsyncSession, categories: int
) -> None:
    await fill(session, categories, PRODUCTS)
    await catch_up(storefront.app)
    category = {"department": "men", "kind": "jeans"}

    with counted_statements() as statements:
        menu = (await ask(storefront.visitor, MENU))["categories"]
        first = await ask(storefront.visitor, LIST, **category)
    new = [statement for statement in statements if "pg_notify" not in statement]
    with counted_statements() as again:
        await ask(storefront.visitor, f"{MENU} # again")
        repeated = await ask(storefront.visitor, f"{LIST} # again", **category)

    assert len(menu) == 5 + categories
    assert sum(each["productCount"] for each in menu) == PRODUCTS
    assert first == repeated
    assert [each["category"]["key"] for each in first["products"]["nodes"]] == ["men_jeans"] * len(
        first["products"]["nodes"]
    )
    assert len(new) == 1, new
    assert [statement for statement in again if "pg_notify" not in statement] == []
    await report(storefront, categories)


async def report(storefront: Storefront, categories: int) -> None:
    """Prints the median milliseconds of an answer that no cache has; only where many products are asked for."""
    if "MANY_PRODUCTS" not in os.environ:
        return
    for name, document, variables in (("menu", MENU, {}), ("list", LIST, {"department": "men", "kind": "jeans"})):
        times = []
        for turn in range(ROUNDS):
            began = perf_counter()
            await ask(storefront.visitor, f"{document} # {turn}", **variables)
            times.append(perf_counter() - began)
        sys.stdout.write(f"\n{PRODUCTS} products, {5 + categories} categories, {name}: {1000 * median(times):.2f} ms\n")


async def test_plans_with_many_categories_read_no_more_products_than_they_show(session: AsyncSession) -> None:
    await fill(session, CATEGORIES - 5, 3_000)
    in_department = AdminListFilter(gender="d7")

    async with StatementRecorder(session, "products") as page:
        await admin_queries.page(session, in_department, AdminListSort.NEWEST, 50, None)
    async with StatementRecorder(session, "categories") as categories:
        rows = await category_queries.categories(session)

    plans = [*await page.plans(), *await categories.plans()]
    assert len(rows.rows) == CATEGORIES
    assert "Seq Scan on products" not in "\n".join(plans)
    assert len(categories.sent) == 1
