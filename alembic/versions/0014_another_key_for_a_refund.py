"""another key for a refund"""

import sqlalchemy as sa

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("refunds", sa.Column("attempt", sa.Integer(), server_default=sa.text("1"), nullable=False))


def downgrade() -> None:
    op.drop_column("refunds", "attempt")
