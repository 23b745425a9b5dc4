"""addresses of before lead to those of now, and products are announced when their category is renamed"""

import sqlalchemy as sa

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "redirects",
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("path <> target", name=op.f("ck_redirects_target")),
        sa.PrimaryKeyConstraint("path", name=op.f("pk_redirects")),
    )
    op.create_index(op.f("ix_redirects_target"), "redirects", ["target"])
    apply_sql("catalog", "announce_renamed_categories", at=revision)


def downgrade() -> None:
    for table in ("departments", "kinds", "categories"):
        op.execute(f"DROP TRIGGER announce_renamed ON {table}")
    op.execute("DROP FUNCTION announce_renamed_categories")
    op.drop_table("redirects")
