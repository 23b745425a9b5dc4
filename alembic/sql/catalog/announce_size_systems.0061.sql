-- Size systems are read with the categories that name them.
CREATE OR REPLACE TRIGGER announce_categories AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON size_systems
    FOR EACH STATEMENT EXECUTE FUNCTION announce_categories();

-- The index knows sizes by keys, in which their system stands.
CREATE OR REPLACE TRIGGER announce_other_sizes AFTER UPDATE OF size_system ON categories
    FOR EACH ROW WHEN (NEW.size_system <> OLD.size_system) EXECUTE FUNCTION announce_renamed_categories();
