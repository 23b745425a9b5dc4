-- Whether an order with a discount code uses it up: not when its payment failed, and not when it was canceled or
-- refunded in full before any of it was sent.
CREATE OR REPLACE FUNCTION is_code_use(payment_status text, fulfilment text, canceled_at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN payment_status <> 'failed' AND (
    fulfilment IN ('partly_shipped', 'shipped', 'delivered') OR (payment_status <> 'refunded' AND canceled_at IS NULL)
);
