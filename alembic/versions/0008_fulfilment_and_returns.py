"""fulfilment and returns"""

import sqlalchemy as sa

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

NAMES = "search_text((email || ' '::text) || COALESCE(shipping_address ->> 'name'::text, ''::text))"


def upgrade() -> None:
    _orders()
    _shipments()
    _notes()
    _returns()
    _refunds()
    _disputes()


def _orders() -> None:
    op.add_column("orders", sa.Column("fulfilment", sa.Text(), server_default=sa.text("'unfulfilled'"), nullable=False))
    for counter in ("shipped", "called_off"):
        op.add_column("order_lines", sa.Column(counter, sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.execute("UPDATE orders SET fulfilment = 'canceled' WHERE canceled_at IS NOT NULL")
    op.execute(
        """
        UPDATE order_lines SET called_off = quantity FROM orders
        WHERE orders.id = order_lines.order_id AND orders.canceled_at IS NOT NULL
        """
    )
    op.create_check_constraint(
        op.f("ck_orders_fulfilment"),
        "orders",
        "fulfilment IN ('unfulfilled', 'partly_shipped', 'shipped', 'delivered', 'canceled')",
    )
    op.create_check_constraint(
        op.f("ck_order_lines_pieces"),
        "order_lines",
        "shipped >= 0 AND called_off >= 0 AND shipped + called_off <= quantity",
    )
    op.create_index("ix_orders_fulfilment", "orders", ["fulfilment", "created_at", "id"])
    op.create_index("ix_orders_payment_status", "orders", ["payment_status", "created_at", "id"])
    op.create_index("ix_orders_total", "orders", ["total_cents", "id"])
    op.create_index("ix_orders_search", "orders", [sa.text(f"{NAMES} gin_trgm_ops")], postgresql_using="gin")


def _shipments() -> None:
    op.create_table(
        "shipments",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column("carrier", sa.Text(), nullable=False),
        sa.Column("tracking_number", sa.Text(), nullable=False),
        sa.Column("tracking_url", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_shipments_order_id_orders"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shipments")),
    )
    op.create_index(op.f("ix_shipments_order_id"), "shipments", ["order_id"])
    op.create_table(
        "shipment_lines",
        sa.Column("shipment_id", sa.Uuid(), nullable=False),
        sa.Column("order_line_id", sa.Uuid(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.CheckConstraint("quantity >= 1", name=op.f("ck_shipment_lines_quantity")),
        sa.ForeignKeyConstraint(
            ["shipment_id"], ["shipments.id"], name=op.f("fk_shipment_lines_shipment_id_shipments"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["order_line_id"],
            ["order_lines.id"],
            name=op.f("fk_shipment_lines_order_line_id_order_lines"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("shipment_id", "order_line_id", name=op.f("pk_shipment_lines")),
    )
    op.create_index(op.f("ix_shipment_lines_order_line_id"), "shipment_lines", ["order_line_id"])


def _notes() -> None:
    op.create_table(
        "order_notes",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("author_name", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_order_notes_order_id_orders"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name=op.f("fk_order_notes_author_id_users"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_notes")),
    )
    op.create_index(op.f("ix_order_notes_order_id"), "order_notes", ["order_id"])


def _returns() -> None:
    for words in ("answer", "label_url"):
        op.add_column("returns", sa.Column(words, sa.Text(), server_default=sa.text("''"), nullable=False))
    for moment in ("answered_at", "received_at", "refunded_at"):
        op.add_column("returns", sa.Column(moment, sa.DateTime(timezone=True), nullable=True))
    op.drop_constraint(op.f("ck_returns_status"), "returns", type_="check")
    op.create_check_constraint(
        op.f("ck_returns_status"),
        "returns",
        "status IN ('requested', 'accepted', 'refused', 'received', 'refunded')",
    )
    op.create_index(
        "ix_returns_open",
        "returns",
        ["status", "created_at"],
        postgresql_where=sa.text("status NOT IN ('refused', 'refunded')"),
    )
    op.add_column("return_lines", sa.Column("received", sa.Integer(), nullable=True))
    op.add_column("return_lines", sa.Column("restocked", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.create_check_constraint(
        op.f("ck_return_lines_restocked"), "return_lines", "restocked >= 0 AND restocked <= coalesce(received, 0)"
    )
    op.create_check_constraint(
        op.f("ck_return_lines_received"), "return_lines", "received >= 0 AND received <= quantity"
    )


def _refunds() -> None:
    op.add_column("refunds", sa.Column("shipping_cents", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.add_column("refunds", sa.Column("return_id", sa.Uuid(), nullable=True))
    op.add_column("refunds", sa.Column("request_key", sa.Text(), nullable=True))
    op.add_column("refunds", sa.Column("replaces_id", sa.Uuid(), nullable=True))
    op.add_column("refunds", sa.Column("asked_by", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.add_column("refunds", sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True))
    op.create_foreign_key(op.f("fk_refunds_return_id_returns"), "refunds", "returns", ["return_id"], ["id"])
    op.create_foreign_key(op.f("fk_refunds_replaces_id_refunds"), "refunds", "refunds", ["replaces_id"], ["id"])
    op.create_unique_constraint(op.f("uq_refunds_request_key"), "refunds", ["request_key"])
    op.create_unique_constraint(op.f("uq_refunds_replaces_id"), "refunds", ["replaces_id"])
    op.create_check_constraint(op.f("ck_refunds_shipping"), "refunds", "shipping_cents BETWEEN 0 AND amount_cents")
    op.create_index(op.f("ix_refunds_return_id"), "refunds", ["return_id"])
    op.create_index(
        "uq_refunds_first_of_checkout",
        "refunds",
        ["checkout_id"],
        unique=True,
        postgresql_where=sa.text("order_id IS NULL AND replaces_id IS NULL"),
    )
    op.drop_index("uq_refunds_checkout", table_name="refunds")
    op.create_index(
        "ix_refunds_failed",
        "refunds",
        ["created_at"],
        postgresql_where=sa.text("status = 'failed' AND closed_at IS NULL"),
    )
    op.create_table(
        "refund_lines",
        sa.Column("refund_id", sa.Uuid(), nullable=False),
        sa.Column("order_line_id", sa.Uuid(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("amount_cents", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("quantity >= 1", name=op.f("ck_refund_lines_quantity")),
        sa.CheckConstraint("amount_cents >= 0", name=op.f("ck_refund_lines_amount")),
        sa.ForeignKeyConstraint(
            ["refund_id"], ["refunds.id"], name=op.f("fk_refund_lines_refund_id_refunds"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["order_line_id"],
            ["order_lines.id"],
            name=op.f("fk_refund_lines_order_line_id_order_lines"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("refund_id", "order_line_id", name=op.f("pk_refund_lines")),
    )
    op.create_index(op.f("ix_refund_lines_order_line_id"), "refund_lines", ["order_line_id"])


def _disputes() -> None:
    op.create_table(
        "disputes",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=True),
        sa.Column("payment_intent_id", sa.Text(), nullable=False),
        sa.Column("amount_cents", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("answer_by", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_disputes_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_disputes")),
    )
    op.create_index(op.f("ix_disputes_order_id"), "disputes", ["order_id"])
    op.create_index(op.f("ix_disputes_payment_intent_id"), "disputes", ["payment_intent_id"])


def downgrade() -> None:
    op.drop_table("disputes")
    op.drop_table("refund_lines")
    op.create_index(
        "uq_refunds_checkout",
        "refunds",
        ["checkout_id"],
        unique=True,
        postgresql_where=sa.text("order_id IS NULL"),
    )
    op.drop_index("uq_refunds_first_of_checkout", table_name="refunds")
    op.drop_index("ix_refunds_failed", table_name="refunds")
    op.drop_constraint(op.f("ck_refunds_shipping"), "refunds", type_="check")
    for column in ("closed_at", "asked_by", "replaces_id", "request_key", "return_id", "shipping_cents"):
        op.drop_column("refunds", column)
    op.drop_column("return_lines", "restocked")
    op.drop_column("return_lines", "received")
    op.drop_index("ix_returns_open", table_name="returns")
    op.execute("UPDATE returns SET status = 'requested'")
    op.drop_constraint(op.f("ck_returns_status"), "returns", type_="check")
    op.create_check_constraint(op.f("ck_returns_status"), "returns", "status IN ('requested')")
    for column in ("refunded_at", "received_at", "answered_at", "label_url", "answer"):
        op.drop_column("returns", column)
    op.drop_table("order_notes")
    op.drop_table("shipment_lines")
    op.drop_table("shipments")
    for name in ("search", "total", "payment_status", "fulfilment"):
        op.drop_index(f"ix_orders_{name}", table_name="orders")
    op.drop_column("order_lines", "called_off")
    op.drop_column("order_lines", "shipped")
    op.drop_column("orders", "fulfilment")
