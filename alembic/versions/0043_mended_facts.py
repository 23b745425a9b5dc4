"""facts of sales by one function, without marks of first lines

Refunds that fail late leave the facts, refunds are divided over what is left of an order, deleted accounts stay one
customer each, and visits move with their products. Facts of before are made anew by the server. Only reports of the
version before read the marks, so that the columns stay until the next migration.

Each file or statement is a transaction of its own, so that none holds two tables that buyers lock. Begun again, it
finds what is done.
"""

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {
    "ban-drop-function": "Only the version before of follow_sales and the demo's bulk inserts called them.",
    "ban-drop-view": "Only those functions, and people, read them.",
}

ANEW = """
UPDATE analytics_state SET rebuilt_at = NULL
WHERE EXISTS (SELECT FROM sale_facts) OR EXISTS (SELECT FROM shop_events)
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("ALTER TABLE orders ADD COLUMN IF NOT EXISTS former_customer uuid")
        apply_sql("orders", "keep_former_customer", at=revision)
        apply_sql(
            "analytics", "divide_refund", "sales_of", "follow_sales", "follow_refund", "number_event", at=revision
        )
        apply_sql("analytics", "build_sales", "sale_rows_of", "sales", "sale_rows", at=revision)
        op.execute(ANEW)


def downgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("DROP TRIGGER IF EXISTS orders_keep_former_customer ON orders")
        op.execute("DROP FUNCTION IF EXISTS keep_former_customer")
        op.execute("ALTER TABLE orders DROP COLUMN IF EXISTS former_customer")
        op.execute("DROP TRIGGER IF EXISTS sales_follow_new_refunds ON refunds")
        op.execute("DROP TRIGGER IF EXISTS shop_events_number_category ON shop_events")
        apply_sql("analytics", "sale_rows", "sale_rows_of", "follow_sales", "build_sales", "sales", at="0024")
        apply_sql("analytics", "follow_refund", "number_event", at="0024")
        op.execute("DROP FUNCTION IF EXISTS sales_of, divide_refund")
        op.execute(ANEW)
