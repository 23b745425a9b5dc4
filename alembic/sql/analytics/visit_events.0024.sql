-- What visits did, and that they paid: a visit's checkout leads to its order, whenever the news of either came. Few
-- events still know their checkout; told so, the planner looks up those orders rather than read all there are.
CREATE OR REPLACE VIEW visit_events AS
SELECT
    at, local_at, visit, kind, product_id, category,
    visit_number, product_number, category_number, gender_number, subcategory_number
FROM shop_events
UNION ALL
SELECT
    orders.paid_at, orders.paid_at AT TIME ZONE (SELECT time_zone FROM analytics_state), shop_events.visit, 'paid',
    shop_events.product_id, shop_events.category,
    visit_number, product_number, category_number, gender_number, subcategory_number
FROM shop_events JOIN orders ON orders.checkout_id = shop_events.checkout_id
WHERE shop_events.kind = 'checkout' AND shop_events.checkout_id IS NOT NULL AND orders.paid_at IS NOT NULL;
