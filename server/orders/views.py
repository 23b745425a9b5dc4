"""Views of payments, a higher domain, for this one: what their columns mean stands in `alembic/sql/payments/`."""

from sqlalchemy import BigInteger, Boolean, DateTime, Integer, Text, Uuid, column, table

order_refunds = table(
    "order_refunds",
    column("id", Uuid),
    column("order_id", Uuid),
    column("amount_cents", BigInteger),
    column("shipping_cents", BigInteger),
    column("reason", Text),
    column("status", Text),
    column("asked_by", Text),
    column("return_id", Uuid),
    column("created_at", DateTime(timezone=True)),
    column("needs_care", Boolean),
)
order_refund_lines = table(
    "order_refund_lines", column("refund_id", Uuid), column("order_line_id", Uuid), column("quantity", Integer)
)
order_disputes = table(
    "order_disputes",
    column("id", Text),
    column("order_id", Uuid),
    column("amount_cents", BigInteger),
    column("reason", Text),
    column("status", Text),
    column("is_open", Boolean),
    column("answer_by", DateTime(timezone=True)),
    column("created_at", DateTime(timezone=True)),
)
payment_issues = table(
    "payment_issues",
    column("kind", Text),
    column("id", Text),
    column("at", DateTime(timezone=True)),
    column("amount_cents", BigInteger),
    column("email", Text),
    column("order_id", Uuid),
    column("number", BigInteger),
    column("status", Text),
    column("reason", Text),
    column("payment_intent_id", Text),
    column("is_open", Boolean),
)
