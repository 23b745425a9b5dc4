"""narrow facts"""

import runpy
from pathlib import Path
from types import SimpleNamespace

import sqlalchemy as sa

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

earlier = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("0010_analytics_rollups.py"))))
SUMS, NIL = earlier.SUMS, earlier.NIL
COUNTED = earlier.COUNTED.replace("order_id", "order_number")

# What is numbered, as the view sale_rows has it.
NUMBERED = {
    "customer": "told.customer::text",
    "product": "told.product_id::text",
    "variant": "told.variant_id::text",
    "category": "told.category",
    "gender": "split_part(told.category, '_', 1)",
    "subcategory": "split_part(told.category, '_', 2)",
    "color": "told.color",
    "size": "told.size",
    "code": "told.code",
    "country": "told.country",
    "city": "told.city",
    "payment_status": "told.payment_status",
}
PLAIN = ("at", "unit_price_cents", "discounted", "is_sale", "order_mark", *SUMS[2:])
CALENDAR = ("local_at", "day", "hour", "is_new", "first_day")


def _number(source: str) -> str:
    """Numbers for what has none yet. Looked for first: a conflict would use up a number each time."""
    return f"""
    INSERT INTO sale_members (member)
        SELECT member FROM (
            SELECT DISTINCT unnest(ARRAY[{", ".join(NUMBERED.values())}]) AS member FROM {source} AS told
        ) named
        WHERE member IS NOT NULL AND NOT EXISTS (SELECT FROM sale_members known WHERE known.member = named.member)
        ORDER BY member ON CONFLICT DO NOTHING;
    """


def _keep(source: str) -> str:
    """Facts of these rows, in the order of time. Whose first order it is, they say as far as they know it."""
    numbers = ", ".join(f"coalesce(the_{name}.number, 0) AS {name}" for name in NUMBERED)
    known = "\n".join(
        f"            LEFT JOIN sale_members the_{name} ON the_{name}.member = {text}"
        for name, text in NUMBERED.items()
    )
    return f"""
    INSERT INTO sale_facts (order_number, place, {", ".join((*CALENDAR, *NUMBERED, *PLAIN))})
        SELECT order_number, row_number() OVER (PARTITION BY order_number ORDER BY is_sale DESC, line_id, refund_id),
            local_at, local_at::date, extract(hour FROM local_at), first_value(order_number) OVER own = order_number,
            first_value(local_at::date) OVER own, {", ".join((*NUMBERED, *PLAIN))}
        FROM (
            SELECT orders.number AS order_number, told.line_id, told.refund_id,
                told.at AT TIME ZONE (SELECT time_zone FROM analytics_state) AS local_at,
                {", ".join(f"told.{name}" for name in PLAIN)}, {numbers}
            FROM {source} AS told JOIN orders ON orders.id = told.order_id
{known}
        ) numbered
        WINDOW own AS (PARTITION BY customer ORDER BY is_sale DESC, at, order_number)
        ORDER BY at, order_number;
    """


CONTRIBUTIONS = f"""
CREATE FUNCTION sales_sums(numbers int[]) RETURNS TABLE (
    grain text, day date, category text, product_id uuid, {", ".join(f"{name} bigint" for name in SUMS)}
) LANGUAGE sql STABLE AS $$
    SELECT 'day', sale_facts.day, '', {NIL}, {COUNTED}
    FROM sale_facts WHERE order_number = ANY (numbers) GROUP BY 2
    UNION ALL
    SELECT 'category', sale_facts.day, coalesce(member, ''), {NIL}, {COUNTED}
    FROM sale_facts LEFT JOIN sale_members ON number = sale_facts.category
    WHERE order_number = ANY (numbers) GROUP BY 2, 3
    UNION ALL
    SELECT 'product', sale_facts.day, '', coalesce(member::uuid, {NIL}), {COUNTED}
    FROM sale_facts LEFT JOIN sale_members ON number = product WHERE order_number = ANY (numbers) GROUP BY 2, 4
$$
"""

