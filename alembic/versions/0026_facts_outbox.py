"""facts follow an outbox"""

import runpy
from pathlib import Path
from types import SimpleNamespace

import sqlalchemy as sa

from alembic import op

revision = "0026"
down_revision = "0030"
branch_labels = None
depends_on = None

SUMS = ("lines", "orders", "units", "gross_cents", "discount_cents", "refund_cents", "tax_cents", "shipping_cents")
OF_LINES = ("units", "gross_cents", "discount_cents", "tax_cents")
PLAIN = ("at", "unit_price_cents", "discounted", "is_sale", "order_mark", *SUMS[2:])
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
"""Words and ids that facts hold by their numbers in sale_members."""
IN_COMMON = ("gender", "subcategory", "product", "color", "size", "discounted")
FACTS_LOCK = 7_263_014
"""server.core.locks.Lock.FACTS"""


def _without(place: int) -> int:
    """The choices of what lines have in common that leave this one out, a bit each."""
    return sum(1 << choice for choice in range(1 << len(IN_COMMON)) if not choice >> place & 1)


NUMBERS = ", ".join(f"coalesce(the_{name}.number, 0) AS {name}" for name in NUMBERED)
MEMBERS = "\n".join(
    f"            LEFT JOIN sale_members the_{name} ON the_{name}.member = {text}" for name, text in NUMBERED.items()
)
ALIKE = " & ".join(
    f"CASE WHEN line.{name} = before.{name} THEN -1 ELSE {_without(place)} END" for place, name in enumerate(IN_COMMON)
)
ORDER_SUMS = ", ".join(
    f"CASE WHEN is_sale THEN order_mark * sum({name}) FILTER (WHERE is_sale) OVER whole ELSE {name} END"
    for name in OF_LINES
)
KEYS = "grain, day, category, product_id"


def _upsert(table: str, keys: str, grain: str) -> str:
    """Adds changes to one table of sums; a row without facts goes."""
    added = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in SUMS)
    same = " AND ".join(f"{table}.{key} = change.{key}" for key in keys.split(", "))
    columns = f"{keys}, {', '.join(SUMS)}"
    return f"""
    INSERT INTO {table} ({columns})
        SELECT {columns} FROM unnest(changes) WHERE grain = '{grain}' ORDER BY {keys}
        ON CONFLICT ({keys}) DO UPDATE SET {added};
    DELETE FROM {table} USING unnest(changes) AS change
        WHERE change.grain = '{grain}' AND {table}.lines = 0 AND {same};"""


