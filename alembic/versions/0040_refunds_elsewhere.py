"""refunds elsewhere

What was called off because the provider paid everything back is to be sent again when that refund fails, so it is
counted apart. A dispute says as of when it is the provider's.

Refunds and disputes that were heard of before their order were noted as handled and lost. Disputes find their orders
here; events of refunds are handled anew when they come again, as `minimal catch-up` has them do.
"""

import sqlalchemy as sa

from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {"prefer-bigint-over-int": "At most the pieces of one order line."}


def upgrade() -> None:
    op.add_column(
        "order_lines", sa.Column("called_off_refunded", sa.Integer(), server_default=sa.text("0"), nullable=False)
    )
    op.add_column(
        "disputes", sa.Column("as_of", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False)
    )
    op.execute(
        "UPDATE disputes SET order_id = orders.id FROM orders"
        " WHERE disputes.order_id IS NULL AND orders.payment_intent_id = disputes.payment_intent_id"
    )
    op.execute("DELETE FROM webhook_events WHERE type = 'charge.refunded' OR starts_with(type, 'refund.')")


def downgrade() -> None:
    op.drop_column("disputes", "as_of")
    op.drop_column("order_lines", "called_off_refunded")