FOLLOW = f"""
CREATE OR REPLACE FUNCTION follow_sales(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    rows sale_rows[];
    numbers int[];
    buyers int[];
BEGIN
    PERFORM 1 FROM orders WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
    numbers := ARRAY(SELECT number FROM orders WHERE id = ANY (ids));
    CREATE TEMP TABLE IF NOT EXISTS sales_changes (
        grain text, day date, category text, product_id uuid, {", ".join(f"{name} bigint" for name in SUMS)}
    ) ON COMMIT DROP;
    TRUNCATE sales_changes;
    INSERT INTO sales_changes
        SELECT grain, day, category, product_id, {", ".join(f"-{name}" for name in SUMS)} FROM sales_sums(numbers);
    WITH gone AS (DELETE FROM sale_facts WHERE order_number = ANY (numbers) RETURNING customer)
        SELECT array_agg(DISTINCT customer) INTO buyers FROM gone;
    rows := ARRAY(SELECT sale_rows FROM sale_rows WHERE order_id = ANY (ids));
    {_number("unnest(rows)")}
    {_keep("unnest(rows)")}
    buyers := buyers || ARRAY(SELECT DISTINCT customer FROM sale_facts WHERE order_number = ANY (numbers));
    UPDATE sale_facts SET is_new = (sale_facts.order_number = first.order_number), first_day = first.day
    FROM (
        SELECT DISTINCT ON (customer) customer, order_number, day FROM sale_facts
        WHERE customer = ANY (buyers) AND is_sale ORDER BY customer, at, order_number
    ) first
    WHERE sale_facts.customer = first.customer
        AND (is_new, first_day) IS DISTINCT FROM (sale_facts.order_number = first.order_number, first.day);
    DELETE FROM sale_members
        WHERE number = ANY (buyers) AND NOT EXISTS (SELECT FROM sale_facts WHERE customer = number);
    INSERT INTO sales_changes SELECT * FROM sales_sums(numbers);
    WITH gone AS (DELETE FROM sales_changes RETURNING *)
        INSERT INTO sales_changes
        SELECT grain, day, category, product_id, {", ".join(f"sum({name})" for name in SUMS)}
        FROM gone GROUP BY grain, day, category, product_id
        HAVING {" OR ".join(f"sum({name}) <> 0" for name in SUMS)};
    {earlier._upsert("sales_by_day", "day", "day")}
    {earlier._upsert("sales_by_day_category", "day, category", "category")}
    {earlier._upsert("sales_by_day_product", "day, product_id", "product")}
END $$
"""

FOLLOW_PRODUCT = """
CREATE OR REPLACE FUNCTION follow_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM follow_sales(ARRAY(
        SELECT DISTINCT orders.id FROM sale_facts JOIN orders ON orders.number = order_number
        WHERE product = (SELECT number FROM sale_members WHERE member = NEW.id::text)
    ));
    RETURN NULL;
END $$
"""

# Everything from the orders there are, at once: for a shop whose orders were made at once.
BUILD = f"""
CREATE FUNCTION build_sales() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE all_sale_rows ON COMMIT DROP AS SELECT * FROM sale_rows;
    {_number("all_sale_rows")}
    ANALYZE all_sale_rows, sale_members;
    {_keep("all_sale_rows")}
    DROP TABLE all_sale_rows;
    INSERT INTO sales_by_day (day, {", ".join(SUMS)}) SELECT day, {COUNTED} FROM sale_facts GROUP BY 1;
    INSERT INTO sales_by_day_category (day, category, {", ".join(SUMS)})
        SELECT day, coalesce(member, ''), {COUNTED} FROM sale_facts LEFT JOIN sale_members ON number = category
        GROUP BY 1, 2;
    INSERT INTO sales_by_day_product (day, product_id, {", ".join(SUMS)})
        SELECT day, coalesce(member::uuid, {NIL}), {COUNTED} FROM sale_facts LEFT JOIN sale_members ON number = product
        GROUP BY 1, 2;
END $$
"""

