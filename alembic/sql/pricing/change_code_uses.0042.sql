-- Changes the counted uses of the row's discount code by the trigger's argument. Only a code with a limit has a counter,
-- so orders with another code share nothing but a shared lock, and none of them waits for another.
CREATE OR REPLACE FUNCTION change_code_uses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    changed_code text := CASE TG_OP WHEN 'DELETE' THEN OLD.discount_code ELSE NEW.discount_code END;
BEGIN
    PERFORM lock_code_uses(ARRAY[changed_code]);
    UPDATE discount_codes SET counted_uses = counted_uses + TG_ARGV[0]::integer
    WHERE code = changed_code AND max_uses IS NOT NULL;
    RETURN NULL;
END
$$;
