-- Processes that keep the shop's settings in memory read them again.
CREATE OR REPLACE TRIGGER announce_to_shop_settings AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON shop_settings
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('shop_settings');
