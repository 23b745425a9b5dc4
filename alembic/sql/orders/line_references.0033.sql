-- Given to catalog: variants and images that orders and checkouts of any time show.
CREATE OR REPLACE VIEW line_references AS
SELECT variant_id, image_id FROM order_lines
UNION ALL
SELECT variant_id, image_id FROM checkout_lines;
