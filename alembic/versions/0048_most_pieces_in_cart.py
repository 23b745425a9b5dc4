"""the most pieces of one variant, as an addition to a cart keeps to

The version before calls the function without its new argument, and adds as many as there are in stock.
"""

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {"ban-drop-function": "The next statement creates it again, for calls of both versions."}


def upgrade() -> None:
    # Beside the new function, whose last argument can be left out, a call without it would be ambiguous.
    op.execute("DROP FUNCTION add_cart_line(uuid, uuid, integer, integer)")
    apply_sql("cart", "add_cart_line", at=revision)


def downgrade() -> None:
    op.execute("DROP FUNCTION add_cart_line(uuid, uuid, integer, integer, integer)")
    apply_sql("cart", "add_cart_line", at="0034")
