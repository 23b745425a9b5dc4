-- Announces changes of what shoppers see of a product, in lists, filters, searches or on its page.
CREATE OR REPLACE FUNCTION announce_inserted_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_products(ARRAY(SELECT DISTINCT * FROM (SELECT id FROM became) AS changed));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_updated_products() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- What no shopper sees. Every other column is announced, also one that is added after this.
    hidden CONSTANT text[] := ARRAY[
        'discount_starts_at', 'discount_ends_at', 'discount_runs', 'discount_turns_at', 'weight_grams', 'version', 'updated_at'
    ];
BEGIN
    PERFORM announce_products(ARRAY(
        SELECT id FROM was JOIN became USING (id)
        WHERE to_jsonb(was) - hidden IS DISTINCT FROM to_jsonb(became) - hidden
    ));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_deleted_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_products(ARRAY(SELECT DISTINCT * FROM (SELECT id FROM was) AS changed));
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_products_insert AFTER INSERT ON products
    REFERENCING NEW TABLE AS became
    FOR EACH STATEMENT EXECUTE FUNCTION announce_inserted_products();

CREATE OR REPLACE TRIGGER announce_products_update AFTER UPDATE ON products
    REFERENCING OLD TABLE AS was NEW TABLE AS became
    FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_products();

CREATE OR REPLACE TRIGGER announce_products_delete AFTER DELETE ON products
    REFERENCING OLD TABLE AS was
    FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_products();

-- Nobody knows which products a TRUNCATE took: an empty message stands for any of them.
CREATE OR REPLACE TRIGGER announce_products_truncate AFTER TRUNCATE ON products
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('catalog_products');
