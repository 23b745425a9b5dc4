-- Given to pricing: uses of discount codes by orders. One whose payment failed is none.
CREATE OR REPLACE VIEW code_uses AS
SELECT discount_code, user_id, discount_cents, total_cents FROM orders
WHERE discount_code IS NOT NULL AND payment_status <> 'failed';
