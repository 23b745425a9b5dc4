-- One product on a shopper's wishlist. One that is retired stays here, unseen, in case it comes back.
CREATE TABLE wishlist_items (
    user_id uuid NOT NULL
        CONSTRAINT fk_wishlist_items_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    product_id uuid NOT NULL
        CONSTRAINT fk_wishlist_items_product_id_products REFERENCES products (id) ON DELETE CASCADE,
    added_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_wishlist_items PRIMARY KEY (user_id, product_id)
);
CREATE INDEX ix_wishlist_items_product_id ON wishlist_items (product_id);

-- Somebody who wants one mail when a sold-out variant can be had again.
CREATE TABLE stock_alerts (
    id uuid DEFAULT uuidv7() NOT NULL,
    variant_id uuid NOT NULL
        CONSTRAINT fk_stock_alerts_variant_id_variants REFERENCES variants (id) ON DELETE CASCADE,
    email text NOT NULL,
    user_id uuid
        CONSTRAINT fk_stock_alerts_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz DEFAULT now() NOT NULL,
    back_at timestamptz,
    mailed_at timestamptz,
    token_hash bytea,
    CONSTRAINT pk_stock_alerts PRIMARY KEY (id),
    CONSTRAINT uq_stock_alerts_token_hash UNIQUE (token_hash)
);
CREATE INDEX ix_stock_alerts_email ON stock_alerts (email);
CREATE INDEX ix_stock_alerts_mailed_at ON stock_alerts (mailed_at);
CREATE INDEX ix_stock_alerts_user ON stock_alerts (user_id);
CREATE UNIQUE INDEX uq_stock_alerts_waiting ON stock_alerts (variant_id, email) WHERE mailed_at IS NULL;
