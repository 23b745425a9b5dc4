"""Keep settings of the shop without a column each."""

from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE shop_settings ADD COLUMN further jsonb NOT NULL DEFAULT '{}'")


def downgrade() -> None:
    op.execute("ALTER TABLE shop_settings DROP COLUMN further")
