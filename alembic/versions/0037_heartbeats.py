"""heartbeats of processes"""

import sqlalchemy as sa

from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {"prefer-bigint-over-int": "Process ids of the systems that it runs on fit."}


def upgrade() -> None:
    op.create_table(
        "heartbeats",
        sa.Column("id", sa.Uuid(), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("role", "version", "host")),
        sa.Column("pid", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.DateTime(timezone=True), nullable=False) for name in ("started_at", "seen_at")),
        sa.Column("is_leader", sa.Boolean(), nullable=False),
        *(sa.Column(name, sa.Float(), nullable=True) for name in ("index_age", "replica_lag")),
        *(sa.Column(name, sa.DateTime(timezone=True), nullable=True) for name in ("archived_until", "base_backup_at")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heartbeats")),
    )


def downgrade() -> None:
    op.drop_table("heartbeats")
