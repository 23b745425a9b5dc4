"""facts of many orders in a time that grows with their number, without statistics too"""

from server.platform.processes.sql_files import apply_sql

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    apply_sql("analytics", "sales_of", at=revision)


def downgrade() -> None:
    apply_sql("analytics", "sales_of", at="0043")
