"""analytics rollups"""

import sqlalchemy as sa

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

SUMS = ("lines", "orders", "units", "gross_cents", "discount_cents", "refund_cents", "tax_cents", "shipping_cents")

# What every paid order and every refund comes to, line by line. A refund that names no lines is spread over the lines
# and the delivery by what each was charged; running sums are rounded, so that the parts add up to the cent.
SALE_ROWS = """
CREATE VIEW sale_rows AS
WITH paid AS (
    SELECT orders.*, coalesce(user_id, md5(lower(email))::uuid) AS customer
    FROM orders WHERE paid_at IS NOT NULL AND payment_status IN ('paid', 'refunded', 'partially_refunded')
),
line AS (
    SELECT
        order_lines.*,
        quantity * unit_price_cents - order_lines.discount_cents AS goods_cents,
        quantity * unit_price_cents - order_lines.discount_cents
            + CASE WHEN paid.tax_included THEN 0 ELSE order_lines.tax_cents END AS charged_cents,
        row_number() OVER (PARTITION BY order_id ORDER BY position, order_lines.id) AS place
    FROM order_lines JOIN paid ON paid.id = order_lines.order_id
),
delivery AS (
    SELECT
        paid.id AS order_id,
        paid.shipping_cents,
        paid.tax_cents - coalesce(sum(line.tax_cents), 0) AS tax_cents,
        paid.total_cents - coalesce(sum(line.charged_cents), 0) AS charged_cents
    FROM paid LEFT JOIN line ON line.order_id = paid.id
    GROUP BY paid.id, paid.shipping_cents, paid.tax_cents, paid.total_cents
),
part AS (
    SELECT order_id, id AS line_id, place, charged_cents, tax_cents FROM line
    UNION ALL
    SELECT order_id, NULL, 1000000, charged_cents, tax_cents FROM delivery
),
given AS (
    SELECT
        refunds.id, refunds.order_id, coalesce(refunds.succeeded_at, refunds.created_at) AS at, refunds.shipping_cents,
        refunds.amount_cents - refunds.shipping_cents - coalesce(named.amount_cents, 0) AS loose_cents
    FROM refunds
    LEFT JOIN (
        SELECT refund_id, sum(amount_cents) AS amount_cents FROM refund_lines GROUP BY refund_id
    ) named ON named.refund_id = refunds.id
    WHERE refunds.status = 'succeeded' AND refunds.order_id IS NOT NULL
),
spread AS (
    SELECT
        given.id AS refund_id, given.order_id, given.at, part.line_id, part.charged_cents, part.tax_cents,
        div(given.loose_cents * sum(part.charged_cents) OVER parts, nullif(sum(part.charged_cents) OVER whole, 0))
            - div(
                given.loose_cents * (sum(part.charged_cents) OVER parts - part.charged_cents),
                nullif(sum(part.charged_cents) OVER whole, 0)
            )
            AS loose_cents,
        CASE WHEN part.line_id IS NULL THEN given.shipping_cents ELSE coalesce(refund_lines.amount_cents, 0) END
            AS named_cents
    FROM given
    JOIN part ON part.order_id = given.order_id
    LEFT JOIN refund_lines ON refund_lines.refund_id = given.id AND refund_lines.order_line_id = part.line_id
    WINDOW
        whole AS (PARTITION BY given.order_id, given.id),
        parts AS (PARTITION BY given.order_id, given.id ORDER BY part.place)
),
back AS (
    SELECT
        spread.*, coalesce(loose_cents, 0) + named_cents AS amount_cents,
        CASE WHEN charged_cents > 0
            THEN div((coalesce(loose_cents, 0) + named_cents) * tax_cents, charged_cents) ELSE 0
        END AS tax_back_cents
    FROM spread
)
SELECT
    paid.paid_at AS at, paid.id AS order_id, line.id AS line_id, NULL::uuid AS refund_id,
    line.product_id, line.variant_id, products.category, line.color, line.size,
    line.unit_price_cents::int AS unit_price_cents, line.unit_price_cents < line.list_price_cents AS discounted,
    paid.discount_code AS code, coalesce(paid.shipping_address ->> 'country', '') AS country,
    coalesce(paid.shipping_address ->> 'city', '') AS city, paid.customer, paid.payment_status,
    true AS is_sale, CASE WHEN line.place = 1 THEN 1 ELSE 0 END AS order_mark, line.quantity AS units,
    (line.quantity * line.list_price_cents)::int AS gross_cents,
    (line.quantity * (line.list_price_cents - line.unit_price_cents) + line.discount_cents)::int AS discount_cents,
    0 AS refund_cents,
    (line.tax_cents + CASE WHEN line.place = 1 THEN delivery.tax_cents ELSE 0 END)::int AS tax_cents,
    CASE WHEN line.place = 1 THEN delivery.shipping_cents ELSE 0 END::int AS shipping_cents
FROM paid
JOIN line ON line.order_id = paid.id
JOIN delivery ON delivery.order_id = paid.id
LEFT JOIN products ON products.id = line.product_id
UNION ALL
SELECT
    back.at, paid.id, line.id, back.refund_id,
    line.product_id, line.variant_id, products.category, line.color, line.size,
    line.unit_price_cents::int, line.unit_price_cents < line.list_price_cents,
    paid.discount_code, coalesce(paid.shipping_address ->> 'country', ''),
    coalesce(paid.shipping_address ->> 'city', ''), paid.customer, paid.payment_status,
    false, 0, 0, 0, 0,
    CASE
        WHEN back.line_id IS NULL THEN 0
        WHEN paid.tax_included THEN back.amount_cents
        ELSE back.amount_cents - back.tax_back_cents
    END::int,
    (-back.tax_back_cents)::int,
    CASE
        WHEN back.line_id IS NOT NULL THEN 0
        WHEN paid.tax_included THEN -back.amount_cents
        ELSE back.tax_back_cents - back.amount_cents
    END::int
FROM back
JOIN paid ON paid.id = back.order_id
JOIN line ON line.order_id = paid.id AND (line.id = back.line_id OR (back.line_id IS NULL AND line.place = 1))
LEFT JOIN products ON products.id = line.product_id
WHERE back.amount_cents <> 0
"""

