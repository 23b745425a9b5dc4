"""the shop"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


CATALOG_TABLES = ("products", "product_colors", "product_images", "variants")


def upgrade() -> None:
    op.execute("CREATE EXTENSION IF NOT EXISTS unaccent")
    op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    op.execute(
        """
        CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN lower(unaccent('unaccent', value))
        """
    )
    op.execute("CREATE SEQUENCE order_numbers START 10001")
    op.create_table(
        "google_tokens",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_google_tokens")),
    )
    op.create_index(op.f("ix_google_tokens_expires_at"), "google_tokens", ["expires_at"], unique=False)
    op.create_table(
        "images",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("placeholder", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_images")),
    )
    op.create_index(op.f("ix_images_sha256"), "images", ["sha256"], unique=False)
    op.create_table(
        "jobs",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("payload", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("run_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("key", name=op.f("uq_jobs_key")),
    )
    op.create_index("ix_jobs_due", "jobs", ["run_at"], unique=False)
    op.create_table(
        "mails",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("text_body", sa.Text(), nullable=False),
        sa.Column("html_body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mails")),
        sa.UniqueConstraint("key", name=op.f("uq_mails_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_mails_message_id")),
    )
    op.create_index(op.f("ix_mails_sent_at"), "mails", ["sent_at"], unique=False)
    op.create_table(
        "products",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("subtitle", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("details", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("gender", sa.Text(), nullable=False),
        sa.Column("subcategory", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), sa.Computed("gender || '_' || subcategory", persisted=True), nullable=False),
        sa.Column("price_cents", sa.BigInteger(), nullable=False),
        sa.Column("discounted_price_cents", sa.Integer(), nullable=True),
        sa.Column("discount_percentage", sa.Integer(), nullable=True),
        sa.Column(
            "is_on_sale",
            sa.Boolean(),
            sa.Computed("discounted_price_cents IS NOT NULL AND discounted_price_cents < price_cents", persisted=True),
            nullable=False,
        ),
        sa.Column(
            "charged_cents",
            sa.Integer(),
            sa.Computed("least(price_cents, discounted_price_cents)", persisted=True),
            nullable=False,
        ),
        sa.Column("image", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("popularity", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "search",
            postgresql.TSVECTOR(),
            sa.Computed(
                "to_tsvector('simple', search_text(name || ' ' || title || ' ' || subtitle || ' ' || gender || ' ' || subcategory))",
                persisted=True,
            ),
            nullable=False,
        ),
        sa.CheckConstraint(
            "(gender = 'men' AND subcategory IN ('shirts', 'jeans')) OR (gender = 'women' AND subcategory IN ('shirts', 'jeans', 'trousers'))",
            name=op.f("ck_products_category"),
        ),
        sa.CheckConstraint("discounted_price_cents > 0", name=op.f("ck_products_discounted_price")),
        sa.CheckConstraint("price_cents > 0", name=op.f("ck_products_price")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_products")),
    )
    op.create_index(
        "ix_products_featured",
        "products",
        ["popularity", "id"],
        unique=False,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_index(
        "ix_products_newest",
        "products",
        ["created_at", "id"],
        unique=False,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_index(
        "ix_products_charged",
        "products",
        ["charged_cents", "id"],
        unique=False,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_index(
        "ix_products_category",
        "products",
        ["gender", "subcategory"],
        unique=False,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_index("ix_products_search", "products", ["search"], unique=False, postgresql_using="gin")
    op.create_index(
        "ix_products_search_trigrams",
        "products",
        [sa.text("search_text((name || ' '::text) || subtitle) gin_trgm_ops")],
        unique=False,
        postgresql_using="gin",
    )
    op.create_table(
        "rate_limits",
        sa.Column("bucket", sa.Text(), nullable=False),
        sa.Column("hits", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_rate_limits")),
        prefixes=["UNLOGGED"],
    )
    op.create_index(op.f("ix_rate_limits_ends_at"), "rate_limits", ["ends_at"], unique=False)
    op.create_table(
        "shop_facts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", postgresql.JSONB(astext_type=sa.Text()), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_shop_facts")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("email_verified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("google_sub", sa.Text(), nullable=True),
        sa.Column("role", sa.Text(), server_default=sa.text("'user'"), nullable=False),
        sa.Column("is_primary", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("admin_requested_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("NOT is_primary OR role = 'admin'", name=op.f("ck_users_primary_is_admin")),
        sa.CheckConstraint("role IN ('user', 'admin')", name=op.f("ck_users_role")),
        sa.CheckConstraint("email = lower(email)", name=op.f("ck_users_email_lower")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
        sa.UniqueConstraint("google_sub", name=op.f("uq_users_google_sub")),
    )
    op.create_index(
        "ix_users_admin_requested",
        "users",
        ["admin_requested_at"],
        unique=False,
        postgresql_where=sa.text("admin_requested_at IS NOT NULL"),
    )
    op.create_index("uq_users_primary", "users", ["is_primary"], unique=True, postgresql_where=sa.text("is_primary"))
    op.create_table(
        "webhook_events",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_events")),
    )
    op.create_table(
        "addresses",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("address1", sa.Text(), nullable=False),
        sa.Column("address2", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("city", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("postal_code", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("is_default", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_addresses_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_addresses")),
    )
    op.create_index(op.f("ix_addresses_user_id"), "addresses", ["user_id"], unique=False)
    op.create_index(
        "uq_addresses_default", "addresses", ["user_id"], unique=True, postgresql_where=sa.text("is_default")
    )
    op.create_table(
        "carts",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_carts_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_carts")),
        sa.UniqueConstraint("user_id", name=op.f("uq_carts_user_id")),
    )
    op.create_table(
        "checkouts",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default=sa.text("'open'"), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("total_cents", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("shipping_address", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("stripe_session_id", sa.Text(), nullable=True),
        sa.Column("client_secret", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("check_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('open', 'processing', 'completed', 'released', 'refunding')", name=op.f("ck_checkouts_status")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_checkouts_user_id_users"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_checkouts")),
        sa.UniqueConstraint("stripe_session_id", name=op.f("uq_checkouts_stripe_session_id")),
    )
    op.create_index(
        "ix_checkouts_sweep",
        "checkouts",
        ["check_at"],
        unique=False,
        postgresql_where=sa.text("status IN ('open', 'processing')"),
    )
    op.create_index(op.f("ix_checkouts_user_id"), "checkouts", ["user_id"], unique=False)
    op.create_index(
        "uq_checkouts_open", "checkouts", ["user_id"], unique=True, postgresql_where=sa.text("status = 'open'")
    )
    op.create_table(
        "email_verifications",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_email_verifications_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_email_verifications")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_email_verifications_token_hash")),
    )
    op.create_table(
        "password_resets",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_password_resets_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_password_resets")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_password_resets_token_hash")),
    )
    op.create_table(
        "product_colors",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hex", sa.Text(), nullable=False),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.CheckConstraint("hex ~ '^#[0-9a-f]{6}$'", name=op.f("ck_product_colors_hex")),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_product_colors_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_product_colors")),
        sa.UniqueConstraint("product_id", "name", name=op.f("uq_product_colors_product_id_name")),
    )
    op.create_index(op.f("ix_product_colors_product_id"), "product_colors", ["product_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("user_agent", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("ip", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sessions_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sessions_token_hash")),
    )
    op.create_index(op.f("ix_sessions_expires_at"), "sessions", ["expires_at"], unique=False)
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"], unique=False)
    op.create_table(
        "checkout_lines",
        sa.Column("checkout_id", sa.Uuid(), nullable=False),
        sa.Column("variant_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("unit_price_cents", sa.BigInteger(), nullable=False),
        sa.Column("list_price_cents", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("color", sa.Text(), nullable=False),
        sa.Column("size", sa.Text(), nullable=False),
        sa.Column("sku", sa.Text(), nullable=False),
        sa.Column("image_id", sa.Uuid(), nullable=True),
        sa.CheckConstraint("quantity >= 1", name=op.f("ck_checkout_lines_quantity")),
        sa.ForeignKeyConstraint(
            ["checkout_id"], ["checkouts.id"], name=op.f("fk_checkout_lines_checkout_id_checkouts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("checkout_id", "variant_id", name=op.f("pk_checkout_lines")),
    )
    op.create_index(op.f("ix_checkout_lines_variant_id"), "checkout_lines", ["variant_id"], unique=False)
    op.create_table(
        "orders",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("number", sa.BigInteger(), server_default=sa.text("nextval('order_numbers')"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("checkout_id", sa.Uuid(), nullable=True),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("payment_status", sa.Text(), nullable=False),
        sa.Column("stripe_session_id", sa.Text(), nullable=True),
        sa.Column("payment_intent_id", sa.Text(), nullable=True),
        sa.Column("total_cents", sa.BigInteger(), nullable=False),
        sa.Column("refunded_cents", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("shipping_address", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("paid_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "payment_status IN ('paid', 'processing', 'failed', 'refunded', 'partially_refunded')",
            name=op.f("ck_orders_payment_status"),
        ),
        sa.CheckConstraint("refunded_cents BETWEEN 0 AND total_cents", name=op.f("ck_orders_refunded")),
        sa.ForeignKeyConstraint(["checkout_id"], ["checkouts.id"], name=op.f("fk_orders_checkout_id_checkouts")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_orders_user_id_users"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
        sa.UniqueConstraint("checkout_id", name=op.f("uq_orders_checkout_id")),
        sa.UniqueConstraint("number", name=op.f("uq_orders_number")),
        sa.UniqueConstraint("stripe_session_id", name=op.f("uq_orders_stripe_session_id")),
    )
    op.create_index("ix_orders_created", "orders", ["created_at"], unique=False)
    op.create_index(op.f("ix_orders_payment_intent_id"), "orders", ["payment_intent_id"], unique=False)
    op.create_index("ix_orders_user", "orders", ["user_id", "created_at"], unique=False)
    op.create_table(
        "product_images",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("color_id", sa.Uuid(), nullable=True),
        sa.Column("image_id", sa.Uuid(), nullable=False),
        sa.Column("alt", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["color_id"],
            ["product_colors.id"],
            name=op.f("fk_product_images_color_id_product_colors"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(["image_id"], ["images.id"], name=op.f("fk_product_images_image_id_images")),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_product_images_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_product_images")),
    )
    op.create_index(op.f("ix_product_images_product_id"), "product_images", ["product_id"], unique=False)
    op.create_table(
        "variants",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("color_id", sa.Uuid(), nullable=False),
        sa.Column("size", sa.Text(), nullable=False),
        sa.Column("sku", sa.Text(), nullable=False),
        sa.Column("stock", sa.Integer(), nullable=False),
        sa.CheckConstraint("size IN ('XS', 'S', 'M', 'L', 'XL', 'XXL')", name=op.f("ck_variants_size")),
        sa.CheckConstraint("stock >= 0", name=op.f("ck_variants_stock")),
        sa.ForeignKeyConstraint(
            ["color_id"], ["product_colors.id"], name=op.f("fk_variants_color_id_product_colors"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["product_id"], ["products.id"], name=op.f("fk_variants_product_id_products"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_variants")),
        sa.UniqueConstraint("color_id", "size", name=op.f("uq_variants_color_id_size")),
        sa.UniqueConstraint("sku", name=op.f("uq_variants_sku")),
    )
    op.create_index(op.f("ix_variants_product_id"), "variants", ["product_id"], unique=False)
    op.create_table(
        "cart_lines",
        sa.Column("cart_id", sa.Uuid(), nullable=False),
        sa.Column("variant_id", sa.Uuid(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("seen_price_cents", sa.Integer(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("quantity >= 1", name=op.f("ck_cart_lines_quantity")),
        sa.ForeignKeyConstraint(
            ["cart_id"], ["carts.id"], name=op.f("fk_cart_lines_cart_id_carts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["variant_id"], ["variants.id"], name=op.f("fk_cart_lines_variant_id_variants"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("cart_id", "variant_id", name=op.f("pk_cart_lines")),
    )
    op.create_index(op.f("ix_cart_lines_variant_id"), "cart_lines", ["variant_id"], unique=False)
    op.create_table(
        "order_lines",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=True),
        sa.Column("variant_id", sa.Uuid(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("color", sa.Text(), nullable=False),
        sa.Column("size", sa.Text(), nullable=False),
        sa.Column("sku", sa.Text(), nullable=False),
        sa.Column("image_id", sa.Uuid(), nullable=True),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("unit_price_cents", sa.BigInteger(), nullable=False),
        sa.Column("list_price_cents", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_order_lines_order_id_orders"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_lines")),
    )
    op.create_index(op.f("ix_order_lines_order_id"), "order_lines", ["order_id"], unique=False)
    op.create_index(op.f("ix_order_lines_product_id"), "order_lines", ["product_id"], unique=False)
    op.create_table(
        "refunds",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("order_id", sa.Uuid(), nullable=True),
        sa.Column("checkout_id", sa.Uuid(), nullable=True),
        sa.Column("payment_intent_id", sa.Text(), nullable=False),
        sa.Column("amount_cents", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default=sa.text("'pending'"), nullable=False),
        sa.Column("stripe_refund_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("status IN ('pending', 'succeeded', 'failed')", name=op.f("ck_refunds_status")),
        sa.CheckConstraint("amount_cents > 0", name=op.f("ck_refunds_amount")),
        sa.ForeignKeyConstraint(["checkout_id"], ["checkouts.id"], name=op.f("fk_refunds_checkout_id_checkouts")),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_refunds_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refunds")),
        sa.UniqueConstraint("stripe_refund_id", name=op.f("uq_refunds_stripe_refund_id")),
    )
    op.create_index(op.f("ix_refunds_order_id"), "refunds", ["order_id"], unique=False)
    op.create_index(op.f("ix_refunds_payment_intent_id"), "refunds", ["payment_intent_id"], unique=False)
    op.create_index(
        "uq_refunds_checkout", "refunds", ["checkout_id"], unique=True, postgresql_where=sa.text("order_id IS NULL")
    )

    op.execute(
        """
        CREATE FUNCTION announce_catalog_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('catalog', '');
            RETURN NULL;
        END $$
        """
    )
    for table in CATALOG_TABLES:
        op.execute(
            f"CREATE TRIGGER announce_catalog_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION announce_catalog_change()"
        )


def downgrade() -> None:
    op.drop_index("uq_refunds_checkout", table_name="refunds", postgresql_where=sa.text("order_id IS NULL"))
    op.drop_index(op.f("ix_refunds_payment_intent_id"), table_name="refunds")
    op.drop_index(op.f("ix_refunds_order_id"), table_name="refunds")
    op.drop_table("refunds")
    op.drop_index(op.f("ix_order_lines_product_id"), table_name="order_lines")
    op.drop_index(op.f("ix_order_lines_order_id"), table_name="order_lines")
    op.drop_table("order_lines")
    op.drop_index(op.f("ix_cart_lines_variant_id"), table_name="cart_lines")
    op.drop_table("cart_lines")
    op.drop_index(op.f("ix_variants_product_id"), table_name="variants")
    op.drop_table("variants")
    op.drop_index(op.f("ix_product_images_product_id"), table_name="product_images")
    op.drop_table("product_images")
    op.drop_index("ix_orders_user", table_name="orders")
    op.drop_index(op.f("ix_orders_payment_intent_id"), table_name="orders")
    op.drop_index("ix_orders_created", table_name="orders")
    op.drop_table("orders")
    op.drop_index(op.f("ix_checkout_lines_variant_id"), table_name="checkout_lines")
    op.drop_table("checkout_lines")
    op.drop_index(op.f("ix_sessions_user_id"), table_name="sessions")
    op.drop_index(op.f("ix_sessions_expires_at"), table_name="sessions")
    op.drop_table("sessions")
    op.drop_index(op.f("ix_product_colors_product_id"), table_name="product_colors")
    op.drop_table("product_colors")
    op.drop_table("password_resets")
    op.drop_table("email_verifications")
    op.drop_index("uq_checkouts_open", table_name="checkouts", postgresql_where=sa.text("status = 'open'"))
    op.drop_index(op.f("ix_checkouts_user_id"), table_name="checkouts")
    op.drop_index(
        "ix_checkouts_sweep", table_name="checkouts", postgresql_where=sa.text("status IN ('open', 'processing')")
    )
    op.drop_table("checkouts")
    op.drop_table("carts")
    op.drop_index("uq_addresses_default", table_name="addresses", postgresql_where=sa.text("is_default"))
    op.drop_index(op.f("ix_addresses_user_id"), table_name="addresses")
    op.drop_table("addresses")
    op.drop_table("webhook_events")
    op.drop_index("uq_users_primary", table_name="users", postgresql_where=sa.text("is_primary"))
    op.drop_index(
        "ix_users_admin_requested", table_name="users", postgresql_where=sa.text("admin_requested_at IS NOT NULL")
    )
    op.drop_table("users")
    op.drop_table("shop_facts")
    op.drop_index(op.f("ix_rate_limits_ends_at"), table_name="rate_limits")
    op.drop_table("rate_limits")
    op.drop_index("ix_products_search", table_name="products", postgresql_using="gin")
    op.drop_index("ix_products_charged", table_name="products", postgresql_where=sa.text("retired_at IS NULL"))
    op.drop_index("ix_products_newest", table_name="products", postgresql_where=sa.text("retired_at IS NULL"))
    op.drop_index("ix_products_featured", table_name="products", postgresql_where=sa.text("retired_at IS NULL"))
    op.drop_index("ix_products_category", table_name="products", postgresql_where=sa.text("retired_at IS NULL"))
    op.drop_table("products")
    op.drop_index(op.f("ix_mails_sent_at"), table_name="mails")
    op.drop_table("mails")
    op.drop_index("ix_jobs_due", table_name="jobs")
    op.drop_table("jobs")
    op.drop_index(op.f("ix_images_sha256"), table_name="images")
    op.drop_table("images")
    op.drop_index(op.f("ix_google_tokens_expires_at"), table_name="google_tokens")
    op.drop_table("google_tokens")
    op.execute("DROP FUNCTION announce_catalog_change")
    op.execute("DROP SEQUENCE order_numbers")
    op.execute("DROP FUNCTION search_text")
