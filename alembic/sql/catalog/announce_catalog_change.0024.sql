-- Cached pages and lists of the catalogue are made anew after a change of what they show.
CREATE OR REPLACE FUNCTION announce_catalog_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('catalog', '');
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_catalog_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON products
    FOR EACH STATEMENT EXECUTE FUNCTION announce_catalog_change();

CREATE OR REPLACE TRIGGER announce_catalog_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON product_colors
    FOR EACH STATEMENT EXECUTE FUNCTION announce_catalog_change();

CREATE OR REPLACE TRIGGER announce_catalog_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON product_images
    FOR EACH STATEMENT EXECUTE FUNCTION announce_catalog_change();

CREATE OR REPLACE TRIGGER announce_catalog_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON variants
    FOR EACH STATEMENT EXECUTE FUNCTION announce_catalog_change();