# The facts of some orders, taken out as they were and put in as the orders are now, with the differences that this
# makes to sums by day and to how often products were sold. Orders themselves are not locked: a change that is committed
# meanwhile has an outbox row of its own.
FOLLOW = f"""
CREATE OR REPLACE FUNCTION follow_sales(ids uuid[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    rows sale_rows[];
    numbers int[];
    buyers int[];
    sums_before sales_change[];
    changes sales_change[];
BEGIN
    -- One writer of facts at a time. Two that knew nothing of each other would both make their order a customer's first.
    PERFORM pg_advisory_xact_lock({FACTS_LOCK});
    numbers := ARRAY(SELECT number FROM orders WHERE id = ANY (ids));
    sums_before := ARRAY(
        SELECT ROW({KEYS}, {", ".join(f"-{name}" for name in SUMS)})::sales_change FROM sales_sums(numbers)
    );
    WITH gone AS (DELETE FROM sale_facts WHERE order_number = ANY (numbers) RETURNING customer)
        SELECT array_agg(DISTINCT customer) INTO buyers FROM gone;
    rows := ARRAY(SELECT told FROM sale_rows_of(ids) AS told);
    INSERT INTO sale_members (member)
        SELECT member FROM (
            SELECT DISTINCT unnest(ARRAY[{", ".join(NUMBERED.values())}]) AS member FROM unnest(rows) AS told
        ) named
        WHERE member IS NOT NULL AND NOT EXISTS (SELECT FROM sale_members known WHERE known.member = named.member)
        ORDER BY member ON CONFLICT DO NOTHING;
    buyers := ARRAY(
        SELECT number FROM sale_members
        WHERE number = ANY (buyers) OR member = ANY (ARRAY(SELECT customer::text FROM unnest(rows)))
    );
    WITH numbered AS (
        SELECT orders.number AS order_number, told.at AT TIME ZONE (SELECT time_zone FROM analytics_state) AS local_at,
            row_number() OVER (PARTITION BY told.order_id ORDER BY told.is_sale DESC, line_id, refund_id) AS place,
            {", ".join(f"told.{name}" for name in PLAIN)},
            (unit_price_cents >= 5000)::int + (unit_price_cents >= 10000)::int + (unit_price_cents >= 15000)::int
                AS band,
            {NUMBERS}
        FROM unnest(rows) AS told JOIN orders ON orders.id = told.order_id
{MEMBERS}
    ),
    again AS (
        SELECT line.order_number, line.place, bit_or({ALIKE}) AS alike,
            bit_or({ALIKE}) FILTER (WHERE line.band = before.band) AS alike_in_band
        FROM numbered line JOIN numbered before ON before.order_number = line.order_number
        WHERE line.is_sale AND before.is_sale AND before.place < line.place
        GROUP BY line.order_number, line.place
    )
    INSERT INTO sale_facts (
        order_number, place, local_at, day, hour, is_new, first_day, {", ".join((*NUMBERED, *PLAIN))},
        {", ".join(f"order_{name}" for name in OF_LINES)}, firsts, firsts_in_band
    )
        SELECT order_number, place, local_at, local_at::date, extract(hour FROM local_at),
            first_value(order_number) OVER own = order_number, first_value(local_at::date) OVER own,
            {", ".join((*NUMBERED, *PLAIN))}, {ORDER_SUMS},
            CASE WHEN is_sale THEN ~coalesce(alike, 0) ELSE 0 END,
            CASE WHEN is_sale THEN ~coalesce(alike_in_band, 0) ELSE 0 END
        FROM numbered LEFT JOIN again USING (order_number, place)
        WINDOW own AS (PARTITION BY customer ORDER BY is_sale DESC, at, order_number),
            whole AS (PARTITION BY order_number)
        ORDER BY at, order_number, place;
    UPDATE sale_facts SET is_new = (sale_facts.order_number = first.order_number), first_day = first.day
    FROM (
        SELECT DISTINCT ON (customer) customer, order_number, day FROM sale_facts
        WHERE customer = ANY (buyers) AND is_sale ORDER BY customer, at, order_number
    ) first
    WHERE sale_facts.customer = ANY (buyers) AND sale_facts.customer = first.customer
        AND (is_new, first_day) IS DISTINCT FROM (sale_facts.order_number = first.order_number, first.day);
    DELETE FROM sale_members
        WHERE number = ANY (buyers) AND NOT EXISTS (SELECT FROM sale_facts WHERE customer = number);
    changes := ARRAY(
        SELECT ROW({KEYS}, {", ".join(f"sum({name})" for name in SUMS)})::sales_change
        FROM (SELECT * FROM unnest(sums_before) UNION ALL SELECT * FROM sales_sums(numbers)) AS told
        GROUP BY {KEYS} HAVING {" OR ".join(f"sum({name}) <> 0" for name in SUMS)}
    );
    {_upsert("sales_by_day", "day", "day")}
    {_upsert("sales_by_day_category", "day, category", "category")}
    {_upsert("sales_by_day_product", "day, product_id", "product")}
    -- A rebuild finds out how often each product was sold at its end.
    IF (SELECT rebuilt_at IS NOT NULL FROM analytics_state) THEN
        INSERT INTO popularity_changes (product_id, units)
            SELECT product_id, sum(units) FROM unnest(changes)
            WHERE grain = 'product' AND product_id <> '00000000-0000-0000-0000-000000000000'
            GROUP BY product_id HAVING sum(units) <> 0
            ON CONFLICT (product_id) DO UPDATE SET units = popularity_changes.units + excluded.units;
    END IF;
END $$
"""

# The functions of triggers that are there already, so that no table is locked. Nothing in them knows what facts are.
TRIGGERS = (
    """
    CREATE OR REPLACE FUNCTION follow_order() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF coalesce(current_setting('minimal.bulk', true), '') <> 'on' THEN
            INSERT INTO analytics_outbox (order_id) VALUES (NEW.id);
            PERFORM pg_notify('analytics_outbox', '');
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE OR REPLACE FUNCTION follow_refund() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF coalesce(current_setting('minimal.bulk', true), '') <> 'on' THEN
            INSERT INTO analytics_outbox (order_id) VALUES (NEW.order_id);
            PERFORM pg_notify('analytics_outbox', '');
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE OR REPLACE FUNCTION follow_product() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO analytics_outbox (product_id) VALUES (NEW.id);
        PERFORM pg_notify('analytics_outbox', '');
        RETURN NULL;
    END $$
    """,
)


def upgrade() -> None:
    op.create_table(
        "analytics_outbox",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=True),
        sa.Column("product_id", sa.Uuid(), nullable=True),
        sa.Column("after_order_id", sa.Uuid(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("retry_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.CheckConstraint("num_nonnulls(order_id, product_id) = 1", name=op.f("ck_analytics_outbox_subject")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analytics_outbox")),
    )
    op.create_table(
        "popularity_changes",
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("units", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("product_id", name=op.f("pk_popularity_changes")),
    )
    for statement in (FOLLOW, *TRIGGERS):
        op.execute(statement)


def downgrade() -> None:
    versions = Path(__file__).parent
    rollups, narrow, changes = (
        SimpleNamespace(**runpy.run_path(str(versions / f"{name}.py")))
        for name in ("0010_analytics_rollups", "0011_narrow_facts", "0016_changes_of_sums")
    )
    op.execute(changes.FOLLOW)
    for statement in rollups.TRIGGERS.split(";\nCREATE ")[:2]:
        op.execute(f"CREATE OR REPLACE {statement.strip().removeprefix('CREATE ')}")
    op.execute(narrow.FOLLOW_PRODUCT)
    op.execute("UPDATE analytics_state SET rebuilt_at = NULL WHERE EXISTS (SELECT FROM analytics_outbox)")
    op.drop_table("popularity_changes")
    op.drop_table("analytics_outbox")
