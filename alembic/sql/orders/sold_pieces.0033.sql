-- Given to catalog: pieces of orders that were paid, those whose money went back included.
CREATE OR REPLACE VIEW sold_pieces AS
SELECT order_lines.product_id, order_lines.variant_id, order_lines.quantity, order_lines.unit_price_cents
FROM order_lines JOIN orders ON orders.id = order_lines.order_id
WHERE orders.payment_status IN ('paid', 'refunded', 'partially_refunded');