# The facts in words and ids, as they stood in a table before: for people, and for a release that still reads it.
# A cast that names both sides of its join is made after it: other members are no ids.
IN_WORDS = """
CREATE VIEW sales AS
SELECT
    at, local_at, orders.id AS order_id,
    CASE WHEN product.number = sale_facts.product THEN product.member::uuid END AS product_id,
    CASE WHEN variant.number = sale_facts.variant THEN variant.member::uuid END AS variant_id,
    category.member AS category, color.member AS color, size.member AS size, unit_price_cents, discounted,
    code.member AS code, country.member AS country, city.member AS city,
    CASE WHEN customer.number = sale_facts.customer THEN customer.member::uuid END AS customer, is_new, first_day,
    status.member AS payment_status, is_sale, order_mark, units, gross_cents, sale_facts.discount_cents,
    refund_cents, sale_facts.tax_cents, sale_facts.shipping_cents
FROM sale_facts
JOIN orders ON orders.number = order_number
LEFT JOIN sale_members product ON product.number = sale_facts.product
LEFT JOIN sale_members variant ON variant.number = sale_facts.variant
LEFT JOIN sale_members category ON category.number = sale_facts.category
LEFT JOIN sale_members color ON color.number = sale_facts.color
LEFT JOIN sale_members size ON size.number = sale_facts.size
LEFT JOIN sale_members code ON code.number = sale_facts.code
LEFT JOIN sale_members country ON country.number = sale_facts.country
LEFT JOIN sale_members city ON city.number = sale_facts.city
LEFT JOIN sale_members customer ON customer.number = sale_facts.customer
LEFT JOIN sale_members status ON status.number = sale_facts.payment_status
"""


def upgrade() -> None:
    op.execute("CREATE EXTENSION IF NOT EXISTS intarray")
    op.create_table(
        "sale_members",
        sa.Column("number", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_sale_members")),
        sa.UniqueConstraint("member", name=op.f("uq_sale_members_member")),
    )
    op.create_table(
        "sale_facts",
        sa.Column("order_number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("hour", sa.SmallInteger(), nullable=False),
        sa.Column("local_at", sa.TIMESTAMP(timezone=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in (*NUMBERED, "unit_price_cents", *SUMS[2:])),
        sa.Column("order_mark", sa.SmallInteger(), nullable=False),
        *(sa.Column(name, sa.Boolean(), nullable=False) for name in ("is_sale", "is_new", "discounted")),
        sa.PrimaryKeyConstraint("order_number", "place", name=op.f("pk_sale_facts")),
    )
    op.create_index("ix_sale_facts_local_at", "sale_facts", ["local_at"])
    op.create_index("ix_sale_facts_customer", "sale_facts", ["customer"])
    # Who bought in some days, without the lines: a third of the rows, and never the table itself.
    op.create_index(
        "ix_sale_facts_buyers",
        "sale_facts",
        ["local_at"],
        postgresql_include=["customer", "is_new", "order_mark"],
        postgresql_where=sa.text("order_mark = 1"),
    )
    op.execute("DROP FUNCTION sales_sums(uuid[])")
    op.execute("DROP FUNCTION rebuild_sales_sums()")
    op.drop_table("sales")
    for statement in (IN_WORDS, CONTRIBUTIONS, FOLLOW, FOLLOW_PRODUCT, BUILD):
        op.execute(statement)
    _start_over()


def _start_over() -> None:
    """A shop that has orders makes its facts anew by itself when it opens."""
    op.execute("TRUNCATE sales_by_day, sales_by_day_category, sales_by_day_product")
    op.execute("UPDATE analytics_state SET rebuilt_at = NULL WHERE EXISTS (SELECT FROM orders)")


def downgrade() -> None:
    op.execute("DROP FUNCTION build_sales()")
    op.execute("DROP FUNCTION sales_sums(int[])")
    op.execute("DROP VIEW sales")
    op.drop_table("sale_facts")
    op.drop_table("sale_members")
    op.execute("DROP EXTENSION intarray")
    earlier._facts()
    for statement in (earlier.CONTRIBUTIONS, earlier.REBUILD):
        op.execute(statement)
    for statement in (earlier.FOLLOW, f"CREATE {earlier.TRIGGERS.split(';' + chr(10) + 'CREATE ')[2]}"):
        op.execute(statement.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1))
    _start_over()
