-- The facts of some orders, taken out as they were and put in as the orders are now, with the differences that this
-- makes to sums by day and to how often products were sold. Orders themselves are not locked: a change that is
-- committed meanwhile has an outbox row of its own. To plan a statement takes longer than to run it, and the plans are
-- good for the next order.
CREATE OR REPLACE FUNCTION follow_sales(ids uuid[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
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
    WITH sold AS MATERIALIZED (SELECT * FROM sales_of(ids)),
    named AS MATERIALIZED (SELECT DISTINCT unnest(members) AS member FROM sold),
    added AS (
        INSERT INTO sale_members (member)
            SELECT member FROM named
            WHERE member IS NOT NULL AND NOT EXISTS (SELECT FROM sale_members known WHERE known.member = named.member)
            ORDER BY member
            RETURNING number, member
    ),
    numbered AS (
        SELECT number, member FROM named JOIN sale_members USING (member) UNION ALL SELECT number, member FROM added
    ),
    keyed AS (
        SELECT order_number, place, array_agg(coalesce(number, 0) ORDER BY position) AS member
        FROM sold CROSS JOIN unnest(members) WITH ORDINALITY AS own (member, position) LEFT JOIN numbered USING (member)
        GROUP BY order_number, place
    ),
    -- Of customers who have bought before. Without it their facts would be written twice, which makes the table twice as
    -- large, and reports read it that much slower.
    earlier AS MATERIALIZED (
        SELECT buyer.customer, first.at, first.order_number, first.day
        FROM (SELECT DISTINCT member[1] AS customer FROM keyed) buyer
        CROSS JOIN LATERAL (
            SELECT at, order_number, day FROM sale_facts
            WHERE sale_facts.customer = buyer.customer AND is_sale ORDER BY at, order_number LIMIT 1
        ) first
    ),
    placed AS (
        SELECT
            sold.*, member, local_at, first_value(sold.order_number) OVER own AS first_order,
            first_value(local_at::date) OVER own AS first_day, earlier.day AS earlier_day,
            earlier.day IS NOT NULL AND (
                NOT first_value(is_sale) OVER own
                OR (earlier.at, earlier.order_number)
                    < (first_value(sold.at) OVER own, first_value(sold.order_number) OVER own)
            ) AS has_earlier
        FROM sold JOIN keyed USING (order_number, place)
        CROSS JOIN LATERAL (SELECT sold.at AT TIME ZONE (SELECT time_zone FROM analytics_state) AS local_at) clock
        LEFT JOIN earlier ON earlier.customer = member[1]
        WINDOW own AS (PARTITION BY member[1] ORDER BY is_sale DESC, sold.at, sold.order_number)
    ),
    written AS (
        INSERT INTO sale_facts (
            order_number, place, at, local_at, day, hour, is_new, first_day, customer, product, variant, category,
            gender, subcategory, color, size, code, country, city, payment_status, unit_price_cents, discounted,
            is_sale, order_mark, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents,
            order_units, order_gross_cents, order_discount_cents, order_tax_cents
        )
        SELECT
            order_number, place, at, local_at, local_at::date, extract(hour FROM local_at),
            NOT has_earlier AND first_order = order_number,
            CASE WHEN has_earlier THEN earlier_day ELSE first_day END,
            member[1], member[2], member[3], member[4], member[5], member[6], member[7], member[8], member[9],
            member[10], member[11], member[12], unit_price_cents, discounted, is_sale, order_mark, units, gross_cents,
            discount_cents, refund_cents, tax_cents, shipping_cents,
            CASE WHEN is_sale THEN order_mark * sum(units) OVER whole ELSE units END,
            CASE WHEN is_sale THEN order_mark * sum(gross_cents) OVER whole ELSE gross_cents END,
            CASE WHEN is_sale THEN order_mark * sum(discount_cents) OVER whole ELSE discount_cents END,
            CASE WHEN is_sale THEN order_mark * sum(tax_cents) OVER whole ELSE tax_cents END
        FROM placed WINDOW whole AS (PARTITION BY order_number, is_sale)
        ORDER BY at, order_number, place
        RETURNING customer
    )
    SELECT array_agg(DISTINCT customer) INTO buyers
        FROM (SELECT unnest(buyers) AS customer UNION ALL SELECT customer FROM written) both_ways;
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
