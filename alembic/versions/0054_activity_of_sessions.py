"""Record when a session was last active, which keeps its sign-in recent."""

from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE sessions ADD COLUMN active_at timestamptz")


def downgrade() -> None:
    op.execute("ALTER TABLE sessions DROP COLUMN active_at")
