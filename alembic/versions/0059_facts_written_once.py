"""facts of customers who buy again are written once"""

from server.platform.processes.sql_files import apply_sql

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    apply_sql("analytics", "follow_sales", at=revision)


def downgrade() -> None:
    apply_sql("analytics", "follow_sales", at="0043")
