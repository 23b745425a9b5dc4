"""leases of jobs, and jobs that failed"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0020"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # A worker of the version before leaves it NULL and goes by leased_until alone, as this one does with its jobs.
    op.add_column("jobs", sa.Column("lease", sa.Uuid(), nullable=True))
    # One queue's backlog is nothing that another has to read past.
    op.create_index("ix_jobs_kind_due", "jobs", ["kind", "run_at"])
    op.drop_index("ix_jobs_due", table_name="jobs")
    op.create_table(
        "failed_jobs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("payload", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_failed_jobs")),
        sa.UniqueConstraint("key", name=op.f("uq_failed_jobs_key")),
    )
    op.create_index("ix_failed_jobs_kind", "failed_jobs", ["kind", "failed_at"])


def downgrade() -> None:
    # Dead letters become jobs again rather than be lost.
    op.execute(
        """
        INSERT INTO jobs (id, kind, key, payload, last_error, created_at)
        SELECT id, kind, key, payload, error, created_at FROM failed_jobs
        ON CONFLICT DO NOTHING
        """
    )
    op.drop_table("failed_jobs")
    op.create_index("ix_jobs_due", "jobs", ["run_at"])
    op.drop_index("ix_jobs_kind_due", table_name="jobs")
    op.drop_column("jobs", "lease")
