-- Shoppers see these columns of a variant, and how many pieces there are of few: a sale that leaves ten or more changes
-- nothing that they see (`MANY` in catalog/contents.py).
CREATE OR REPLACE FUNCTION announce_inserted_variants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_products(ARRAY(SELECT DISTINCT * FROM (SELECT product_id FROM became) AS changed));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_updated_variants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_products(ARRAY(
        SELECT DISTINCT * FROM (
            SELECT unnest(ARRAY[was.product_id, became.product_id]) FROM was JOIN became USING (id)
            WHERE (
                was.product_id, was.color_id, was.size, was.sku, was.retired_at, least(was.stock, 10)
            ) IS DISTINCT FROM (
                became.product_id, became.color_id, became.size, became.sku, became.retired_at,
                least(became.stock, 10)
            )
        ) AS changed
    ));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_deleted_variants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_products(ARRAY(SELECT DISTINCT * FROM (SELECT product_id FROM was) AS changed));
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_products_insert AFTER INSERT ON variants
    REFERENCING NEW TABLE AS became
    FOR EACH STATEMENT EXECUTE FUNCTION announce_inserted_variants();

CREATE OR REPLACE TRIGGER announce_products_update AFTER UPDATE ON variants
    REFERENCING OLD TABLE AS was NEW TABLE AS became
    FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_variants();

CREATE OR REPLACE TRIGGER announce_products_delete AFTER DELETE ON variants
    REFERENCING OLD TABLE AS was
    FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_variants();

-- Nobody knows which products a TRUNCATE took: an empty message stands for any of them.
CREATE OR REPLACE TRIGGER announce_products_truncate AFTER TRUNCATE ON variants
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('catalog_products');
