"""A catalogue of any size: the demo's products again and again, each copy under a name of its own."""

import asyncpg

_COLUMNS = """
    SELECT column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'
"""
_AGAIN = "md5({table}.{column}::text || copy)::uuid"
STOCK = "100000"
OTHER_VALUES = {
    "products": {"id": "id", "name": "products.name || ' ' || copy"},
    "product_colors": {"id": "id", "product_id": "product_id"},
    "variants": {
        "id": "id",
        "product_id": "product_id",
        "color_id": "color_id",
        "sku": "variants.sku || '-' || copy",
        "stock": STOCK,
    },
    "product_images": {"id": "id", "product_id": "product_id", "color_id": "color_id"},
}
"""Of each table: the columns that a copy has anew. A bare column is an id: the copy's of the same row."""


async def multiply(database: asyncpg.Connection, products: int) -> int:
    """Adds copies until there are so many products at least. Returns how many there are."""
    there = await database.fetchval("SELECT count(*) FROM products")
    copies = -(-products // there) - 1
    async with database.transaction():
        # Copies refer to what their rows refer to: checking and announcing millions of them would be work for nothing.
        await database.execute("SET LOCAL session_replication_role = replica")
        for table, others in OTHER_VALUES.items():
            columns = [row["column_name"] for row in await database.fetch(_COLUMNS, table)]
            values = [
                _AGAIN.format(table=table, column=others[column])
                if others.get(column, "").isidentifier()
                else others.get(column, f"{table}.{column}")
                for column in columns
            ]
            await database.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} "
                f"FROM {table}, generate_series(1, {copies}) AS copy"
            )
    await database.execute(f"UPDATE variants SET stock = {STOCK} WHERE stock <> {STOCK}")
    await database.execute("ANALYZE")
    return int(await database.fetchval("SELECT count(*) FROM products"))
