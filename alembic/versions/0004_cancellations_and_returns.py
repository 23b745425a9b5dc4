"""cancellations and returns"""

import sqlalchemy as sa

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("orders", sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("orders", sa.Column("canceled_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "returns",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.Text(), server_default=sa.text("'requested'"), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("status IN ('requested')", name=op.f("ck_returns_status")),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_returns_order_id_orders"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_returns")),
    )
    op.create_index(op.f("ix_returns_order_id"), "returns", ["order_id"], unique=False)
    op.create_table(
        "return_lines",
        sa.Column("return_id", sa.Uuid(), nullable=False),
        sa.Column("order_line_id", sa.Uuid(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.CheckConstraint("quantity >= 1", name=op.f("ck_return_lines_quantity")),
        sa.ForeignKeyConstraint(
            ["order_line_id"],
            ["order_lines.id"],
            name=op.f("fk_return_lines_order_line_id_order_lines"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["return_id"], ["returns.id"], name=op.f("fk_return_lines_return_id_returns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("return_id", "order_line_id", name=op.f("pk_return_lines")),
    )
    op.create_index(op.f("ix_return_lines_order_line_id"), "return_lines", ["order_line_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_return_lines_order_line_id"), table_name="return_lines")
    op.drop_table("return_lines")
    op.drop_index(op.f("ix_returns_order_id"), table_name="returns")
    op.drop_table("returns")
    op.drop_column("orders", "canceled_at")
    op.drop_column("orders", "failed_at")
