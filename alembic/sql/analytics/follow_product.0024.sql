-- Puts a product of another category into the outbox: facts of all its orders are to follow.
CREATE OR REPLACE FUNCTION follow_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO analytics_outbox (product_id) VALUES (NEW.id);
    PERFORM pg_notify('analytics_outbox', '');
    RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS sales_follow_products ON products;
CREATE CONSTRAINT TRIGGER sales_follow_products AFTER UPDATE OF gender, subcategory ON products
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN ((OLD.gender, OLD.subcategory) IS DISTINCT FROM (NEW.gender, NEW.subcategory))
    EXECUTE FUNCTION follow_product();
