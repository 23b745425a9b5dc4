"""one rule of when a discount applies, and announcements of every column that shoppers see"""

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    apply_sql("catalog", "discount_applies", "keep_discount_window", "announce_changed_products", at=revision)
    apply_sql("cart", "add_cart_line", "cart_contents", at=revision)


def downgrade() -> None:
    apply_sql("cart", "cart_contents", at="0051")
    apply_sql("cart", "add_cart_line", at="0048")
    apply_sql("catalog", "announce_changed_products", at="0035")
    apply_sql("catalog", "keep_discount_window", at="0024")
    op.execute("DROP FUNCTION discount_applies")
