-- What a shopper reads as the number of an order.
CREATE SEQUENCE order_numbers START 10001;

-- A reservation: the cart as it was priced, its stock taken, waiting for one payment.
CREATE TABLE checkouts (
    id uuid DEFAULT uuidv7() NOT NULL,
    user_id uuid
        CONSTRAINT fk_checkouts_user_id_users REFERENCES users (id) ON DELETE SET NULL,
    email text NOT NULL,
    status text DEFAULT 'open' NOT NULL,
    fingerprint text NOT NULL,
    total_cents bigint NOT NULL,
    currency text NOT NULL,
    shipping_address jsonb NOT NULL,
    stripe_session_id text,
    client_secret text,
    created_at timestamptz DEFAULT now() NOT NULL,
    expires_at timestamptz NOT NULL,
    check_at timestamptz NOT NULL,
    discount_code text,
    discount_cents bigint DEFAULT 0 NOT NULL,
    shipping_cents bigint DEFAULT 0 NOT NULL,
    tax_cents bigint DEFAULT 0 NOT NULL,
    tax_included boolean DEFAULT false NOT NULL,
    tax_basis_points integer DEFAULT 0 NOT NULL,
    tax_name text DEFAULT '' NOT NULL,
    delivery_name text DEFAULT '' NOT NULL,
    delivery_min_days integer,
    delivery_max_days integer,
    subtotal_cents bigint GENERATED ALWAYS AS (
        total_cents + discount_cents - shipping_cents - CASE WHEN tax_included THEN 0 ELSE tax_cents END
    ),
    CONSTRAINT pk_checkouts PRIMARY KEY (id),
    CONSTRAINT uq_checkouts_stripe_session_id UNIQUE (stripe_session_id),
    CONSTRAINT ck_checkouts_status CHECK (status IN ('open', 'processing', 'completed', 'released', 'refunding')),
    CONSTRAINT ck_checkouts_sums CHECK (least(discount_cents, shipping_cents, tax_cents) >= 0)
);
CREATE INDEX ix_checkouts_discount_code
    ON checkouts (discount_code, user_id) WHERE discount_code IS NOT NULL AND status = 'open';
CREATE INDEX ix_checkouts_sweep ON checkouts (check_at) WHERE status IN ('open', 'processing');
CREATE INDEX ix_checkouts_user_id ON checkouts (user_id);
CREATE UNIQUE INDEX uq_checkouts_open ON checkouts (user_id) WHERE status = 'open';

-- Pieces of one variant held by a checkout, with the copy that the order will keep.
CREATE TABLE checkout_lines (
    checkout_id uuid NOT NULL
        CONSTRAINT fk_checkout_lines_checkout_id_checkouts REFERENCES checkouts (id) ON DELETE CASCADE,
    variant_id uuid NOT NULL,
    product_id uuid NOT NULL,
    position integer NOT NULL,
    quantity integer NOT NULL,
    unit_price_cents bigint NOT NULL,
    list_price_cents bigint NOT NULL,
    name text NOT NULL,
    color text NOT NULL,
    size text NOT NULL,
    sku text NOT NULL,
    image_id uuid,
    discount_cents bigint DEFAULT 0 NOT NULL,
    tax_cents bigint DEFAULT 0 NOT NULL,
    CONSTRAINT pk_checkout_lines PRIMARY KEY (checkout_id, variant_id),
    CONSTRAINT ck_checkout_lines_quantity CHECK (quantity >= 1)
);
CREATE INDEX ix_checkout_lines_variant_id ON checkout_lines (variant_id);

