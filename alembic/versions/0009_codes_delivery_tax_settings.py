"""codes, delivery, tax, settings"""

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

SUBTOTAL = "total_cents + discount_cents - shipping_cents - CASE WHEN tax_included THEN 0 ELSE tax_cents END"


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
        CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify(TG_ARGV[0], '');
            RETURN NULL;
        END $$
        """
    )
    announce("shop_settings", to="shop_settings")
    add_codes()
    add_delivery_and_tax()
    add_sums()


def add_codes() -> None:
    op.create_table(
        "discount_codes",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("percent", sa.Integer(), nullable=True),
        sa.Column("amount_cents", sa.Integer(), nullable=True),
        sa.Column("min_subtotal_cents", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("max_uses", sa.Integer(), nullable=True),
        sa.Column("max_uses_per_customer", sa.Integer(), nullable=True),
        sa.Column("is_active", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("code ~ '^[A-Z0-9][A-Z0-9_-]{1,39}$'", name=op.f("ck_discount_codes_code")),
        sa.CheckConstraint("num_nonnulls(percent, amount_cents) = 1", name=op.f("ck_discount_codes_kind")),
        sa.CheckConstraint("percent BETWEEN 1 AND 100", name=op.f("ck_discount_codes_percent")),
        sa.CheckConstraint("amount_cents > 0", name=op.f("ck_discount_codes_amount")),
        sa.CheckConstraint("min_subtotal_cents >= 0", name=op.f("ck_discount_codes_min_subtotal")),
        sa.CheckConstraint("starts_at < ends_at", name=op.f("ck_discount_codes_window")),
        sa.CheckConstraint("least(max_uses, max_uses_per_customer) >= 1", name=op.f("ck_discount_codes_limits")),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_discount_codes")),
    )
    op.add_column("carts", sa.Column("discount_code", sa.Text(), nullable=True))
    op.create_foreign_key(
        op.f("fk_carts_discount_code_discount_codes"), "carts", "discount_codes", ["discount_code"], ["code"]
    )


def add_delivery_and_tax() -> None:
    op.add_column("products", sa.Column("weight_grams", sa.Integer(), server_default=sa.text("400"), nullable=False))
    op.create_check_constraint(op.f("ck_products_weight"), "products", "weight_grams BETWEEN 0 AND 100000")
    op.create_table(
        "delivery_zones",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_rest", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("basis", sa.Text(), server_default=sa.text("'total'"), nullable=False),
        sa.Column("free_from_cents", sa.Integer(), nullable=True),
        sa.Column("min_days", sa.Integer(), nullable=True),
        sa.Column("max_days", sa.Integer(), nullable=True),
        sa.Column("position", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("basis IN ('weight', 'total')", name=op.f("ck_delivery_zones_basis")),
        sa.CheckConstraint("free_from_cents >= 0", name=op.f("ck_delivery_zones_free_from")),
        sa.CheckConstraint("min_days BETWEEN 0 AND max_days AND max_days <= 365", name=op.f("ck_delivery_zones_days")),
        sa.CheckConstraint("num_nonnulls(min_days, max_days) IN (0, 2)", name=op.f("ck_delivery_zones_both_days")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery_zones")),
    )
    op.create_index(
        "uq_delivery_zones_rest", "delivery_zones", ["is_rest"], unique=True, postgresql_where=sa.text("is_rest")
    )
    op.create_table(
        "delivery_countries",
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("zone_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["zone_id"],
            ["delivery_zones.id"],
            name=op.f("fk_delivery_countries_zone_id_delivery_zones"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("country", name=op.f("pk_delivery_countries")),
    )
    op.create_index(op.f("ix_delivery_countries_zone_id"), "delivery_countries", ["zone_id"], unique=False)
    op.create_table(
        "delivery_rates",
        sa.Column("zone_id", sa.Uuid(), nullable=False),
        sa.Column("minimum", sa.Integer(), nullable=False),
        sa.Column("price_cents", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("minimum >= 0", name=op.f("ck_delivery_rates_minimum")),
        sa.CheckConstraint("price_cents >= 0", name=op.f("ck_delivery_rates_price")),
        sa.ForeignKeyConstraint(
            ["zone_id"],
            ["delivery_zones.id"],
            name=op.f("fk_delivery_rates_zone_id_delivery_zones"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("zone_id", "minimum", name=op.f("pk_delivery_rates")),
    )
    op.create_table(
        "tax_rates",
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default=sa.text("'Tax'"), nullable=False),
        sa.Column("basis_points", sa.Integer(), nullable=False),
        sa.Column("on_delivery", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.CheckConstraint("basis_points BETWEEN 0 AND 10000", name=op.f("ck_tax_rates_basis_points")),
        sa.PrimaryKeyConstraint("country", name=op.f("pk_tax_rates")),
    )
    for table in ("delivery_zones", "delivery_countries", "delivery_rates", "tax_rates"):
        announce(table, to="tariff")


def add_sums() -> None:
    """What a total is made of. For what there is already, the total was the subtotal."""
    for table in ("checkouts", "orders"):
        op.add_column(table, sa.Column("discount_code", sa.Text(), nullable=True))
        for name in ("discount_cents", "shipping_cents", "tax_cents"):
            op.add_column(table, sa.Column(name, sa.BigInteger(), server_default=sa.text("0"), nullable=False))
        op.add_column(table, sa.Column("tax_included", sa.Boolean(), server_default=sa.text("false"), nullable=False))
        op.add_column(table, sa.Column("tax_basis_points", sa.Integer(), server_default=sa.text("0"), nullable=False))
        op.add_column(table, sa.Column("tax_name", sa.Text(), server_default=sa.text("''"), nullable=False))
        op.add_column(table, sa.Column("delivery_name", sa.Text(), server_default=sa.text("''"), nullable=False))
        op.add_column(table, sa.Column("delivery_min_days", sa.Integer(), nullable=True))
        op.add_column(table, sa.Column("delivery_max_days", sa.Integer(), nullable=True))
        op.add_column(
            table, sa.Column("subtotal_cents", sa.BigInteger(), sa.Computed(SUBTOTAL, persisted=False), nullable=True)
        )
        op.create_check_constraint(
            op.f(f"ck_{table}_sums"), table, "least(discount_cents, shipping_cents, tax_cents) >= 0"
        )
    op.create_index(
        "ix_checkouts_discount_code",
        "checkouts",
        ["discount_code", "user_id"],
        postgresql_where=sa.text("discount_code IS NOT NULL AND status = 'open'"),
    )
    op.create_index(
        "ix_orders_discount_code",
        "orders",
        ["discount_code", "user_id"],
        postgresql_where=sa.text("discount_code IS NOT NULL"),
    )
    for table in ("checkout_lines", "order_lines"):
        for name in ("discount_cents", "tax_cents"):
            op.add_column(table, sa.Column(name, sa.BigInteger(), server_default=sa.text("0"), nullable=False))


def announce(table: str, to: str) -> None:
    """A change of this table also changes what visitors are told, which is kept until the catalogue changes."""
    for channel in (to, "catalog"):
        op.execute(
            f"CREATE TRIGGER announce_to_{channel} AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}"
            f" FOR EACH STATEMENT EXECUTE FUNCTION announce_change('{channel}')"
        )


def downgrade() -> None:
    for table in ("order_lines", "checkout_lines"):
        for name in ("tax_cents", "discount_cents"):
            op.drop_column(table, name)
    op.drop_index("ix_orders_discount_code", table_name="orders")
    op.drop_index("ix_checkouts_discount_code", table_name="checkouts")
    for table in ("orders", "checkouts"):
        op.drop_constraint(op.f(f"ck_{table}_sums"), table)
        for name in (
            "subtotal_cents",
            "delivery_max_days",
            "delivery_min_days",
            "delivery_name",
            "tax_name",
            "tax_basis_points",
            "tax_included",
            "tax_cents",
            "shipping_cents",
            "discount_cents",
            "discount_code",
        ):
            op.drop_column(table, name)
    for table in ("tax_rates", "delivery_rates", "delivery_countries", "delivery_zones"):
        op.drop_table(table)
    op.drop_constraint(op.f("ck_products_weight"), "products")
    op.drop_column("products", "weight_grams")
    op.drop_column("carts", "discount_code")
    op.drop_table("discount_codes")
    op.drop_table("shop_settings")
    op.execute("DROP FUNCTION announce_change()")
