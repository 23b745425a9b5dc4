-- Given to pricing: uses of discount codes that open checkouts hold.
CREATE OR REPLACE VIEW code_reservations AS
SELECT discount_code, user_id FROM checkouts
WHERE discount_code IS NOT NULL AND status = 'open';
