"""product editing"""

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
ON_OFFER = sa.text("retired_at IS NULL")
RETIRED = sa.text("retired_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("products", sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False))
    op.add_column("products", sa.Column("discount_starts_at", MOMENT, nullable=True))
    op.add_column("products", sa.Column("discount_ends_at", MOMENT, nullable=True))
    op.add_column("products", sa.Column("discount_runs", sa.Boolean(), server_default=sa.text("true"), nullable=False))
    op.add_column("products", sa.Column("discount_turns_at", MOMENT, nullable=True))
    op.create_check_constraint(op.f("ck_products_discount_window"), "products", "discount_starts_at < discount_ends_at")
    op.add_column("product_colors", sa.Column("retired_at", MOMENT, nullable=True))
    op.add_column("variants", sa.Column("retired_at", MOMENT, nullable=True))
    expressions(
        on_sale="discount_runs AND discounted_price_cents IS NOT NULL AND discounted_price_cents < price_cents",
        charged="CASE WHEN discount_runs THEN least(price_cents, discounted_price_cents) ELSE price_cents END",
    )
    op.execute(
        """
        CREATE FUNCTION keep_discount_window() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            NEW.discount_runs :=
                coalesce(NEW.discount_starts_at <= now(), true) AND coalesce(now() < NEW.discount_ends_at, true);
            NEW.discount_turns_at := CASE
                WHEN NEW.discount_starts_at > now() THEN NEW.discount_starts_at
                WHEN NEW.discount_ends_at > now() THEN NEW.discount_ends_at
            END;
            RETURN NEW;
        END $$
        """
    )
    op.execute(
        "CREATE TRIGGER keep_discount_window BEFORE INSERT OR UPDATE OF discount_starts_at, discount_ends_at"
        " ON products FOR EACH ROW EXECUTE FUNCTION keep_discount_window()"
    )
    op.create_index(
        "ix_products_discount_turns",
        "products",
        ["discount_turns_at"],
        postgresql_where=sa.text("discount_turns_at IS NOT NULL"),
    )
    op.create_index("ix_products_name", "products", ["name", "id"], postgresql_where=ON_OFFER)
    op.create_index("ix_products_changed", "products", ["updated_at", "id"], postgresql_where=ON_OFFER)
    op.create_index("ix_products_retired", "products", ["created_at", "id"], postgresql_where=RETIRED)
    op.create_index(
        "ix_variants_in_stock",
        "variants",
        ["product_id"],
        postgresql_where=sa.text("stock > 0 AND retired_at IS NULL"),
    )
    op.create_index(op.f("ix_product_images_image_id"), "product_images", ["image_id"])


def expressions(on_sale: str, charged: str) -> None:
    op.execute(
        f"ALTER TABLE products ALTER COLUMN is_on_sale SET EXPRESSION AS ({on_sale}),"
        f" ALTER COLUMN charged_cents SET EXPRESSION AS ({charged})"
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_product_images_image_id"), table_name="product_images")
    op.drop_index("ix_variants_in_stock", table_name="variants")
    op.drop_index("ix_products_retired", table_name="products")
    op.drop_index("ix_products_changed", table_name="products")
    op.drop_index("ix_products_name", table_name="products")
    op.drop_index("ix_products_discount_turns", table_name="products")
    op.execute("DROP TRIGGER keep_discount_window ON products")
    op.execute("DROP FUNCTION keep_discount_window()")
    expressions(
        on_sale="discounted_price_cents IS NOT NULL AND discounted_price_cents < price_cents",
        charged="least(price_cents, discounted_price_cents)",
    )
    op.drop_column("variants", "retired_at")
    op.drop_column("product_colors", "retired_at")
    op.drop_constraint(op.f("ck_products_discount_window"), "products")
    for column in ("discount_turns_at", "discount_runs", "discount_ends_at", "discount_starts_at", "version"):
        op.drop_column("products", column)
