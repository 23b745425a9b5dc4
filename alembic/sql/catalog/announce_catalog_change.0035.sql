DROP FUNCTION IF EXISTS announce_catalog_change();
