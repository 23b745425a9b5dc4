-- Counts the pairs of products in orders whose facts are written or deleted. All facts of an order are written by one
-- statement, and deleted by one. Whoever empties the facts empties these sums, with or without naming them.
CREATE OR REPLACE FUNCTION count_pairs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign int := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        DELETE FROM sales_by_day_pair;
        RETURN NULL;
    END IF;
    INSERT INTO sales_by_day_pair AS known (day, first, second, orders)
        SELECT day, one, other, sign * count(*)
        FROM (
            SELECT day, uniq(sort(array_agg(product))) AS products FROM changed
            WHERE is_sale AND product <> 0 GROUP BY day, order_number HAVING count(*) > 1
        ) baskets, unnest(products) AS one, unnest(products) AS other
        WHERE one < other GROUP BY day, one, other ORDER BY day, one, other
        ON CONFLICT (day, first, second) DO UPDATE SET orders = known.orders + excluded.orders;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sales_count_pairs_insert AFTER INSERT ON sale_facts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_pairs();
CREATE OR REPLACE TRIGGER sales_count_pairs_delete AFTER DELETE ON sale_facts
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_pairs();
CREATE OR REPLACE TRIGGER sales_count_pairs_truncate AFTER TRUNCATE ON sale_facts
    FOR EACH STATEMENT EXECUTE FUNCTION count_pairs();