COLUMNS = (
    "at, order_id, line_id, refund_id, product_id, variant_id, category, color, size, unit_price_cents, discounted, code,"
    " country, city, customer, payment_status, is_sale, order_mark, units, gross_cents, discount_cents, refund_cents,"
    " tax_cents, shipping_cents"
)

NIL = "'00000000-0000-0000-0000-000000000000'::uuid"
COUNTED = (
    "count(*) AS lines, count(DISTINCT order_id) FILTER (WHERE is_sale) AS orders, sum(units) AS units,"
    " sum(gross_cents) AS gross_cents, sum(discount_cents) AS discount_cents, sum(refund_cents) AS refund_cents,"
    " sum(tax_cents) AS tax_cents, sum(shipping_cents) AS shipping_cents"
)

# Sums of some facts by day, and again by category and by product. An order counts once in each of its rows.
CONTRIBUTIONS = f"""
CREATE FUNCTION sales_sums(ids uuid[]) RETURNS TABLE (
    grain text, day date, category text, product_id uuid, {", ".join(f"{name} bigint" for name in SUMS)}
) LANGUAGE sql STABLE AS $$
    SELECT 'day', local_at::date, '', {NIL}, {COUNTED}
    FROM sales WHERE order_id = ANY (ids) GROUP BY 2
    UNION ALL
    SELECT 'category', local_at::date, coalesce(category, ''), {NIL}, {COUNTED}
    FROM sales WHERE order_id = ANY (ids) GROUP BY 2, 3
    UNION ALL
    SELECT 'product', local_at::date, '', coalesce(product_id, {NIL}), {COUNTED}
    FROM sales WHERE order_id = ANY (ids) GROUP BY 2, 4
$$
"""


def _upsert(table: str, keys: str, grain: str) -> str:
    """Adds differences to one table of sums, in the order of its key, so that two payments never wait in a ring."""
    added = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in SUMS)
    columns = f"{keys}, {', '.join(SUMS)}"
    same = " AND ".join(f"{table}.{key} = sales_changes.{key}" for key in keys.split(", "))
    return f"""
    INSERT INTO {table} ({columns})
        SELECT {columns} FROM sales_changes WHERE grain = '{grain}' ORDER BY {keys}
        ON CONFLICT ({keys}) DO UPDATE SET {added};
    DELETE FROM {table} USING sales_changes WHERE sales_changes.grain = '{grain}' AND {table}.lines = 0 AND {same};
    """


