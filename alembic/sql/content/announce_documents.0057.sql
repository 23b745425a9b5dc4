-- Processes that keep published documents in memory read anew which there are; of a change the id is announced.
CREATE OR REPLACE FUNCTION announce_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('documents', coalesce(NEW.id, OLD.id)::text);
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_published AFTER UPDATE ON documents FOR EACH ROW
    WHEN (OLD.publications IS DISTINCT FROM NEW.publications
        OR (OLD.published IS NULL) IS DISTINCT FROM (NEW.published IS NULL)
        OR OLD.key IS DISTINCT FROM NEW.key)
    EXECUTE FUNCTION announce_document();

CREATE OR REPLACE TRIGGER announce_added AFTER INSERT ON documents FOR EACH ROW
    WHEN (NEW.published IS NOT NULL) EXECUTE FUNCTION announce_document();

CREATE OR REPLACE TRIGGER announce_deleted AFTER DELETE ON documents FOR EACH ROW
    WHEN (OLD.published IS NOT NULL) EXECUTE FUNCTION announce_document();

CREATE OR REPLACE TRIGGER announce_truncated AFTER TRUNCATE ON documents
    FOR EACH STATEMENT EXECUTE FUNCTION announce_change('documents');
