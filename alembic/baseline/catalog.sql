-- What a shopper finds. Sold in variants; retired rather than deleted, because orders point at it.
CREATE TABLE products (
    id uuid DEFAULT uuidv7() NOT NULL,
    name text NOT NULL,
    title text NOT NULL,
    subtitle text NOT NULL,
    description text NOT NULL,
    details jsonb DEFAULT '[]' NOT NULL,
    gender text NOT NULL,
    subcategory text NOT NULL,
    category text GENERATED ALWAYS AS (gender || '_' || subcategory) STORED NOT NULL,
    price_cents bigint NOT NULL,
    discounted_price_cents integer,
    discount_percentage integer,
    is_on_sale boolean GENERATED ALWAYS AS (
        discount_runs AND discounted_price_cents IS NOT NULL AND discounted_price_cents < price_cents
    ) STORED NOT NULL,
    charged_cents integer GENERATED ALWAYS AS (
        CASE WHEN discount_runs THEN least(price_cents, discounted_price_cents) ELSE price_cents END
    ) STORED NOT NULL,
    image text DEFAULT '' NOT NULL,
    popularity integer DEFAULT 0 NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    updated_at timestamptz DEFAULT now() NOT NULL,
    retired_at timestamptz,
    search tsvector GENERATED ALWAYS AS (
        to_tsvector(
            'simple', search_text(name || ' ' || title || ' ' || subtitle || ' ' || gender || ' ' || subcategory)
        )
    ) STORED NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    discount_starts_at timestamptz,
    discount_ends_at timestamptz,
    discount_runs boolean DEFAULT true NOT NULL,
    discount_turns_at timestamptz,
    weight_grams integer DEFAULT 400 NOT NULL,
    measurements jsonb DEFAULT '{}' NOT NULL,
    CONSTRAINT pk_products PRIMARY KEY (id),
    CONSTRAINT ck_products_category
        CHECK (
            (gender = 'men' AND subcategory IN ('shirts', 'jeans'))
            OR (gender = 'women' AND subcategory IN ('shirts', 'jeans', 'trousers'))
        ),
    CONSTRAINT ck_products_discount_window CHECK (discount_starts_at < discount_ends_at),
    CONSTRAINT ck_products_discounted_price CHECK (discounted_price_cents > 0),
    CONSTRAINT ck_products_price CHECK (price_cents > 0),
    CONSTRAINT ck_products_weight CHECK (weight_grams BETWEEN 0 AND 100000)
);
CREATE INDEX ix_products_category ON products (gender, subcategory) WHERE retired_at IS NULL;
CREATE INDEX ix_products_changed ON products (updated_at, id) WHERE retired_at IS NULL;
CREATE INDEX ix_products_charged ON products (charged_cents, id) WHERE retired_at IS NULL;
CREATE INDEX ix_products_discount_turns ON products (discount_turns_at) WHERE discount_turns_at IS NOT NULL;
CREATE INDEX ix_products_featured ON products (popularity, id) WHERE retired_at IS NULL;
CREATE INDEX ix_products_name ON products (name, id) WHERE retired_at IS NULL;
CREATE INDEX ix_products_newest ON products (created_at, id) WHERE retired_at IS NULL;
CREATE INDEX ix_products_retired ON products (created_at, id) WHERE retired_at IS NOT NULL;
CREATE INDEX ix_products_search ON products USING gin (search);
CREATE INDEX ix_products_search_trigrams
    ON products USING gin (search_text((name || ' ') || subtitle) gin_trgm_ops);

-- A color that a product comes in, in the product's own words.
CREATE TABLE product_colors (
    id uuid DEFAULT uuidv7() NOT NULL,
    product_id uuid NOT NULL
        CONSTRAINT fk_product_colors_product_id_products REFERENCES products (id) ON DELETE CASCADE,
    name text NOT NULL,
    hex text NOT NULL,
    family text NOT NULL,
    position integer NOT NULL,
    retired_at timestamptz,
    CONSTRAINT pk_product_colors PRIMARY KEY (id),
    CONSTRAINT uq_product_colors_product_id_name UNIQUE (product_id, name),
    CONSTRAINT ck_product_colors_hex CHECK (hex ~ '^#[0-9a-f]{6}$')
);
CREATE INDEX ix_product_colors_product_id ON product_colors (product_id);

-- A picture of a product, of one color or of all.
CREATE TABLE product_images (
    id uuid DEFAULT uuidv7() NOT NULL,
    product_id uuid NOT NULL
        CONSTRAINT fk_product_images_product_id_products REFERENCES products (id) ON DELETE CASCADE,
    color_id uuid
        CONSTRAINT fk_product_images_color_id_product_colors REFERENCES product_colors (id) ON DELETE SET NULL,
    image_id uuid NOT NULL
        CONSTRAINT fk_product_images_image_id_images REFERENCES images (id),
    alt text NOT NULL,
    position integer NOT NULL,
    CONSTRAINT pk_product_images PRIMARY KEY (id)
);
CREATE INDEX ix_product_images_image_id ON product_images (image_id);
CREATE INDEX ix_product_images_product_id ON product_images (product_id);

-- What is sold: a product in one color and one size. stock is what can still be bought.
CREATE TABLE variants (
    id uuid DEFAULT uuidv7() NOT NULL,
    product_id uuid NOT NULL
        CONSTRAINT fk_variants_product_id_products REFERENCES products (id) ON DELETE CASCADE,
    color_id uuid NOT NULL
        CONSTRAINT fk_variants_color_id_product_colors REFERENCES product_colors (id) ON DELETE CASCADE,
    size text NOT NULL,
    sku text NOT NULL,
    stock integer NOT NULL,
    retired_at timestamptz,
    CONSTRAINT pk_variants PRIMARY KEY (id),
    CONSTRAINT uq_variants_color_id_size UNIQUE (color_id, size),
    CONSTRAINT uq_variants_sku UNIQUE (sku),
    CONSTRAINT ck_variants_size CHECK (size IN ('XS', 'S', 'M', 'L', 'XL', 'XXL')),
    CONSTRAINT ck_variants_stock CHECK (stock >= 0)
);
CREATE INDEX ix_variants_in_stock ON variants (product_id) WHERE stock > 0 AND retired_at IS NULL;
CREATE INDEX ix_variants_product_id ON variants (product_id);

-- Pieces of a variant that came or went, and why. Append-only: the database refuses everything else.
CREATE TABLE stock_movements (
    id uuid DEFAULT uuidv7() NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    variant_id uuid NOT NULL
        CONSTRAINT fk_stock_movements_variant_id_variants REFERENCES variants (id),
    quantity integer NOT NULL,
    reason text NOT NULL,
    order_id uuid,
    note text DEFAULT '' NOT NULL,
    actor_id uuid,
    actor_email text DEFAULT '' NOT NULL,
    CONSTRAINT pk_stock_movements PRIMARY KEY (id),
    CONSTRAINT ck_stock_movements_quantity CHECK (quantity <> 0),
    CONSTRAINT ck_stock_movements_reason
        CHECK (
            reason IN (
                'opening', 'sale', 'cancellation', 'refund', 'return',
                'received', 'counted', 'damaged', 'adjustment', 'import'
            )
        )
);
CREATE INDEX ix_stock_movements_order ON stock_movements (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX ix_stock_movements_variant ON stock_movements (variant_id, id);
