-- Given to orders: refunds of orders. One needs care when it failed, and nobody has closed or replaced it.
CREATE OR REPLACE VIEW order_refunds AS
SELECT
    id, order_id, amount_cents, shipping_cents, reason, status, asked_by, return_id, created_at,
    status = 'failed'
        AND closed_at IS NULL
        AND NOT EXISTS (SELECT FROM refunds later WHERE later.replaces_id = refunds.id) AS needs_care
FROM refunds
WHERE order_id IS NOT NULL;
