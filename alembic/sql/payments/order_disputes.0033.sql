-- Given to orders: disputes of the payments of orders, in the provider's words. An open one waits for the shop or the
-- bank.
CREATE OR REPLACE VIEW order_disputes AS
SELECT
    id, order_id, amount_cents, reason, status, answer_by, created_at,
    status NOT IN ('won', 'lost', 'warning_closed', 'prevented') AS is_open
FROM disputes
WHERE order_id IS NOT NULL;
