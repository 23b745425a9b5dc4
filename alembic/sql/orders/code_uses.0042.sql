-- Given to pricing: uses of discount codes by orders, by the rule of is_code_use.
CREATE OR REPLACE VIEW code_uses AS
SELECT discount_code, user_id, discount_cents, total_cents FROM orders
WHERE discount_code IS NOT NULL AND is_code_use(payment_status, fulfilment, canceled_at);
