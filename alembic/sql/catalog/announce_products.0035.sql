-- Tells every process which products have changed for shoppers; 200 ids is what one message has room for.
CREATE OR REPLACE FUNCTION announce_products(changed uuid[]) RETURNS void LANGUAGE sql AS $$
    SELECT pg_notify('catalog_products', string_agg(id::text, ','))
    FROM (SELECT id, row_number() OVER () / 200 AS message FROM unnest(changed) AS id) AS numbered
    GROUP BY message
$$;
