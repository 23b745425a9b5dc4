-- All facts and sums from the orders there are, at once: for a shop whose orders were made at once, whose time zone has
-- changed, or whose facts are not to be trusted. What is in a fact is the same as in follow_sales.
CREATE OR REPLACE FUNCTION build_sales() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE all_sale_rows ON COMMIT DROP AS SELECT * FROM sale_rows;
    INSERT INTO sale_members (member)
        SELECT member FROM (
            SELECT DISTINCT unnest(ARRAY[
                told.customer::text, told.product_id::text, told.variant_id::text, told.category,
                split_part(told.category, '_', 1), split_part(told.category, '_', 2), told.color, told.size, told.code,
                told.country, told.city, told.payment_status
            ]) AS member FROM all_sale_rows AS told
        ) named
        WHERE member IS NOT NULL AND NOT EXISTS (SELECT FROM sale_members known WHERE known.member = named.member)
        ORDER BY member ON CONFLICT DO NOTHING;
    ANALYZE all_sale_rows, sale_members;
    WITH numbered AS (
        SELECT orders.number AS order_number, told.at AT TIME ZONE (SELECT time_zone FROM analytics_state) AS local_at,
            row_number() OVER (PARTITION BY told.order_id ORDER BY told.is_sale DESC, line_id, refund_id) AS place,
            told.at, told.unit_price_cents, told.discounted, told.is_sale, told.order_mark, told.units,
            told.gross_cents, told.discount_cents, told.refund_cents, told.tax_cents, told.shipping_cents,
            (unit_price_cents >= 5000)::int + (unit_price_cents >= 10000)::int + (unit_price_cents >= 15000)::int
                AS band,
            coalesce(the_customer.number, 0) AS customer, coalesce(the_product.number, 0) AS product,
            coalesce(the_variant.number, 0) AS variant, coalesce(the_category.number, 0) AS category,
            coalesce(the_gender.number, 0) AS gender, coalesce(the_subcategory.number, 0) AS subcategory,
            coalesce(the_color.number, 0) AS color, coalesce(the_size.number, 0) AS size,
            coalesce(the_code.number, 0) AS code, coalesce(the_country.number, 0) AS country,
            coalesce(the_city.number, 0) AS city, coalesce(the_payment_status.number, 0) AS payment_status
        FROM all_sale_rows AS told JOIN orders ON orders.id = told.order_id
            LEFT JOIN sale_members the_customer ON the_customer.member = told.customer::text
            LEFT JOIN sale_members the_product ON the_product.member = told.product_id::text
            LEFT JOIN sale_members the_variant ON the_variant.member = told.variant_id::text
            LEFT JOIN sale_members the_category ON the_category.member = told.category
            LEFT JOIN sale_members the_gender ON the_gender.member = split_part(told.category, '_', 1)
            LEFT JOIN sale_members the_subcategory ON the_subcategory.member = split_part(told.category, '_', 2)
            LEFT JOIN sale_members the_color ON the_color.member = told.color
            LEFT JOIN sale_members the_size ON the_size.member = told.size
            LEFT JOIN sale_members the_code ON the_code.member = told.code
            LEFT JOIN sale_members the_country ON the_country.member = told.country
            LEFT JOIN sale_members the_city ON the_city.member = told.city
            LEFT JOIN sale_members the_payment_status ON the_payment_status.member = told.payment_status
    ),
    -- Choices of what to have in common, a bit each, in which a line is like one before it in its order. What differs
    -- takes out all choices with it: each number below has the bits of those without. See the table's model.
    again AS (
        SELECT line.order_number, line.place,
            bit_or(
                CASE WHEN line.gender = before.gender THEN -1 ELSE 6148914691236517205 END
                & CASE WHEN line.subcategory = before.subcategory THEN -1 ELSE 3689348814741910323 END
                & CASE WHEN line.product = before.product THEN -1 ELSE 1085102592571150095 END
                & CASE WHEN line.color = before.color THEN -1 ELSE 71777214294589695 END
                & CASE WHEN line.size = before.size THEN -1 ELSE 281470681808895 END
                & CASE WHEN line.discounted = before.discounted THEN -1 ELSE 4294967295 END
            ) AS alike,
            bit_or(
                CASE WHEN line.gender = before.gender THEN -1 ELSE 6148914691236517205 END
                & CASE WHEN line.subcategory = before.subcategory THEN -1 ELSE 3689348814741910323 END
                & CASE WHEN line.product = before.product THEN -1 ELSE 1085102592571150095 END
                & CASE WHEN line.color = before.color THEN -1 ELSE 71777214294589695 END
                & CASE WHEN line.size = before.size THEN -1 ELSE 281470681808895 END
                & CASE WHEN line.discounted = before.discounted THEN -1 ELSE 4294967295 END
            ) FILTER (WHERE line.band = before.band) AS alike_in_band
        FROM numbered line JOIN numbered before ON before.order_number = line.order_number
        WHERE line.is_sale AND before.is_sale AND before.place < line.place
        GROUP BY line.order_number, line.place
    )
    INSERT INTO sale_facts (
        order_number, place, local_at, day, hour, is_new, first_day, customer, product, variant, category, gender,
        subcategory, color, size, code, country, city, payment_status, at, unit_price_cents, discounted, is_sale,
        order_mark, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents, order_units,
        order_gross_cents, order_discount_cents, order_tax_cents, firsts, firsts_in_band
    )
        SELECT order_number, place, local_at, local_at::date, extract(hour FROM local_at),
            first_value(order_number) OVER own = order_number, first_value(local_at::date) OVER own,
            customer, product, variant, category, gender, subcategory, color, size, code, country, city,
            payment_status, at, unit_price_cents, discounted, is_sale, order_mark, units, gross_cents, discount_cents,
            refund_cents, tax_cents, shipping_cents,
            CASE WHEN is_sale THEN order_mark * sum(units) FILTER (WHERE is_sale) OVER whole
                ELSE units END,
            CASE WHEN is_sale THEN order_mark * sum(gross_cents) FILTER (WHERE is_sale) OVER whole
                ELSE gross_cents END,
            CASE WHEN is_sale THEN order_mark * sum(discount_cents) FILTER (WHERE is_sale) OVER whole
                ELSE discount_cents END,
            CASE WHEN is_sale THEN order_mark * sum(tax_cents) FILTER (WHERE is_sale) OVER whole
                ELSE tax_cents END,
            CASE WHEN is_sale THEN ~coalesce(alike, 0) ELSE 0 END,
            CASE WHEN is_sale THEN ~coalesce(alike_in_band, 0) ELSE 0 END
        FROM numbered LEFT JOIN again USING (order_number, place)
        WINDOW own AS (PARTITION BY customer ORDER BY is_sale DESC, at, order_number),
            whole AS (PARTITION BY order_number)
        ORDER BY at, order_number, place;
    DROP TABLE all_sale_rows;
    INSERT INTO sales_by_day (
        day, lines, orders, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents
    )
        SELECT day,
            count(*) AS lines, count(DISTINCT order_number) FILTER (WHERE is_sale) AS orders, sum(units) AS units,
            sum(gross_cents) AS gross_cents, sum(discount_cents) AS discount_cents, sum(refund_cents) AS refund_cents,
            sum(tax_cents) AS tax_cents, sum(shipping_cents) AS shipping_cents
        FROM sale_facts GROUP BY 1;
    INSERT INTO sales_by_day_category (
        day, category, lines, orders, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents
    )
        SELECT day, coalesce(member, ''),
            count(*) AS lines, count(DISTINCT order_number) FILTER (WHERE is_sale) AS orders, sum(units) AS units,
            sum(gross_cents) AS gross_cents, sum(discount_cents) AS discount_cents, sum(refund_cents) AS refund_cents,
            sum(tax_cents) AS tax_cents, sum(shipping_cents) AS shipping_cents
        FROM sale_facts LEFT JOIN sale_members ON number = category GROUP BY 1, 2;
    INSERT INTO sales_by_day_product (
        day, product_id, lines, orders, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents
    )
        SELECT day, coalesce(member::uuid, '00000000-0000-0000-0000-000000000000'::uuid),
            count(*) AS lines, count(DISTINCT order_number) FILTER (WHERE is_sale) AS orders, sum(units) AS units,
            sum(gross_cents) AS gross_cents, sum(discount_cents) AS discount_cents, sum(refund_cents) AS refund_cents,
            sum(tax_cents) AS tax_cents, sum(shipping_cents) AS shipping_cents
        FROM sale_facts LEFT JOIN sale_members ON number = product GROUP BY 1, 2;
END $$;
