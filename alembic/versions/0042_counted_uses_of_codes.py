"""uses of discount codes that are counted as they happen

Triggers on orders and checkouts follow the uses of codes that have a limit. Creating them waits for transactions that
write to either table, so the count that follows misses none.
"""

import sqlalchemy as sa

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0042"
down_revision = "0040"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {"prefer-bigint-over-int": "max_uses, which limits it, is at most ten million."}
TRIGGERS = ("take_code_use", "take_code_use_again", "give_back_code_use", "delete_code_use")


def upgrade() -> None:
    op.add_column("discount_codes", sa.Column("counted_uses", sa.Integer(), nullable=True))
    apply_sql("pricing", "lock_code_uses", "change_code_uses", at=revision)
    apply_sql("orders", "is_code_use", "code_uses", "count_code_uses", at=revision)
    apply_sql("pricing", "count_code_uses", at=revision)
    op.execute("UPDATE discount_codes SET max_uses = max_uses WHERE max_uses IS NOT NULL")


def downgrade() -> None:
    op.execute("DROP TRIGGER count_code_uses ON discount_codes")
    for name in TRIGGERS:
        op.execute(f"DROP TRIGGER {name} ON orders")
        op.execute(f"DROP TRIGGER {name} ON checkouts")
    apply_sql("orders", "code_uses", at="0033")
    for function in ("count_code_uses", "change_code_uses", "lock_code_uses", "is_code_use"):
        op.execute(f"DROP FUNCTION {function}")
    op.drop_column("discount_codes", "counted_uses")
