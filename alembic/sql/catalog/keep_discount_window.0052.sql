-- Says of a product whether now is within its discount's time, and when that will be otherwise.
CREATE OR REPLACE FUNCTION keep_discount_window() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.discount_runs := discount_applies(NEW.discount_starts_at, NEW.discount_ends_at);
    NEW.discount_turns_at := CASE
        WHEN NEW.discount_starts_at > now() THEN NEW.discount_starts_at
        WHEN NEW.discount_ends_at > now() THEN NEW.discount_ends_at
    END;
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_discount_window
    BEFORE INSERT OR UPDATE OF discount_starts_at, discount_ends_at ON products
    FOR EACH ROW EXECUTE FUNCTION keep_discount_window();
