"""sums of orders and numbered visits"""

import runpy
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import sqlalchemy as sa

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

earlier = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("0011_narrow_facts.py"))))
OF_LINES = ("units", "gross_cents", "discount_cents", "tax_cents")
NUMBERED = {
    "product_number": "NEW.product_id::text",
    "category_number": "NEW.category",
    "gender_number": "split_part(NEW.category, '_', 1)",
    "subcategory_number": "split_part(NEW.category, '_', 2)",
}


def _keep(source: str) -> str:
    """Facts as before; the row that stands for an order has besides what all its lines come to, a refund its own."""
    columns = (*earlier.CALENDAR, *earlier.NUMBERED, *earlier.PLAIN, *(f"order_{name}" for name in OF_LINES))
    numbers = ", ".join(f"coalesce(the_{name}.number, 0) AS {name}" for name in earlier.NUMBERED)
    known = "\n".join(
        f"            LEFT JOIN sale_members the_{name} ON the_{name}.member = {text}"
        for name, text in earlier.NUMBERED.items()
    )
    sums = ", ".join(
        f"CASE WHEN is_sale THEN order_mark * sum({name}) FILTER (WHERE is_sale) OVER whole ELSE {name} END"
        for name in OF_LINES
    )
    return f"""
    INSERT INTO sale_facts (order_number, place, {", ".join(columns)})
        SELECT order_number, row_number() OVER (whole ORDER BY is_sale DESC, line_id, refund_id),
            local_at, local_at::date, extract(hour FROM local_at), first_value(order_number) OVER own = order_number,
            first_value(local_at::date) OVER own, {", ".join((*earlier.NUMBERED, *earlier.PLAIN))}, {sums}
        FROM (
            SELECT orders.number AS order_number, told.line_id, told.refund_id,
                told.at AT TIME ZONE (SELECT time_zone FROM analytics_state) AS local_at,
                {", ".join(f"told.{name}" for name in earlier.PLAIN)}, {numbers}
            FROM {source} AS told JOIN orders ON orders.id = told.order_id
{known}
        ) numbered
        WINDOW own AS (PARTITION BY customer ORDER BY is_sale DESC, at, order_number),
            whole AS (PARTITION BY order_number)
        ORDER BY at, order_number;
    """


def _renewed(function: str, source: str) -> str:
    """A function of before that keeps facts as they are kept now."""
    renewed: str = function.replace(earlier._keep(source), _keep(source))
    assert renewed != function  # noqa: S101
    return renewed if "OR REPLACE" in renewed else renewed.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")


# A visit is numbered when its first event comes, whichever of two comes first; it keeps the number. Numbers start over
# after two billion, when those who had them first are long forgotten.
NUMBER_EVENT = f"""
CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.visit_number := (
        SELECT visit_number FROM shop_events WHERE visit = NEW.visit AND visit_number IS NOT NULL LIMIT 1
    );
    IF NEW.visit_number IS NULL THEN
        PERFORM pg_advisory_xact_lock(uuid_hash_extended(NEW.visit, 0));
        NEW.visit_number := coalesce(
            (SELECT visit_number FROM shop_events WHERE visit = NEW.visit AND visit_number IS NOT NULL LIMIT 1),
            nextval('visit_numbers')
        );
    END IF;
    INSERT INTO event_members (member)
        SELECT member FROM unnest(ARRAY[{", ".join(NUMBERED.values())}]) AS member
        WHERE member IS NOT NULL AND NOT EXISTS (SELECT FROM event_members known WHERE known.member = member.member)
        ORDER BY member ON CONFLICT DO NOTHING;
    {
    "".join(
        f"NEW.{name} := coalesce((SELECT number FROM event_members WHERE member = {text}), 0);"
        for name, text in NUMBERED.items()
    )
}
    RETURN NEW;
END $$
"""
FOLLOW_EVENTS = """
CREATE TRIGGER shop_events_number BEFORE INSERT OR UPDATE OF visit_number ON shop_events
    FOR EACH ROW WHEN (NEW.visit_number IS NULL) EXECUTE FUNCTION number_event()
"""

