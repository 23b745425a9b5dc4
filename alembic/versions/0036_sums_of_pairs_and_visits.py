"""sums of pairs and visits

Pairs of products are counted from here on by triggers on the facts of sales, whichever version writes those, and the
ones of before in the transaction that adds the triggers: meanwhile only the follower waits. Sums of visits are made by
the worker.
"""

import sqlalchemy as sa

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {
    "prefer-bigint-over-int": "Numbers of members and visits are of this width, and narrow rows are read faster.",
}
EVENTS = ("insert", "delete", "truncate")


def upgrade() -> None:
    op.create_table(
        "sales_by_day_pair",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer(), nullable=False),
        sa.Column("orders", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "first", "second", name="pk_sales_by_day_pair"),
    )
    op.create_table(
        "visits_by_day",
        sa.Column("split", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("member", sa.Integer(), nullable=False),
        sa.Column("previous_day", sa.Date(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        *(sa.Column(step, sa.Integer(), nullable=False) for step in ("viewed", "added", "checkout", "paid")),
        sa.PrimaryKeyConstraint("split", "day", "member", "previous_day", "minutes", name="pk_visits_by_day"),
    )
    op.create_table(
        "settled_visits",
        sa.Column("minutes", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("until", sa.Date(), nullable=False),
        sa.Column("last_visit", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("minutes", name="pk_settled_visits"),
    )
    apply_sql("analytics", "count_pairs", at=revision)
    op.execute(
        """
        INSERT INTO sales_by_day_pair (day, first, second, orders)
        SELECT day, one, other, count(*)
        FROM (
            SELECT day, uniq(sort(array_agg(product))) AS products FROM sale_facts
            WHERE is_sale AND product <> 0 GROUP BY day, order_number HAVING count(*) > 1
        ) baskets, unnest(products) AS one, unnest(products) AS other
        WHERE one < other GROUP BY day, one, other ORDER BY day, one, other
        """
    )


def downgrade() -> None:
    for event in EVENTS:
        op.execute(f"DROP TRIGGER sales_count_pairs_{event} ON sale_facts")
    op.execute("DROP FUNCTION count_pairs")
    for table in ("settled_visits", "visits_by_day", "sales_by_day_pair"):
        op.drop_table(table)