FOLLOW = f"""
CREATE FUNCTION follow_sales(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    buyers uuid[];
BEGIN
    PERFORM 1 FROM orders WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
    CREATE TEMP TABLE IF NOT EXISTS sales_changes (
        grain text, day date, category text, product_id uuid, {", ".join(f"{name} bigint" for name in SUMS)}
    ) ON COMMIT DROP;
    TRUNCATE sales_changes;
    INSERT INTO sales_changes
        SELECT grain, day, category, product_id, {", ".join(f"-{name}" for name in SUMS)} FROM sales_sums(ids);
    WITH gone AS (DELETE FROM sales WHERE order_id = ANY (ids) RETURNING customer)
        SELECT array_agg(DISTINCT customer) INTO buyers FROM gone;
    INSERT INTO sales (local_at, is_new, {COLUMNS})
        SELECT at AT TIME ZONE (SELECT time_zone FROM analytics_state), false, {COLUMNS}
        FROM sale_rows WHERE order_id = ANY (ids);
    buyers := buyers || ARRAY(SELECT DISTINCT customer FROM sales WHERE order_id = ANY (ids));
    UPDATE sales SET is_new = (sales.order_id = first.order_id)
    FROM (
        SELECT DISTINCT ON (customer) customer, order_id FROM sales
        WHERE customer = ANY (buyers) AND is_sale ORDER BY customer, at, order_id
    ) first
    WHERE sales.customer = first.customer AND sales.is_new <> (sales.order_id = first.order_id);
    INSERT INTO sales_changes SELECT * FROM sales_sums(ids);
    WITH gone AS (DELETE FROM sales_changes RETURNING *)
        INSERT INTO sales_changes
        SELECT grain, day, category, product_id, {", ".join(f"sum({name})" for name in SUMS)}
        FROM gone GROUP BY grain, day, category, product_id
        HAVING {" OR ".join(f"sum({name}) <> 0" for name in SUMS)};
    {_upsert("sales_by_day", "day", "day")}
    {_upsert("sales_by_day_category", "day, category", "category")}
    {_upsert("sales_by_day_product", "day, product_id", "product")}
END $$
"""

# `minimal.bulk` is set by whoever writes many orders at once and rebuilds afterwards.
TRIGGERS = """
CREATE FUNCTION follow_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('minimal.bulk', true), '') <> 'on' THEN
        PERFORM follow_sales(ARRAY[NEW.id]);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION follow_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('minimal.bulk', true), '') <> 'on' THEN
        PERFORM follow_sales(ARRAY[NEW.order_id]);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION follow_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM follow_sales(ARRAY(SELECT DISTINCT order_id FROM sales WHERE product_id = NEW.id));
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER sales_follow_new_orders AFTER INSERT ON orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.paid_at IS NOT NULL) EXECUTE FUNCTION follow_order();
CREATE CONSTRAINT TRIGGER sales_follow_orders AFTER UPDATE OF paid_at, payment_status, user_id, email ON orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN ((OLD.paid_at, OLD.payment_status, OLD.user_id, OLD.email)
        IS DISTINCT FROM (NEW.paid_at, NEW.payment_status, NEW.user_id, NEW.email))
    EXECUTE FUNCTION follow_order();
CREATE CONSTRAINT TRIGGER sales_follow_refunds AFTER INSERT OR UPDATE OF status ON refunds
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.status = 'succeeded' AND NEW.order_id IS NOT NULL) EXECUTE FUNCTION follow_refund();
CREATE CONSTRAINT TRIGGER sales_follow_products AFTER UPDATE OF gender, subcategory ON products
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN ((OLD.gender, OLD.subcategory) IS DISTINCT FROM (NEW.gender, NEW.subcategory))
    EXECUTE FUNCTION follow_product()
"""

# What visits did, and that they paid: a visit's checkout leads to its order, whenever the news of either came.
VISITS = """
CREATE VIEW visit_events AS
SELECT at, local_at, visit, kind, product_id, category FROM shop_events
UNION ALL
SELECT
    orders.paid_at, orders.paid_at AT TIME ZONE (SELECT time_zone FROM analytics_state), shop_events.visit, 'paid',
    shop_events.product_id, shop_events.category
FROM shop_events JOIN orders ON orders.checkout_id = shop_events.checkout_id
WHERE shop_events.kind = 'checkout' AND orders.paid_at IS NOT NULL
"""

# Everything anew, for a shop whose time zone changed or whose facts are not to be trusted.
REBUILD = f"""
CREATE FUNCTION rebuild_sales_sums() RETURNS void LANGUAGE sql AS $$
    UPDATE sales SET is_new = true FROM (
        SELECT DISTINCT ON (customer) order_id FROM sales WHERE is_sale ORDER BY customer, at, order_id
    ) first WHERE sales.order_id = first.order_id AND NOT sales.is_new;
    INSERT INTO sales_by_day (day, {", ".join(SUMS)}) SELECT local_at::date, {COUNTED} FROM sales GROUP BY 1;
    INSERT INTO sales_by_day_category (day, category, {", ".join(SUMS)})
        SELECT local_at::date, coalesce(category, ''), {COUNTED} FROM sales GROUP BY 1, 2;
    INSERT INTO sales_by_day_product (day, product_id, {", ".join(SUMS)})
        SELECT local_at::date, coalesce(product_id, {NIL}), {COUNTED} FROM sales GROUP BY 1, 2;
$$
"""


