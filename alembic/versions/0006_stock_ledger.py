"""stock ledger"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

REASONS = (
    "'opening', 'sale', 'cancellation', 'refund', 'return', 'received', 'counted', 'damaged', 'adjustment', 'import'"
)


def upgrade() -> None:
    op.create_table(
        "stock_movements",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("variant_id", sa.Uuid(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=True),
        sa.Column("note", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("actor_email", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.CheckConstraint("quantity <> 0", name=op.f("ck_stock_movements_quantity")),
        sa.CheckConstraint(f"reason IN ({REASONS})", name=op.f("ck_stock_movements_reason")),
        sa.ForeignKeyConstraint(["variant_id"], ["variants.id"], name=op.f("fk_stock_movements_variant_id_variants")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stock_movements")),
    )
    op.create_index("ix_stock_movements_variant", "stock_movements", ["variant_id", "id"])
    op.create_index(
        "ix_stock_movements_order",
        "stock_movements",
        ["order_id"],
        postgresql_where=sa.text("order_id IS NOT NULL"),
    )
    # Nothing may be sold between the look at the shelves and the first line of the ledger.
    op.execute("LOCK TABLE variants, checkouts IN SHARE MODE")
    op.execute(
        """
        INSERT INTO stock_movements (variant_id, quantity, reason)
        SELECT variants.id, variants.stock + coalesce(held.quantity, 0), 'opening'
        FROM variants LEFT JOIN (
            SELECT variant_id, sum(quantity)::int AS quantity
            FROM checkout_lines JOIN checkouts ON checkouts.id = checkout_lines.checkout_id
            WHERE status IN ('open', 'processing') GROUP BY variant_id
        ) held ON held.variant_id = variants.id
        WHERE variants.stock + coalesce(held.quantity, 0) <> 0
        """
    )
    op.execute(
        """
        CREATE TRIGGER stock_movements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON stock_movements
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite()
        """
    )
    op.create_table(
        "imports",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=False),
        sa.Column("actor_email", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("state", sa.Text(), server_default=sa.text("'checking'"), nullable=False),
        sa.Column("rows", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("rows_done", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("problem_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("problems", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("summary", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("changes", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("started_by_id", sa.Uuid(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('checking', 'refused', 'ready', 'running', 'done', 'discarded')", name=op.f("ck_imports_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imports")),
    )


def downgrade() -> None:
    op.drop_table("imports")
    op.drop_table("stock_movements")
