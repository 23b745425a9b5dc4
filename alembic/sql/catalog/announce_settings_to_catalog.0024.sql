-- Pages of the catalogue show some of the shop's settings.
CREATE OR REPLACE TRIGGER announce_to_catalog AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON shop_settings
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('catalog');
