"""codes, delivery, tax, settings"""

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shop_settings",
        sa.Column("only_row", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("seller", sa.Text(), nullable=True),
        sa.Column("contact_email", sa.Text(), nullable=True),
        sa.Column("cancel_minutes", sa.Integer(), nullable=True),
        sa.Column("return_days", sa.Integer(), nullable=True),
        sa.Column("low_stock_threshold", sa.Integer(), nullable=True),
        sa.Column("time_zone", sa.Text(), nullable=True),
        sa.Column("prices_include_tax", sa.Boolean(), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("only_row", name=op.f("ck_shop_settings_only_row")),
        sa.CheckConstraint("cancel_minutes BETWEEN 0 AND 43200", name=op.f("ck_shop_settings_cancel_minutes")),
        sa.CheckConstraint("return_days BETWEEN 0 AND 365", name=op.f("ck_shop_settings_return_days")),
        sa.CheckConstraint("low_stock_threshold BETWEEN 0 AND 1000", name=op.f("ck_shop_settings_low_stock_threshold")),
        sa.PrimaryKeyConstraint("only_row", name=op.f("pk_shop_settings")),
    )
    op.execute(
        """
        CREATE FUNCTION announce_settings_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('shop_settings', '');
            RETURN NULL;
        END $$
        """
    )
    op.execute(
        "CREATE TRIGGER announce_settings_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON shop_settings"
        " FOR EACH STATEMENT EXECUTE FUNCTION announce_settings_change()"
    )
    announce("shop_settings")


def announce(table: str) -> None:
    """A change of this table changes what visitors are told, which is kept until the catalogue changes."""
    op.execute(
        f"CREATE TRIGGER announce_catalog_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION announce_catalog_change()"
    )


def downgrade() -> None:
    op.drop_table("shop_settings")
    op.execute("DROP FUNCTION announce_settings_change()")
