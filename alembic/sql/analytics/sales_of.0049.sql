-- The facts of some orders: a row for every line of a paid order, and one for what each refund paid back of a line or
-- of the delivery. What a row is split by stands in `members`, in the order in which follow_sales numbers them.
--
-- Refunds are divided one after the other. Of the tax, as large a part goes back as of what was charged, and the last
-- cent with the last cent of the order.
--
-- Each order is read by itself: sets that are made on the way have no statistics, so that of many orders at once, joins
-- would compare each row with each.
CREATE OR REPLACE FUNCTION sales_of(ids uuid[]) RETURNS TABLE (
    order_number integer, place bigint, at timestamptz, members text[], unit_price_cents integer, discounted boolean,
    is_sale boolean, order_mark integer, units integer, gross_cents integer, discount_cents integer,
    refund_cents integer, tax_cents integer, shipping_cents integer
) LANGUAGE sql STABLE AS $$
SELECT facts.* FROM unnest(ids) AS own (id) CROSS JOIN LATERAL (
    WITH RECURSIVE paid AS (
        SELECT
            orders.*, coalesce(former_customer, md5('customer ' || user_id)::uuid, md5(lower(email))::uuid) AS customer
        FROM orders
        WHERE id = own.id AND paid_at IS NOT NULL AND payment_status IN ('paid', 'refunded', 'partially_refunded')
    ),
    line AS (
        SELECT
            paid.id AS order_id, paid.number::int AS order_number, paid.paid_at AS at, order_lines.id AS line_id,
            row_number() OVER (PARTITION BY paid.id ORDER BY position, order_lines.id) AS place,
            ARRAY[
                paid.customer::text, order_lines.product_id::text, order_lines.variant_id::text, products.category,
                split_part(products.category, '_', 1), split_part(products.category, '_', 2),
                order_lines.color, order_lines.size, paid.discount_code,
                coalesce(paid.shipping_address ->> 'country', ''), coalesce(paid.shipping_address ->> 'city', ''),
                paid.payment_status
            ] AS members,
            order_lines.unit_price_cents::int AS unit_price_cents,
            order_lines.unit_price_cents < order_lines.list_price_cents AS discounted,
            order_lines.quantity AS units,
            (quantity * list_price_cents)::int AS gross_cents,
            (quantity * (list_price_cents - order_lines.unit_price_cents) + order_lines.discount_cents)::int
                AS discount_cents,
            order_lines.tax_cents,
            quantity * order_lines.unit_price_cents - order_lines.discount_cents
                + CASE WHEN paid.tax_included THEN 0 ELSE order_lines.tax_cents END AS charged_cents
        FROM paid
        JOIN order_lines ON order_lines.order_id = paid.id
        LEFT JOIN products ON products.id = order_lines.product_id
    ),
    delivery AS (
        SELECT
            paid.id AS order_id, paid.shipping_cents, (paid.tax_cents - sum(line.tax_cents))::bigint AS tax_cents,
            (paid.total_cents - sum(line.charged_cents))::bigint AS charged_cents
        FROM paid JOIN line ON line.order_id = paid.id
        GROUP BY paid.id, paid.shipping_cents, paid.tax_cents, paid.total_cents
    ),
    refund AS (
        SELECT
            order_id, id, coalesce(succeeded_at, created_at) AS at, amount_cents, shipping_cents,
            row_number() OVER (PARTITION BY order_id ORDER BY coalesce(succeeded_at, created_at), id) AS turn
        FROM refunds WHERE order_id = own.id AND status = 'succeeded'
    ),
    -- The lines in their order, and the delivery after them, without a line.
    part AS (
        SELECT order_id, line_id, place, greatest(charged_cents, 0) AS charged_cents, tax_cents FROM line
        UNION ALL
        SELECT
            order_id, NULL, (SELECT count(*) + 1 FROM line WHERE line.order_id = delivery.order_id),
            greatest(charged_cents, 0), tax_cents
        FROM delivery
    ),
    divided AS (
        SELECT
            order_id, 0::bigint AS turn, NULL::bigint[] AS paid_back,
            array_agg(charged_cents ORDER BY place) AS remaining
        FROM part WHERE order_id IN (SELECT order_id FROM refund) GROUP BY order_id
        UNION ALL
        SELECT
            divided.order_id, refund.turn, share.paid_back,
            ARRAY(SELECT had - back FROM unnest(divided.remaining, share.paid_back) AS parts (had, back))
        FROM divided
        JOIN refund ON refund.order_id = divided.order_id AND refund.turn = divided.turn + 1
        CROSS JOIN LATERAL (
            SELECT divide_refund(
                refund.amount_cents,
                ARRAY(
                    SELECT
                        CASE
                            WHEN part.line_id IS NULL THEN refund.shipping_cents
                            ELSE coalesce(named.amount_cents, 0)
                        END
                    FROM part
                    LEFT JOIN refund_lines AS named
                        ON named.refund_id = refund.id AND named.order_line_id = part.line_id
                    WHERE part.order_id = refund.order_id ORDER BY part.place
                ),
                divided.remaining
            ) AS paid_back
        ) share
    ),
    -- Of each part, what a refund paid back, and how much of the tax had gone back by then.
    back AS (
        SELECT
            part.order_id, part.line_id, part.place, divided.turn, paid_back[part.place] AS amount_cents,
            CASE
                WHEN 0 = ALL (remaining) THEN part.tax_cents
                WHEN charged_cents = 0 THEN 0
                ELSE div((charged_cents - remaining[part.place])::numeric * part.tax_cents, charged_cents)::bigint
            END AS tax_upto_cents
        FROM divided JOIN part ON part.order_id = divided.order_id
        WHERE divided.turn > 0
    ),
    returned AS (
        SELECT
            order_id, line_id, place, turn, amount_cents,
            tax_upto_cents - lag(tax_upto_cents, 1, 0::bigint) OVER (PARTITION BY order_id, place ORDER BY turn)
                AS tax_cents
        FROM back
    ),
    amount AS (
        SELECT
            line.order_id, line.place, line.place AS part, 0 AS turn, line.at, true AS is_sale,
            CASE WHEN line.place = 1 THEN 1 ELSE 0 END AS order_mark, units, gross_cents, discount_cents,
            0 AS refund_cents,
            (line.tax_cents + CASE WHEN line.place = 1 THEN delivery.tax_cents ELSE 0 END)::int AS tax_cents,
            CASE WHEN line.place = 1 THEN delivery.shipping_cents ELSE 0 END::int AS shipping_cents
        FROM line JOIN delivery ON delivery.order_id = line.order_id
        UNION ALL
        SELECT
            order_id, CASE WHEN line_id IS NULL THEN 1 ELSE returned.place END, returned.place, turn, refund.at, false,
            0, 0, 0, 0, CASE WHEN line_id IS NULL THEN 0 ELSE net_cents END::int, -returned.tax_cents::int,
            CASE WHEN line_id IS NULL THEN -net_cents ELSE 0 END::int
        FROM returned
        JOIN refund USING (order_id, turn)
        JOIN paid ON paid.id = order_id
        CROSS JOIN LATERAL (
            SELECT returned.amount_cents - CASE WHEN paid.tax_included THEN 0 ELSE returned.tax_cents END AS net_cents
        ) net
        WHERE returned.amount_cents <> 0 OR returned.tax_cents <> 0
    )
    SELECT
        line.order_number, row_number() OVER (PARTITION BY order_id ORDER BY is_sale DESC, part, turn), amount.at,
        line.members, line.unit_price_cents, line.discounted, amount.is_sale, amount.order_mark, amount.units,
        amount.gross_cents, amount.discount_cents, amount.refund_cents, amount.tax_cents, amount.shipping_cents
    FROM amount JOIN line USING (order_id, place)
) facts
$$;
