-- One per shopper, made when it is first needed.
CREATE TABLE carts (
    id uuid DEFAULT uuidv7() NOT NULL,
    user_id uuid NOT NULL
        CONSTRAINT fk_carts_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz DEFAULT now() NOT NULL,
    discount_code text
        CONSTRAINT fk_carts_discount_code_discount_codes REFERENCES discount_codes (code),
    CONSTRAINT pk_carts PRIMARY KEY (id),
    CONSTRAINT uq_carts_user_id UNIQUE (user_id)
);

-- One variant in a cart. seen_price_cents is what it cost when the shopper put it in.
CREATE TABLE cart_lines (
    cart_id uuid NOT NULL
        CONSTRAINT fk_cart_lines_cart_id_carts REFERENCES carts (id) ON DELETE CASCADE,
    variant_id uuid NOT NULL
        CONSTRAINT fk_cart_lines_variant_id_variants REFERENCES variants (id) ON DELETE CASCADE,
    quantity integer NOT NULL,
    seen_price_cents integer NOT NULL,
    added_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_cart_lines PRIMARY KEY (cart_id, variant_id),
    CONSTRAINT ck_cart_lines_quantity CHECK (quantity >= 1)
);
CREATE INDEX ix_cart_lines_variant_id ON cart_lines (variant_id);
