-- Searches find products by the names of their category, department and kind.
CREATE OR REPLACE FUNCTION announce_renamed_categories() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    became CONSTANT jsonb := to_jsonb(NEW);
BEGIN
    PERFORM announce_products(ARRAY(
        SELECT id FROM products
        WHERE retired_at IS NULL AND CASE TG_TABLE_NAME
            WHEN 'departments' THEN gender = became ->> 'key'
            WHEN 'kinds' THEN subcategory = became ->> 'key'
            ELSE category = became ->> 'key'
        END
    ));
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_renamed AFTER UPDATE OF name ON departments
    FOR EACH ROW WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION announce_renamed_categories();

CREATE OR REPLACE TRIGGER announce_renamed AFTER UPDATE OF name ON kinds
    FOR EACH ROW WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION announce_renamed_categories();

CREATE OR REPLACE TRIGGER announce_renamed AFTER UPDATE OF name ON categories
    FOR EACH ROW WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION announce_renamed_categories();
