-- An event of the provider, stored in the transaction of its effect, so that it counts once.
CREATE TABLE webhook_events (
    id text NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_webhook_events PRIMARY KEY (id)
);

-- A buyer's bank takes a payment back, or asks to. id and status are the provider's.
CREATE TABLE disputes (
    id text NOT NULL,
    order_id uuid
        CONSTRAINT fk_disputes_order_id_orders REFERENCES orders (id),
    payment_intent_id text NOT NULL,
    amount_cents bigint NOT NULL,
    reason text NOT NULL,
    status text NOT NULL,
    answer_by timestamptz,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_disputes PRIMARY KEY (id)
);
CREATE INDEX ix_disputes_order_id ON disputes (order_id);
CREATE INDEX ix_disputes_payment_intent_id ON disputes (payment_intent_id);

-- Money to give back, asked of the provider by a job under one idempotency key: refund:{id}:{attempt}.
CREATE TABLE refunds (
    id uuid DEFAULT uuidv7() NOT NULL,
    order_id uuid
        CONSTRAINT fk_refunds_order_id_orders REFERENCES orders (id),
    checkout_id uuid
        CONSTRAINT fk_refunds_checkout_id_checkouts REFERENCES checkouts (id),
    payment_intent_id text NOT NULL,
    amount_cents bigint NOT NULL,
    reason text NOT NULL,
    status text DEFAULT 'pending' NOT NULL,
    stripe_refund_id text,
    created_at timestamptz DEFAULT now() NOT NULL,
    shipping_cents bigint DEFAULT 0 NOT NULL,
    return_id uuid
        CONSTRAINT fk_refunds_return_id_returns REFERENCES returns (id),
    request_key text,
    replaces_id uuid
        CONSTRAINT fk_refunds_replaces_id_refunds REFERENCES refunds (id),
    asked_by text DEFAULT '' NOT NULL,
    closed_at timestamptz,
    succeeded_at timestamptz,
    attempt integer DEFAULT 1 NOT NULL,
    CONSTRAINT pk_refunds PRIMARY KEY (id),
    CONSTRAINT uq_refunds_replaces_id UNIQUE (replaces_id),
    CONSTRAINT uq_refunds_request_key UNIQUE (request_key),
    CONSTRAINT uq_refunds_stripe_refund_id UNIQUE (stripe_refund_id),
    CONSTRAINT ck_refunds_amount CHECK (amount_cents > 0),
    CONSTRAINT ck_refunds_shipping CHECK (shipping_cents BETWEEN 0 AND amount_cents),
    CONSTRAINT ck_refunds_status CHECK (status IN ('pending', 'succeeded', 'failed'))
);
CREATE INDEX ix_refunds_failed ON refunds (created_at) WHERE status = 'failed' AND closed_at IS NULL;
CREATE INDEX ix_refunds_order_id ON refunds (order_id);
CREATE INDEX ix_refunds_payment_intent_id ON refunds (payment_intent_id);
CREATE INDEX ix_refunds_return_id ON refunds (return_id);
CREATE UNIQUE INDEX uq_refunds_first_of_checkout
    ON refunds (checkout_id) WHERE order_id IS NULL AND replaces_id IS NULL;

-- Pieces of an order's line whose money goes back with a refund, and how much of it that is.
CREATE TABLE refund_lines (
    refund_id uuid NOT NULL
        CONSTRAINT fk_refund_lines_refund_id_refunds REFERENCES refunds (id) ON DELETE CASCADE,
    order_line_id uuid NOT NULL
        CONSTRAINT fk_refund_lines_order_line_id_order_lines REFERENCES order_lines (id) ON DELETE CASCADE,
    quantity integer NOT NULL,
    amount_cents bigint NOT NULL,
    CONSTRAINT pk_refund_lines PRIMARY KEY (refund_id, order_line_id),
    CONSTRAINT ck_refund_lines_amount CHECK (amount_cents >= 0),
    CONSTRAINT ck_refund_lines_quantity CHECK (quantity >= 1)
);
CREATE INDEX ix_refund_lines_order_line_id ON refund_lines (order_line_id);
