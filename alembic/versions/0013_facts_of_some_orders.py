"""facts of some orders"""

import runpy
from pathlib import Path
from types import SimpleNamespace

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

earlier = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("0012_sums_of_orders_and_numbered_visits.py"))))
FOLLOWED_BEFORE = earlier._renewed(earlier.earlier.FOLLOW, "unnest(rows)")


def _changed(statement: str, changes: dict[str, str]) -> str:
    """With each of these texts, which stand in it once, replaced."""
    for old, new in changes.items():
        assert statement.count(old) == 1, old  # noqa: S101
        statement = statement.replace(old, new)
    return statement


# What the view sale_rows shows of some orders. Asked of the view it is worked out for all orders there are, and then
# most of it is thrown away: ten seconds of every payment in a shop that has had a million.
ROWS = _changed(
    earlier.earlier.earlier.SALE_ROWS,
    {
        "\nCREATE VIEW sale_rows AS": "CREATE FUNCTION sale_rows_of(ids uuid[]) RETURNS SETOF sale_rows"
        " LANGUAGE sql STABLE AS $$",
        "WHERE paid_at IS NOT NULL": "WHERE id = ANY (ids) AND paid_at IS NOT NULL",
        "FROM refund_lines GROUP BY": "FROM refund_lines"
        " WHERE refund_id IN (SELECT id FROM refunds WHERE order_id = ANY (ids)) GROUP BY",
        "refunds.order_id IS NOT NULL": "refunds.order_id = ANY (ids)",
        "WHERE back.amount_cents <> 0": "WHERE back.amount_cents <> 0 $$",
    },
)

# A customer's orders are followed one after the other: two that knew nothing of each other would both be the first.
BUYERS = """number FROM sale_members
        WHERE number = ANY (buyers) OR member = ANY (ARRAY(SELECT customer::text FROM unnest(rows)))
        ORDER BY number FOR NO KEY UPDATE"""
FOLLOW = _changed(
    FOLLOWED_BEFORE,
    {
        "ARRAY(SELECT sale_rows FROM sale_rows WHERE order_id = ANY (ids));": f"""ARRAY(
        SELECT told FROM sale_rows_of(ids) AS told
    );
    PERFORM {BUYERS};""",
        "\n    INSERT INTO sale_facts (": f"""
    buyers := ARRAY(
        SELECT {BUYERS}
    );
    INSERT INTO sale_facts (""",
        "\n    buyers := buyers || ARRAY(SELECT DISTINCT customer FROM sale_facts WHERE order_number = ANY (numbers));": "",
        "WHERE sale_facts.customer = first.customer": "WHERE sale_facts.customer = ANY (buyers)"
        " AND sale_facts.customer = first.customer",
    },
)

# Few events still know their checkout. Told so, the planner looks up those orders rather than read all there are.
VISITS = _changed(earlier.VISITS, {"kind = 'checkout'": "kind = 'checkout' AND shop_events.checkout_id IS NOT NULL"})


def upgrade() -> None:
    op.execute(ROWS)
    op.execute(FOLLOW)
    op.execute(VISITS)


def downgrade() -> None:
    op.execute(earlier.VISITS)
    op.execute(FOLLOWED_BEFORE)
    op.execute("DROP FUNCTION sale_rows_of(uuid[])")