-- A paid purchase, made exactly once per checkout; keeps its own copy of everything it shows.
CREATE TABLE orders (
    id uuid DEFAULT uuidv7() NOT NULL,
    number bigint DEFAULT nextval('order_numbers') NOT NULL,
    user_id uuid
        CONSTRAINT fk_orders_user_id_users REFERENCES users (id) ON DELETE SET NULL,
    checkout_id uuid
        CONSTRAINT fk_orders_checkout_id_checkouts REFERENCES checkouts (id),
    email text NOT NULL,
    payment_status text NOT NULL,
    stripe_session_id text,
    payment_intent_id text,
    total_cents bigint NOT NULL,
    refunded_cents integer DEFAULT 0 NOT NULL,
    currency text NOT NULL,
    shipping_address jsonb NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    paid_at timestamptz,
    failed_at timestamptz,
    canceled_at timestamptz,
    fulfilment text DEFAULT 'unfulfilled' NOT NULL,
    discount_code text,
    discount_cents bigint DEFAULT 0 NOT NULL,
    shipping_cents bigint DEFAULT 0 NOT NULL,
    tax_cents bigint DEFAULT 0 NOT NULL,
    tax_included boolean DEFAULT false NOT NULL,
    tax_basis_points integer DEFAULT 0 NOT NULL,
    tax_name text DEFAULT '' NOT NULL,
    delivery_name text DEFAULT '' NOT NULL,
    delivery_min_days integer,
    delivery_max_days integer,
    subtotal_cents bigint GENERATED ALWAYS AS (
        total_cents + discount_cents - shipping_cents - CASE WHEN tax_included THEN 0 ELSE tax_cents END
    ),
    CONSTRAINT pk_orders PRIMARY KEY (id),
    CONSTRAINT uq_orders_checkout_id UNIQUE (checkout_id),
    CONSTRAINT uq_orders_number UNIQUE (number),
    CONSTRAINT uq_orders_stripe_session_id UNIQUE (stripe_session_id),
    CONSTRAINT ck_orders_fulfilment
        CHECK (fulfilment IN ('unfulfilled', 'partly_shipped', 'shipped', 'delivered', 'canceled')),
    CONSTRAINT ck_orders_payment_status
        CHECK (payment_status IN ('paid', 'processing', 'failed', 'refunded', 'partially_refunded')),
    CONSTRAINT ck_orders_refunded CHECK (refunded_cents BETWEEN 0 AND total_cents),
    CONSTRAINT ck_orders_sums CHECK (least(discount_cents, shipping_cents, tax_cents) >= 0)
);
CREATE INDEX ix_orders_created ON orders (created_at);
CREATE INDEX ix_orders_discount_code ON orders (discount_code, user_id) WHERE discount_code IS NOT NULL;
CREATE INDEX ix_orders_fulfilment ON orders (fulfilment, created_at, id);
CREATE INDEX ix_orders_payment_intent_id ON orders (payment_intent_id);
CREATE INDEX ix_orders_payment_status ON orders (payment_status, created_at, id);
CREATE INDEX ix_orders_search
    ON orders
    USING gin (search_text((email || ' ') || coalesce(shipping_address ->> 'name', '')) gin_trgm_ops);
CREATE INDEX ix_orders_total ON orders (total_cents, id);
CREATE INDEX ix_orders_user ON orders (user_id, created_at);

-- One variant of an order, as it was sold.
CREATE TABLE order_lines (
    id uuid DEFAULT uuidv7() NOT NULL,
    order_id uuid NOT NULL
        CONSTRAINT fk_order_lines_order_id_orders REFERENCES orders (id) ON DELETE CASCADE,
    position integer NOT NULL,
    product_id uuid,
    variant_id uuid,
    name text NOT NULL,
    color text NOT NULL,
    size text NOT NULL,
    sku text NOT NULL,
    image_id uuid,
    quantity integer NOT NULL,
    unit_price_cents bigint NOT NULL,
    list_price_cents bigint NOT NULL,
    shipped integer DEFAULT 0 NOT NULL,
    called_off integer DEFAULT 0 NOT NULL,
    discount_cents bigint DEFAULT 0 NOT NULL,
    tax_cents bigint DEFAULT 0 NOT NULL,
    CONSTRAINT pk_order_lines PRIMARY KEY (id),
    CONSTRAINT ck_order_lines_pieces CHECK (shipped >= 0 AND called_off >= 0 AND shipped + called_off <= quantity)
);
CREATE INDEX ix_order_lines_order_id ON order_lines (order_id);
CREATE INDEX ix_order_lines_product_id ON order_lines (product_id);

