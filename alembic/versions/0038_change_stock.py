"""stock that is locked and changed in one round trip and two statements"""

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    apply_sql("catalog", "change_stock", at=revision)


def downgrade() -> None:
    op.execute("DROP FUNCTION change_stock")
