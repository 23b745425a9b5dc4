-- Shoppers see these columns of a product's pictures.
CREATE OR REPLACE FUNCTION announce_inserted_product_images() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_products(ARRAY(SELECT DISTINCT * FROM (SELECT product_id FROM became) AS changed));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_updated_product_images() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_products(ARRAY(
        SELECT DISTINCT * FROM (
            SELECT unnest(ARRAY[was.product_id, became.product_id]) FROM was JOIN became USING (id)
            WHERE (
                was.product_id, was.color_id, was.image_id, was.alt, was.position
            ) IS DISTINCT FROM (
                became.product_id, became.color_id, became.image_id, became.alt, became.position
            )
        ) AS changed
    ));
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_deleted_product_images() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM announce_products(ARRAY(SELECT DISTINCT * FROM (SELECT product_id FROM was) AS changed));
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_products_insert AFTER INSERT ON product_images
    REFERENCING NEW TABLE AS became
    FOR EACH STATEMENT EXECUTE FUNCTION announce_inserted_product_images();

CREATE OR REPLACE TRIGGER announce_products_update AFTER UPDATE ON product_images
    REFERENCING OLD TABLE AS was NEW TABLE AS became
    FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_product_images();

CREATE OR REPLACE TRIGGER announce_products_delete AFTER DELETE ON product_images
    REFERENCING OLD TABLE AS was
    FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_product_images();

-- Nobody knows which products a TRUNCATE took: an empty message stands for any of them.
CREATE OR REPLACE TRIGGER announce_products_truncate AFTER TRUNCATE ON product_images
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('catalog_products');
