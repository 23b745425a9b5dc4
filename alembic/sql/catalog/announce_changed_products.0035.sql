-- Shoppers see these columns of a product, in lists, filters, searches or on its page.
CREATE OR REPLACE FUNCTION announce_inserted_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_products(ARRAY(SELECT DISTINCT * FROM (SELECT id FROM became) AS changed));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_updated_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_products(ARRAY(
        SELECT DISTINCT * FROM (
            SELECT unnest(ARRAY[was.id, became.id]) FROM was JOIN became USING (id)
            WHERE (
                was.name, was.title, was.subtitle, was.description, was.details, was.measurements,
                was.gender, was.subcategory, was.price_cents, was.discounted_price_cents,
                was.discount_percentage, was.charged_cents, was.is_on_sale, was.image,
                was.popularity, was.created_at, was.retired_at
            ) IS DISTINCT FROM (
                became.name, became.title, became.subtitle, became.description, became.details,
                became.measurements, became.gender, became.subcategory, became.price_cents,
                became.discounted_price_cents, became.discount_percentage, became.charged_cents,
                became.is_on_sale, became.image, became.popularity, became.created_at,
                became.retired_at
            )
        ) AS changed
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
