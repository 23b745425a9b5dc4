-- What counts as low is the shop's to decide while it runs, so this tells of every fall to where it could matter.
CREATE OR REPLACE FUNCTION announce_falling_stock() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fallen text;
    number int;
BEGIN
    SELECT string_agg(format('%s:%s:%s', id, was.stock, became.stock), ','), count(*) INTO fallen, number
    FROM was JOIN became USING (id)
    WHERE became.stock < was.stock AND became.stock <= 1000;
    IF number > 0 THEN
        PERFORM pg_notify('stock_fell', CASE WHEN number <= 100 THEN fallen ELSE '' END);
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_falling_stock AFTER UPDATE ON variants
    REFERENCING OLD TABLE AS was NEW TABLE AS became
    FOR EACH STATEMENT EXECUTE FUNCTION announce_falling_stock();