VISITS = f"""
CREATE OR REPLACE VIEW visit_events AS
SELECT at, local_at, visit, kind, product_id, category, visit_number, {", ".join(NUMBERED)} FROM shop_events
UNION ALL
SELECT
    orders.paid_at, orders.paid_at AT TIME ZONE (SELECT time_zone FROM analytics_state), shop_events.visit, 'paid',
    shop_events.product_id, shop_events.category, visit_number, {", ".join(NUMBERED)}
FROM shop_events JOIN orders ON orders.checkout_id = shop_events.checkout_id
WHERE shop_events.kind = 'checkout' AND orders.paid_at IS NOT NULL
"""


def upgrade() -> None:
    # Functions first: what they need is there when this is committed, and tables are held for a shorter time.
    op.execute("CREATE SEQUENCE visit_numbers AS integer CYCLE")
    op.create_table(
        "event_members",
        sa.Column("number", sa.Integer(), sa.Identity(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_event_members")),
        sa.UniqueConstraint("member", name=op.f("uq_event_members_member")),
    )
    op.execute(NUMBER_EVENT)
    op.execute(_renewed(earlier.FOLLOW, "unnest(rows)"))
    op.execute(_renewed(earlier.BUILD, "all_sale_rows"))
    _visits()
    _orders()
    earlier._start_over()


def _visits() -> None:
    op.execute(_with_columns("shop_events", ("visit_number", *NUMBERED), "integer"))
    op.create_index("ix_shop_events_visit", "shop_events", ["visit", "visit_number"])
    op.create_index(
        "ix_shop_events_unnumbered", "shop_events", ["id"], postgresql_where=sa.text("visit_number IS NULL")
    )
    op.drop_index("ix_shop_events_local_at", "shop_events")
    op.create_index(
        "ix_shop_events_local_at",
        "shop_events",
        ["local_at"],
        postgresql_include=["visit_number", *NUMBERED, "kind"],
    )
    op.execute(VISITS)
    op.execute(FOLLOW_EVENTS)


def _orders() -> None:
    op.execute("TRUNCATE sale_facts")
    op.execute(_with_columns("sale_facts", [f"order_{name}" for name in OF_LINES], "integer NOT NULL"))
    op.drop_index("ix_sale_facts_buyers", "sale_facts")
    # What belongs to orders as a whole, without the lines: two fifths of the rows, and never the table itself.
    op.create_index(
        "ix_sale_facts_orders",
        "sale_facts",
        ["local_at"],
        postgresql_include=[
            *("day", "hour", "customer", "code", "country", "city", "payment_status", "refund_cents", "shipping_cents"),
            *(f"order_{name}" for name in OF_LINES),
            *("order_mark", "is_sale", "is_new"),
        ],
        postgresql_where=sa.text("order_mark = 1 OR NOT is_sale"),
    )


def _with_columns(table: str, names: Sequence[str], kind: str) -> str:
    return f"ALTER TABLE {table} {', '.join(f'ADD COLUMN {name} {kind}' for name in names)}"


def downgrade() -> None:
    op.execute("DROP TRIGGER shop_events_number ON shop_events")
    op.execute("DROP FUNCTION number_event()")
    op.execute("DROP VIEW visit_events")
    op.drop_index("ix_shop_events_visit", "shop_events")
    op.drop_index("ix_shop_events_unnumbered", "shop_events")
    op.drop_index("ix_shop_events_local_at", "shop_events")
    for name in ("visit_number", *NUMBERED):
        op.drop_column("shop_events", name)
    op.create_index("ix_shop_events_local_at", "shop_events", ["local_at"])
    op.execute("DROP SEQUENCE visit_numbers")
    op.drop_table("event_members")
    op.execute(earlier.earlier.VISITS)
    op.drop_index("ix_sale_facts_orders", "sale_facts")
    for name in OF_LINES:
        op.drop_column("sale_facts", f"order_{name}")
    op.create_index(
        "ix_sale_facts_buyers",
        "sale_facts",
        ["local_at"],
        postgresql_include=["customer", "is_new", "order_mark"],
        postgresql_where=sa.text("order_mark = 1"),
    )
    op.execute(earlier.FOLLOW)
    op.execute(earlier.BUILD.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"))
    earlier._start_over()