-- What admins tell each other about an order; never shown to its buyer. The author's name is a copy.
CREATE TABLE order_notes (
    id uuid DEFAULT uuidv7() NOT NULL,
    order_id uuid NOT NULL
        CONSTRAINT fk_order_notes_order_id_orders REFERENCES orders (id) ON DELETE CASCADE,
    author_id uuid
        CONSTRAINT fk_order_notes_author_id_users REFERENCES users (id) ON DELETE SET NULL,
    author_name text NOT NULL,
    text text NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_order_notes PRIMARY KEY (id)
);
CREATE INDEX ix_order_notes_order_id ON order_notes (order_id);

-- Pieces of an order that the buyer wants to send back.
CREATE TABLE returns (
    id uuid DEFAULT uuidv7() NOT NULL,
    order_id uuid NOT NULL
        CONSTRAINT fk_returns_order_id_orders REFERENCES orders (id) ON DELETE CASCADE,
    status text DEFAULT 'requested' NOT NULL,
    reason text NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    answer text DEFAULT '' NOT NULL,
    label_url text DEFAULT '' NOT NULL,
    answered_at timestamptz,
    received_at timestamptz,
    refunded_at timestamptz,
    CONSTRAINT pk_returns PRIMARY KEY (id),
    CONSTRAINT ck_returns_status
        CHECK (status IN ('requested', 'accepted', 'refused', 'received', 'refunded', 'canceled'))
);
CREATE INDEX ix_returns_open ON returns (status, created_at) WHERE status NOT IN ('refused', 'refunded', 'canceled');
CREATE INDEX ix_returns_order_id ON returns (order_id);

-- A parcel with pieces of one order. tracking_number and tracking_url are empty where there is none.
CREATE TABLE shipments (
    id uuid DEFAULT uuidv7() NOT NULL,
    order_id uuid NOT NULL
        CONSTRAINT fk_shipments_order_id_orders REFERENCES orders (id) ON DELETE CASCADE,
    carrier text NOT NULL,
    tracking_number text NOT NULL,
    tracking_url text NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    delivered_at timestamptz,
    CONSTRAINT pk_shipments PRIMARY KEY (id)
);
CREATE INDEX ix_shipments_order_id ON shipments (order_id);

-- How many pieces of an order's line go back with one return.
CREATE TABLE return_lines (
    return_id uuid NOT NULL
        CONSTRAINT fk_return_lines_return_id_returns REFERENCES returns (id) ON DELETE CASCADE,
    order_line_id uuid NOT NULL
        CONSTRAINT fk_return_lines_order_line_id_order_lines REFERENCES order_lines (id) ON DELETE CASCADE,
    quantity integer NOT NULL,
    received integer,
    restocked integer DEFAULT 0 NOT NULL,
    CONSTRAINT pk_return_lines PRIMARY KEY (return_id, order_line_id),
    CONSTRAINT ck_return_lines_quantity CHECK (quantity >= 1),
    CONSTRAINT ck_return_lines_received CHECK (received >= 0 AND received <= quantity),
    CONSTRAINT ck_return_lines_restocked CHECK (restocked >= 0 AND restocked <= coalesce(received, 0))
);
CREATE INDEX ix_return_lines_order_line_id ON return_lines (order_line_id);

-- How many pieces of an order's line are in a parcel.
CREATE TABLE shipment_lines (
    shipment_id uuid NOT NULL
        CONSTRAINT fk_shipment_lines_shipment_id_shipments REFERENCES shipments (id) ON DELETE CASCADE,
    order_line_id uuid NOT NULL
        CONSTRAINT fk_shipment_lines_order_line_id_order_lines REFERENCES order_lines (id) ON DELETE CASCADE,
    quantity integer NOT NULL,
    CONSTRAINT pk_shipment_lines PRIMARY KEY (shipment_id, order_line_id),
    CONSTRAINT ck_shipment_lines_quantity CHECK (quantity >= 1)
);
CREATE INDEX ix_shipment_lines_order_line_id ON shipment_lines (order_line_id);
