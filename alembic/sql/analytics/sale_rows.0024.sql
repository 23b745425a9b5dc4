-- What every paid order and every refund comes to, line by line. A refund that names no lines is spread over the lines
-- and the delivery by what each was charged; running sums are rounded, so that the parts add up to the cent.
-- sale_rows_of is the same for some orders: a change of one is a change of both. Columns are named, so that it keeps
-- none that later migrations add and take back.
CREATE OR REPLACE VIEW sale_rows AS
WITH paid AS (
    SELECT
        id, paid_at, payment_status, total_cents, shipping_cents, tax_cents, tax_included, discount_code,
        shipping_address, coalesce(user_id, md5(lower(email))::uuid) AS customer
    FROM orders WHERE paid_at IS NOT NULL AND payment_status IN ('paid', 'refunded', 'partially_refunded')
),
line AS (
    SELECT
        order_lines.id, order_id, product_id, variant_id, color, size, quantity, unit_price_cents, list_price_cents,
        order_lines.discount_cents, order_lines.tax_cents,
        quantity * unit_price_cents - order_lines.discount_cents AS goods_cents,
        quantity * unit_price_cents - order_lines.discount_cents
            + CASE WHEN paid.tax_included THEN 0 ELSE order_lines.tax_cents END AS charged_cents,
        row_number() OVER (PARTITION BY order_id ORDER BY position, order_lines.id) AS place
    FROM order_lines JOIN paid ON paid.id = order_lines.order_id
),
delivery AS (
    SELECT
        paid.id AS order_id,
        paid.shipping_cents,
        paid.tax_cents - coalesce(sum(line.tax_cents), 0) AS tax_cents,
        paid.total_cents - coalesce(sum(line.charged_cents), 0) AS charged_cents
    FROM paid LEFT JOIN line ON line.order_id = paid.id
    GROUP BY paid.id, paid.shipping_cents, paid.tax_cents, paid.total_cents
),
part AS (
    SELECT order_id, id AS line_id, place, charged_cents, tax_cents FROM line
    UNION ALL
    SELECT order_id, NULL, 1000000, charged_cents, tax_cents FROM delivery
),
given AS (
    SELECT
        refunds.id, refunds.order_id, coalesce(refunds.succeeded_at, refunds.created_at) AS at, refunds.shipping_cents,
        refunds.amount_cents - refunds.shipping_cents - coalesce(named.amount_cents, 0) AS loose_cents
    FROM refunds
    LEFT JOIN (
        SELECT refund_id, sum(amount_cents) AS amount_cents FROM refund_lines GROUP BY refund_id
    ) named ON named.refund_id = refunds.id
    WHERE refunds.status = 'succeeded' AND refunds.order_id IS NOT NULL
),
spread AS (
    SELECT
        given.id AS refund_id, given.order_id, given.at, part.line_id, part.charged_cents, part.tax_cents,
        div(given.loose_cents * sum(part.charged_cents) OVER parts, nullif(sum(part.charged_cents) OVER whole, 0))
            - div(
                given.loose_cents * (sum(part.charged_cents) OVER parts - part.charged_cents),
                nullif(sum(part.charged_cents) OVER whole, 0)
            )
            AS loose_cents,
        CASE WHEN part.line_id IS NULL THEN given.shipping_cents ELSE coalesce(refund_lines.amount_cents, 0) END
            AS named_cents
    FROM given
    JOIN part ON part.order_id = given.order_id
    LEFT JOIN refund_lines ON refund_lines.refund_id = given.id AND refund_lines.order_line_id = part.line_id
    WINDOW
        whole AS (PARTITION BY given.order_id, given.id),
        parts AS (PARTITION BY given.order_id, given.id ORDER BY part.place)
),
back AS (
    SELECT
        spread.*, coalesce(loose_cents, 0) + named_cents AS amount_cents,
        CASE WHEN charged_cents > 0
            THEN div((coalesce(loose_cents, 0) + named_cents) * tax_cents, charged_cents) ELSE 0
        END AS tax_back_cents
    FROM spread
)
SELECT
    paid.paid_at AS at, paid.id AS order_id, line.id AS line_id, NULL::uuid AS refund_id,
    line.product_id, line.variant_id, products.category, line.color, line.size,
    line.unit_price_cents::int AS unit_price_cents, line.unit_price_cents < line.list_price_cents AS discounted,
    paid.discount_code AS code, coalesce(paid.shipping_address ->> 'country', '') AS country,
    coalesce(paid.shipping_address ->> 'city', '') AS city, paid.customer, paid.payment_status,
    true AS is_sale, CASE WHEN line.place = 1 THEN 1 ELSE 0 END AS order_mark, line.quantity AS units,
    (line.quantity * line.list_price_cents)::int AS gross_cents,
    (line.quantity * (line.list_price_cents - line.unit_price_cents) + line.discount_cents)::int AS discount_cents,
    0 AS refund_cents,
    (line.tax_cents + CASE WHEN line.place = 1 THEN delivery.tax_cents ELSE 0 END)::int AS tax_cents,
    CASE WHEN line.place = 1 THEN delivery.shipping_cents ELSE 0 END::int AS shipping_cents
FROM paid
JOIN line ON line.order_id = paid.id
JOIN delivery ON delivery.order_id = paid.id
LEFT JOIN products ON products.id = line.product_id
UNION ALL
SELECT
    back.at, paid.id, line.id, back.refund_id,
    line.product_id, line.variant_id, products.category, line.color, line.size,
    line.unit_price_cents::int, line.unit_price_cents < line.list_price_cents,
    paid.discount_code, coalesce(paid.shipping_address ->> 'country', ''),
    coalesce(paid.shipping_address ->> 'city', ''), paid.customer, paid.payment_status,
    false, 0, 0, 0, 0,
    CASE
        WHEN back.line_id IS NULL THEN 0
        WHEN paid.tax_included THEN back.amount_cents
        ELSE back.amount_cents - back.tax_back_cents
    END::int,
    (-back.tax_back_cents)::int,
    CASE
        WHEN back.line_id IS NOT NULL THEN 0
        WHEN paid.tax_included THEN -back.amount_cents
        ELSE back.tax_back_cents - back.amount_cents
    END::int
FROM back
JOIN paid ON paid.id = back.order_id
JOIN line ON line.order_id = paid.id AND (line.id = back.line_id OR (back.line_id IS NULL AND line.place = 1))
LEFT JOIN products ON products.id = line.product_id
WHERE back.amount_cents <> 0;
