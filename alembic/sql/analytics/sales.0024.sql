-- The facts in words and ids, for people and for whatever reads no numbers. A cast that names both sides of its join is
-- made after it: other members are no ids.
CREATE OR REPLACE VIEW sales AS
SELECT
    at, local_at, orders.id AS order_id,
    CASE WHEN product.number = sale_facts.product THEN product.member::uuid END AS product_id,
    CASE WHEN variant.number = sale_facts.variant THEN variant.member::uuid END AS variant_id,
    category.member AS category, color.member AS color, size.member AS size, unit_price_cents, discounted,
    code.member AS code, country.member AS country, city.member AS city,
    CASE WHEN customer.number = sale_facts.customer THEN customer.member::uuid END AS customer, is_new, first_day,
    status.member AS payment_status, is_sale, order_mark, units, gross_cents, sale_facts.discount_cents,
    refund_cents, sale_facts.tax_cents, sale_facts.shipping_cents
FROM sale_facts
JOIN orders ON orders.number = order_number
LEFT JOIN sale_members product ON product.number = sale_facts.product
LEFT JOIN sale_members variant ON variant.number = sale_facts.variant
LEFT JOIN sale_members category ON category.number = sale_facts.category
LEFT JOIN sale_members color ON color.number = sale_facts.color
LEFT JOIN sale_members size ON size.number = sale_facts.size
LEFT JOIN sale_members code ON code.number = sale_facts.code
LEFT JOIN sale_members country ON country.number = sale_facts.country
LEFT JOIN sale_members city ON city.number = sale_facts.city
LEFT JOIN sale_members customer ON customer.number = sale_facts.customer
LEFT JOIN sale_members status ON status.number = sale_facts.payment_status;
