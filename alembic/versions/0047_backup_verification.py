"""what the backups prove, in heartbeats"""

import sqlalchemy as sa

from alembic import op

revision = "0047"
down_revision = "0043"
branch_labels = None
depends_on = None

MOMENTS = ("backup_verified_at", "restorable_from", "restorable_until")


def upgrade() -> None:
    for name in MOMENTS:
        op.add_column("heartbeats", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.add_column("heartbeats", sa.Column("backup_problem", sa.Text(), nullable=True))


def downgrade() -> None:
    for name in (*MOMENTS, "backup_problem"):
        op.drop_column("heartbeats", name)
