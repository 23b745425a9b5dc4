-- What facts of some orders, by their numbers, come to by day, and again by category and by product. An order counts
-- once in each of its rows.
CREATE OR REPLACE FUNCTION sales_sums(numbers integer[]) RETURNS TABLE (
    grain text, day date, category text, product_id uuid, lines bigint, orders bigint, units bigint,
    gross_cents bigint, discount_cents bigint, refund_cents bigint, tax_cents bigint, shipping_cents bigint
) LANGUAGE sql STABLE AS $$
    SELECT 'day', sale_facts.day, '', '00000000-0000-0000-0000-000000000000'::uuid,
        count(*) AS lines, count(DISTINCT order_number) FILTER (WHERE is_sale) AS orders, sum(units) AS units,
        sum(gross_cents) AS gross_cents, sum(discount_cents) AS discount_cents, sum(refund_cents) AS refund_cents,
        sum(tax_cents) AS tax_cents, sum(shipping_cents) AS shipping_cents
    FROM sale_facts WHERE order_number = ANY (numbers) GROUP BY 2
    UNION ALL
    SELECT 'category', sale_facts.day, coalesce(member, ''), '00000000-0000-0000-0000-000000000000'::uuid,
        count(*) AS lines, count(DISTINCT order_number) FILTER (WHERE is_sale) AS orders, sum(units) AS units,
        sum(gross_cents) AS gross_cents, sum(discount_cents) AS discount_cents, sum(refund_cents) AS refund_cents,
        sum(tax_cents) AS tax_cents, sum(shipping_cents) AS shipping_cents
    FROM sale_facts LEFT JOIN sale_members ON number = sale_facts.category
    WHERE order_number = ANY (numbers) GROUP BY 2, 3
    UNION ALL
    SELECT 'product', sale_facts.day, '', coalesce(member::uuid, '00000000-0000-0000-0000-000000000000'::uuid),
        count(*) AS lines, count(DISTINCT order_number) FILTER (WHERE is_sale) AS orders, sum(units) AS units,
        sum(gross_cents) AS gross_cents, sum(discount_cents) AS discount_cents, sum(refund_cents) AS refund_cents,
        sum(tax_cents) AS tax_cents, sum(shipping_cents) AS shipping_cents
    FROM sale_facts LEFT JOIN sale_members ON number = product WHERE order_number = ANY (numbers) GROUP BY 2, 4
$$;
