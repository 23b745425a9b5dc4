"""announced products"""

from alembic import op

revision = "0030"
down_revision = "0018"
branch_labels = None
depends_on = None

# What lists, filters and searches know of a product. A sale that leaves pieces of the variant changes none of it.
OF_PRODUCTS = (
    "name, title, subtitle, gender, subcategory, charged_cents, is_on_sale, popularity, created_at, retired_at"
)
OF_COLORS = "product_id, name, hex, family, position, retired_at"
OF_VARIANTS = "product_id, color_id, size, retired_at, stock > 0"
# In the order in which a sale locks them.
TABLES = (
    ("variants", "product_id", OF_VARIANTS),
    ("product_colors", "product_id", OF_COLORS),
    ("products", "id", OF_PRODUCTS),
)
A_MESSAGE = 200
"""Ids that one message has room for."""


def upgrade() -> None:
    op.execute(
        f"""
        CREATE FUNCTION announce_products(changed uuid[]) RETURNS void LANGUAGE sql AS $$
            SELECT pg_notify('catalog_products', string_agg(id::text, ','))
            FROM (SELECT id, row_number() OVER () / {A_MESSAGE} AS message FROM unnest(changed) AS id) AS numbered
            GROUP BY message
        $$
        """
    )
    for table, product, columns in TABLES:
        _follow(table, product, columns)


def downgrade() -> None:
    for table, _, _ in TABLES:
        for event in ("insert", "update", "delete", "truncate"):
            op.execute(f"DROP TRIGGER announce_products_{event} ON {table}")
        for event in ("inserted", "updated", "deleted"):
            op.execute(f"DROP FUNCTION announce_{event}_{table}")
    op.execute("DROP FUNCTION announce_products")


def _follow(table: str, product: str, columns: str) -> None:
    before, after = (", ".join(f"{row}.{column}" for column in columns.split(", ")) for row in ("was", "became"))
    differing = (
        f"SELECT unnest(ARRAY[was.{product}, became.{product}]) FROM was JOIN became USING (id)"
        f" WHERE ({before}) IS DISTINCT FROM ({after})"
    )
    for event, changed, transition in (
        ("insert", f"SELECT {product} FROM became", "NEW TABLE AS became"),
        ("update", differing, "OLD TABLE AS was NEW TABLE AS became"),
        ("delete", f"SELECT {product} FROM was", "OLD TABLE AS was"),
    ):
        function = f"announce_{event.removesuffix('e')}ed_{table}"
        op.execute(
            f"""
            CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM announce_products(ARRAY(SELECT DISTINCT * FROM ({changed}) AS changed));
                RETURN NULL;
            END $$
            """
        )
        op.execute(
            f"CREATE TRIGGER announce_products_{event} AFTER {event.upper()} ON {table} REFERENCING {transition}"
            f" FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
        )
    # Nobody knows which products a TRUNCATE took: an empty message stands for any of them.
    op.execute(
        f"CREATE TRIGGER announce_products_truncate AFTER TRUNCATE ON {table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION announce_change('catalog_products')"
    )
