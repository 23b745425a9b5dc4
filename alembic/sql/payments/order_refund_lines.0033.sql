-- Given to orders: pieces of an order's lines that a refund is for.
CREATE OR REPLACE VIEW order_refund_lines AS
SELECT refund_id, order_line_id, quantity FROM refund_lines;
