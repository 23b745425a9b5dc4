"""discount codes keep what they take off as a promotion, and the lines of a cart say their category

The version before goes on with the columns of percentage, amount and least subtotal, which a trigger keeps equal. It has
no columns for other rules: a code with one takes nothing off there. The next migration drops them.
"""

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0051"
down_revision = "0049"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {
    "adding-not-nullable-field": "A shop has some hundred codes at most, and a trigger fills the column for both versions.",
    "ban-drop-constraint": "It asked for a percentage or an amount, and a code with other rules has neither.",
    "ban-drop-function": "The next statement creates it again, with one column more.",
}


def upgrade() -> None:
    op.add_column("discount_codes", sa.Column("promotion", JSONB(), nullable=True))
    apply_sql("pricing", "keep_code_columns", at=revision)
    op.execute("UPDATE discount_codes SET promotion = NULL")
    op.alter_column("discount_codes", "promotion", nullable=False)
    op.execute("ALTER TABLE discount_codes DROP CONSTRAINT ck_discount_codes_kind")
    apply_sql("cart", "cart_contents", at=revision)


def downgrade() -> None:
    op.execute("DROP FUNCTION cart_contents")
    apply_sql("cart", "cart_contents", at="0039")
    op.execute("DROP TRIGGER keep_code_columns ON discount_codes")
    op.execute("UPDATE discount_codes SET percent = 1, is_active = false WHERE num_nonnulls(percent, amount_cents) = 0")
    op.execute(
        "ALTER TABLE discount_codes ADD CONSTRAINT ck_discount_codes_kind CHECK (num_nonnulls(percent, amount_cents) = 1)"
    )
    op.execute("DROP FUNCTION keep_code_columns")
    op.drop_column("discount_codes", "promotion")
