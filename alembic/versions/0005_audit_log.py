"""audit log"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_entries",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("actor_email", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject_kind", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.Text(), nullable=False),
        sa.Column("subject_label", sa.Text(), nullable=False),
        sa.Column("before", postgresql.JSONB(), nullable=False),
        sa.Column("after", postgresql.JSONB(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entries")),
    )
    op.create_index("ix_audit_entries_created", "audit_entries", ["created_at", "id"])
    op.create_index("ix_audit_entries_subject", "audit_entries", ["subject_kind", "subject_id", "created_at"])
    op.create_index("ix_audit_entries_actor", "audit_entries", ["actor_email", "created_at"])
    op.create_index("ix_audit_entries_action", "audit_entries", ["action", "created_at"])
    op.execute(
        """
        CREATE FUNCTION refuse_to_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
        END $$
        """
    )
    op.execute(
        """
        CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite()
        """
    )
    # What counts as low is the shop's to decide while it runs, so this tells of every fall to where it could matter.
    op.execute(
        """
        CREATE FUNCTION announce_falling_stock() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            fallen text;
            number int;
        BEGIN
            SELECT string_agg(format('%s:%s:%s', id, was.stock, became.stock), ','), count(*) INTO fallen, number
            FROM was JOIN became USING (id)
            WHERE became.stock < was.stock AND became.stock <= 1000;
            IF number > 0 THEN
                PERFORM pg_notify('stock_fell', CASE WHEN number <= 100 THEN fallen ELSE '' END);
            END IF;
            RETURN NULL;
        END $$
        """
    )
    op.execute(
        """
        CREATE TRIGGER announce_falling_stock AFTER UPDATE ON variants
        REFERENCING OLD TABLE AS was NEW TABLE AS became
        FOR EACH STATEMENT EXECUTE FUNCTION announce_falling_stock()
        """
    )


def downgrade() -> None:
    op.execute("DROP TRIGGER announce_falling_stock ON variants")
    op.execute("DROP FUNCTION announce_falling_stock()")
    op.drop_table("audit_entries")
    op.execute("DROP FUNCTION refuse_to_rewrite()")
