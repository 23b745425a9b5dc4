"""a cart that is read in the round trip that adds to it"""

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    apply_sql("cart", "cart_contents", at=revision)


def downgrade() -> None:
    op.execute("DROP FUNCTION cart_contents")
