"""an addition to a cart in one round trip"""

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    apply_sql("cart", "add_cart_line", at=revision)


def downgrade() -> None:
    op.execute("DROP FUNCTION add_cart_line")
