-- Departments, kinds and categories are read whole: among the ids of products this one stands for them
-- (`CATEGORIES` in catalog/follower.py).
CREATE OR REPLACE FUNCTION announce_categories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('catalog_products', '00000000-0000-0000-0000-000000000000');
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_categories AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON departments
    FOR EACH STATEMENT EXECUTE FUNCTION announce_categories();

CREATE OR REPLACE TRIGGER announce_categories AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON kinds
    FOR EACH STATEMENT EXECUTE FUNCTION announce_categories();

CREATE OR REPLACE TRIGGER announce_categories AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON categories
    FOR EACH STATEMENT EXECUTE FUNCTION announce_categories();
