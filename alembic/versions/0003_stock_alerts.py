"""stock alerts"""

import sqlalchemy as sa

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "stock_alerts",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("variant_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("back_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("mailed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("token_hash", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_stock_alerts_user_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["variant_id"], ["variants.id"], name=op.f("fk_stock_alerts_variant_id_variants"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stock_alerts")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_stock_alerts_token_hash")),
    )
    op.create_index("ix_stock_alerts_email", "stock_alerts", ["email"], unique=False)
    op.create_index(op.f("ix_stock_alerts_mailed_at"), "stock_alerts", ["mailed_at"], unique=False)
    op.create_index("ix_stock_alerts_user", "stock_alerts", ["user_id"], unique=False)
    op.create_index(
        "uq_stock_alerts_waiting",
        "stock_alerts",
        ["variant_id", "email"],
        unique=True,
        postgresql_where=sa.text("mailed_at IS NULL"),
    )
    op.add_column("mails", sa.Column("unsubscribe_url", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("mails", "unsubscribe_url")
    op.drop_index("uq_stock_alerts_waiting", table_name="stock_alerts", postgresql_where=sa.text("mailed_at IS NULL"))
    op.drop_index("ix_stock_alerts_user", table_name="stock_alerts")
    op.drop_index(op.f("ix_stock_alerts_mailed_at"), table_name="stock_alerts")
    op.drop_index("ix_stock_alerts_email", table_name="stock_alerts")
    op.drop_table("stock_alerts")
