-- Given to cart, catalog: pieces that checkouts hold. An open one may still be given back by its shopper; one that is
-- processing waits for the bank.
CREATE OR REPLACE VIEW reserved_pieces AS
SELECT
    checkouts.user_id, checkouts.status = 'open' AS is_open, checkouts.created_at,
    checkout_lines.product_id, checkout_lines.variant_id, checkout_lines.quantity
FROM checkout_lines JOIN checkouts ON checkouts.id = checkout_lines.checkout_id
WHERE checkouts.status IN ('open', 'processing');
