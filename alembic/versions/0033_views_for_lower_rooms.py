"""views for lower rooms

What a room reads of rooms above it, it reads from views that those give.
"""

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

OF_ORDERS = ("reserved_pieces", "sold_pieces", "line_references", "code_uses", "code_reservations")
OF_PAYMENTS = ("order_refunds", "order_refund_lines", "order_disputes", "payment_issues")


def upgrade() -> None:
    apply_sql("orders", *OF_ORDERS, at=revision)
    apply_sql("payments", *OF_PAYMENTS, at=revision)


def downgrade() -> None:
    for view in (*OF_PAYMENTS, *OF_ORDERS):
        op.execute(f"DROP VIEW {view}")
