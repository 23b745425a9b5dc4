-- What delivery and tax come to is kept in memory, and shown on pages of the catalogue.
CREATE OR REPLACE TRIGGER announce_to_catalog AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON delivery_zones
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('catalog');

CREATE OR REPLACE TRIGGER announce_to_tariff AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON delivery_zones
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('tariff');

CREATE OR REPLACE TRIGGER announce_to_catalog AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON delivery_countries
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('catalog');

CREATE OR REPLACE TRIGGER announce_to_tariff AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON delivery_countries
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('tariff');

CREATE OR REPLACE TRIGGER announce_to_catalog AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON delivery_rates
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('catalog');

CREATE OR REPLACE TRIGGER announce_to_tariff AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON delivery_rates
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('tariff');

CREATE OR REPLACE TRIGGER announce_to_catalog AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tax_rates
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('catalog');

CREATE OR REPLACE TRIGGER announce_to_tariff AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON tax_rates
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('tariff');
