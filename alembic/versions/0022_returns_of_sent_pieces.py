"""returns of sent pieces"""

from alembic import op

revision = "0022"
down_revision = "0017"
branch_labels = None
depends_on = None

STATUSES = "'requested', 'accepted', 'refused', 'received', 'refunded'"

# Whoever writes the row: the order's line is locked first, so that two returns at once are counted one after the other.
CHECK = """
    CREATE FUNCTION check_returned_pieces() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        sent integer;
        asked bigint;
    BEGIN
        SELECT shipped INTO sent FROM order_lines WHERE id = NEW.order_line_id FOR NO KEY UPDATE;
        SELECT sum(return_lines.quantity) INTO asked
        FROM return_lines JOIN returns ON returns.id = return_lines.return_id
        WHERE return_lines.order_line_id = NEW.order_line_id AND returns.status NOT IN ('refused', 'canceled');
        IF asked > sent THEN
            RAISE EXCEPTION 'more pieces of an order line are to come back than were sent'
                USING ERRCODE = 'check_violation', TABLE = 'return_lines', CONSTRAINT = 'ck_return_lines_sent';
        END IF;
        RETURN NULL;
    END $$
"""


def upgrade() -> None:
    op.drop_constraint(op.f("ck_returns_status"), "returns", type_="check")
    op.create_check_constraint(op.f("ck_returns_status"), "returns", f"status IN ({STATUSES}, 'canceled')")
    op.execute(
        """
        UPDATE returns SET status = 'canceled' FROM orders
        WHERE orders.id = returns.order_id AND orders.canceled_at IS NOT NULL
            AND returns.status IN ('requested', 'accepted', 'received')
        """
    )
    _index_open_returns("status NOT IN ('refused', 'refunded', 'canceled')")
    op.execute(CHECK)
    op.execute(
        "CREATE TRIGGER check_returned_pieces AFTER INSERT OR UPDATE OF quantity, order_line_id ON return_lines"
        " FOR EACH ROW EXECUTE FUNCTION check_returned_pieces()"
    )


def downgrade() -> None:
    op.execute("DROP TRIGGER check_returned_pieces ON return_lines")
    op.execute("DROP FUNCTION check_returned_pieces")
    op.execute("UPDATE returns SET status = 'refused' WHERE status = 'canceled'")
    _index_open_returns("status NOT IN ('refused', 'refunded')")
    op.drop_constraint(op.f("ck_returns_status"), "returns", type_="check")
    op.create_check_constraint(op.f("ck_returns_status"), "returns", f"status IN ({STATUSES})")


def _index_open_returns(condition: str) -> None:
    op.drop_index("ix_returns_open", "returns")
    op.execute(f"CREATE INDEX ix_returns_open ON returns (status, created_at) WHERE {condition}")
