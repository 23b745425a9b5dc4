-- The facts of some orders, taken out as they were and put in as the orders are now, with the differences that this
-- makes to sums by day and to how often products were sold. Orders themselves are not locked: a change that is
-- committed meanwhile has an outbox row of its own. To plan a statement takes longer than to run it, and the plans are
-- good for the next order.
CREATE OR REPLACE FUNCTION follow_sales(ids uuid[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    rows sale_rows[];
    numbers int[];
    buyers int[];
    sums_before sales_change[];
    changes sales_change[];
BEGIN
    -- server.platform.core.locks.Lock.FACTS: one writer of facts at a time. Two that knew nothing of each other would both make
    -- their order a customer's first.
    PERFORM pg_advisory_xact_lock(7263014);
    numbers := ARRAY(SELECT number FROM orders WHERE id = ANY (ids));
    sums_before := ARRAY(
        SELECT ROW(
            grain, day, category, product_id,
            -lines, -orders, -units, -gross_cents, -discount_cents, -refund_cents, -tax_cents, -shipping_cents
        )::sales_change FROM sales_sums(numbers)
    );
    WITH gone AS (DELETE FROM sale_facts WHERE order_number = ANY (numbers) RETURNING customer)
        SELECT array_agg(DISTINCT customer) INTO buyers FROM gone;
    rows := ARRAY(SELECT told FROM sale_rows_of(ids) AS told);
    INSERT INTO sale_members (member)
        SELECT member FROM (
            SELECT DISTINCT unnest(ARRAY[
                told.customer::text, told.product_id::text, told.variant_id::text, told.category,
                split_part(told.category, '_', 1), split_part(told.category, '_', 2), told.color, told.size, told.code,
                told.country, told.city, told.payment_status
            ]) AS member FROM unnest(rows) AS told
        ) named
        WHERE member IS NOT NULL AND NOT EXISTS (SELECT FROM sale_members known WHERE known.member = named.member)
        ORDER BY member ON CONFLICT DO NOTHING;
    buyers := ARRAY(
        SELECT number FROM sale_members
        WHERE number = ANY (buyers) OR member = ANY (ARRAY(SELECT customer::text FROM unnest(rows)))
    );
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
        FROM unnest(rows) AS told JOIN orders ON orders.id = told.order_id
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
    UPDATE sale_facts SET is_new = (sale_facts.order_number = first.order_number), first_day = first.day
    FROM (
        SELECT DISTINCT ON (customer) customer, order_number, day FROM sale_facts
        WHERE customer = ANY (buyers) AND is_sale ORDER BY customer, at, order_number
    ) first
    WHERE sale_facts.customer = ANY (buyers) AND sale_facts.customer = first.customer
        AND (is_new, first_day) IS DISTINCT FROM (sale_facts.order_number = first.order_number, first.day);
    DELETE FROM sale_members
        WHERE number = ANY (buyers) AND NOT EXISTS (SELECT FROM sale_facts WHERE customer = number);
    changes := ARRAY(
        SELECT ROW(
            grain, day, category, product_id,
            sum(lines), sum(orders), sum(units), sum(gross_cents), sum(discount_cents), sum(refund_cents),
            sum(tax_cents), sum(shipping_cents)
        )::sales_change
        FROM (SELECT * FROM unnest(sums_before) UNION ALL SELECT * FROM sales_sums(numbers)) AS told
        GROUP BY grain, day, category, product_id
        HAVING sum(lines) <> 0 OR sum(orders) <> 0 OR sum(units) <> 0 OR sum(gross_cents) <> 0
            OR sum(discount_cents) <> 0 OR sum(refund_cents) <> 0 OR sum(tax_cents) <> 0 OR sum(shipping_cents) <> 0
    );
    INSERT INTO sales_by_day (
        day, lines, orders, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents
    )
        SELECT
            day, lines, orders, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents
        FROM unnest(changes) WHERE grain = 'day' ORDER BY day
        ON CONFLICT (day) DO UPDATE SET
            lines = sales_by_day.lines + excluded.lines, orders = sales_by_day.orders + excluded.orders,
            units = sales_by_day.units + excluded.units, gross_cents = sales_by_day.gross_cents + excluded.gross_cents,
            discount_cents = sales_by_day.discount_cents + excluded.discount_cents,
            refund_cents = sales_by_day.refund_cents + excluded.refund_cents,
            tax_cents = sales_by_day.tax_cents + excluded.tax_cents,
            shipping_cents = sales_by_day.shipping_cents + excluded.shipping_cents;
    DELETE FROM sales_by_day USING unnest(changes) AS change
        WHERE change.grain = 'day' AND sales_by_day.lines = 0
            AND sales_by_day.day = change.day;
    INSERT INTO sales_by_day_category (
        day, category, lines, orders, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents
    )
        SELECT
            day, category, lines, orders, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents
        FROM unnest(changes) WHERE grain = 'category' ORDER BY day, category
        ON CONFLICT (day, category) DO UPDATE SET
            lines = sales_by_day_category.lines + excluded.lines,
            orders = sales_by_day_category.orders + excluded.orders,
            units = sales_by_day_category.units + excluded.units,
            gross_cents = sales_by_day_category.gross_cents + excluded.gross_cents,
            discount_cents = sales_by_day_category.discount_cents + excluded.discount_cents,
            refund_cents = sales_by_day_category.refund_cents + excluded.refund_cents,
            tax_cents = sales_by_day_category.tax_cents + excluded.tax_cents,
            shipping_cents = sales_by_day_category.shipping_cents + excluded.shipping_cents;
    DELETE FROM sales_by_day_category USING unnest(changes) AS change
        WHERE change.grain = 'category' AND sales_by_day_category.lines = 0
            AND sales_by_day_category.day = change.day AND sales_by_day_category.category = change.category;
    INSERT INTO sales_by_day_product (
        day, product_id, lines, orders, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents
    )
        SELECT
            day, product_id, lines, orders, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents
        FROM unnest(changes) WHERE grain = 'product' ORDER BY day, product_id
        ON CONFLICT (day, product_id) DO UPDATE SET
            lines = sales_by_day_product.lines + excluded.lines,
            orders = sales_by_day_product.orders + excluded.orders,
            units = sales_by_day_product.units + excluded.units,
            gross_cents = sales_by_day_product.gross_cents + excluded.gross_cents,
            discount_cents = sales_by_day_product.discount_cents + excluded.discount_cents,
            refund_cents = sales_by_day_product.refund_cents + excluded.refund_cents,
            tax_cents = sales_by_day_product.tax_cents + excluded.tax_cents,
            shipping_cents = sales_by_day_product.shipping_cents + excluded.shipping_cents;
    DELETE FROM sales_by_day_product USING unnest(changes) AS change
        WHERE change.grain = 'product' AND sales_by_day_product.lines = 0
            AND sales_by_day_product.day = change.day AND sales_by_day_product.product_id = change.product_id;
    -- A rebuild finds out how often each product was sold at its end.
    IF (SELECT rebuilt_at IS NOT NULL FROM analytics_state) THEN
        INSERT INTO popularity_changes (product_id, units)
            SELECT product_id, sum(units) FROM unnest(changes)
            WHERE grain = 'product' AND product_id <> '00000000-0000-0000-0000-000000000000'
            GROUP BY product_id HAVING sum(units) <> 0
            ON CONFLICT (product_id) DO UPDATE SET units = popularity_changes.units + excluded.units;
    END IF;
END $$;
