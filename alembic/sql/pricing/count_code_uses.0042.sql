-- Counts the uses of a discount code once, when it gets a limit; from then on change_code_uses follows them. The lock
-- waits for transactions that have used the code without counting, and the next statement sees what they wrote.
CREATE OR REPLACE FUNCTION count_code_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.max_uses IS NULL THEN
        NEW.counted_uses := NULL;
    ELSIF NEW.counted_uses IS NULL THEN
        PERFORM pg_advisory_xact_lock(7263018, hashtext(NEW.code));
        NEW.counted_uses := (SELECT count(*) FROM code_uses WHERE discount_code = NEW.code)
            + (SELECT count(*) FROM code_reservations WHERE discount_code = NEW.code);
    END IF;
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER count_code_uses BEFORE INSERT OR UPDATE OF max_uses ON discount_codes
    FOR EACH ROW EXECUTE FUNCTION count_code_uses();