def upgrade() -> None:
    op.add_column("refunds", sa.Column("succeeded_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "analytics_state",
        sa.Column("only_row", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.Column("rebuilt_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("only_row", name=op.f("ck_analytics_state_only_row")),
        sa.PrimaryKeyConstraint("only_row", name=op.f("pk_analytics_state")),
    )
    op.execute("INSERT INTO analytics_state (time_zone, rebuilt_at) VALUES ('UTC', now())")
    _facts()
    _sums()
    _events()
    op.create_table(
        "saved_reports",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=True),
        sa.Column("owner_name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_reports")),
    )
    for statement in (SALE_ROWS, CONTRIBUTIONS, FOLLOW, REBUILD, VISITS, *TRIGGERS.split(";\nCREATE ")):
        op.execute(statement if statement.lstrip().startswith("CREATE") else f"CREATE {statement}")
    op.execute(
        f"INSERT INTO sales (local_at, is_new, {COLUMNS}) SELECT at AT TIME ZONE 'UTC', false, {COLUMNS} FROM sale_rows"
    )
    op.execute("SELECT rebuild_sales_sums()")


def _facts() -> None:
    op.create_table(
        "sales",
        sa.Column("id", sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("local_at", sa.TIMESTAMP(timezone=False), nullable=False),
        *(sa.Column(name, sa.Uuid(), nullable=name != "order_id") for name in ("order_id", "line_id", "refund_id")),
        *(sa.Column(name, sa.Uuid(), nullable=True) for name in ("product_id", "variant_id")),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("color", sa.Text(), nullable=False),
        sa.Column("size", sa.Text(), nullable=False),
        sa.Column("unit_price_cents", sa.Integer(), nullable=False),
        sa.Column("discounted", sa.Boolean(), nullable=False),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("city", sa.Text(), nullable=False),
        sa.Column("customer", sa.Uuid(), nullable=False),
        sa.Column("is_new", sa.Boolean(), nullable=False),
        sa.Column("payment_status", sa.Text(), nullable=False),
        sa.Column("is_sale", sa.Boolean(), nullable=False),
        sa.Column("order_mark", sa.SmallInteger(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in SUMS[2:]),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sales")),
    )
    op.create_index("ix_sales_local_at", "sales", ["local_at"])
    op.create_index("ix_sales_order", "sales", ["order_id"])
    op.create_index("ix_sales_customer", "sales", ["customer"])


def _sums() -> None:
    keys: dict[str, list[sa.Column[object]]] = {
        "sales_by_day": [],
        "sales_by_day_category": [sa.Column("category", sa.Text(), nullable=False)],
        "sales_by_day_product": [sa.Column("product_id", sa.Uuid(), nullable=False)],
    }
    for table, columns in keys.items():
        op.create_table(
            table,
            sa.Column("day", sa.Date(), nullable=False),
            *columns,
            *(sa.Column(name, sa.BigInteger(), server_default=sa.text("0"), nullable=False) for name in SUMS),
            sa.PrimaryKeyConstraint("day", *(column.name for column in columns), name=op.f(f"pk_{table}")),
        )


def _events() -> None:
    op.create_table(
        "shop_events",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("local_at", sa.TIMESTAMP(timezone=False), nullable=False),
        sa.Column("visit", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=True),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("checkout_id", sa.Uuid(), nullable=True),
        sa.CheckConstraint("kind IN ('viewed', 'added', 'checkout', 'paid')", name=op.f("ck_shop_events_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shop_events")),
    )
    op.create_index("ix_shop_events_local_at", "shop_events", ["local_at"])
    op.create_index(
        "uq_shop_events_checkout",
        "shop_events",
        ["checkout_id", "product_id"],
        unique=True,
        postgresql_where=sa.text("checkout_id IS NOT NULL"),
    )


def downgrade() -> None:
    for trigger, table in (
        ("sales_follow_new_orders", "orders"),
        ("sales_follow_orders", "orders"),
        ("sales_follow_refunds", "refunds"),
        ("sales_follow_products", "products"),
    ):
        op.execute(f"DROP TRIGGER {trigger} ON {table}")
    for function in ("follow_order()", "follow_refund()", "follow_product()", "rebuild_sales_sums()"):
        op.execute(f"DROP FUNCTION {function}")
    op.execute("DROP FUNCTION follow_sales(uuid[])")
    op.execute("DROP FUNCTION sales_sums(uuid[])")
    op.execute("DROP VIEW sale_rows")
    op.execute("DROP VIEW visit_events")
    for table in (
        "saved_reports",
        "shop_events",
        *(f"sales_by_day{end}" for end in ("_product", "_category", "")),
        "sales",
    ):
        op.drop_table(table)
    op.drop_table("analytics_state")
    op.drop_column("refunds", "succeeded_at")
