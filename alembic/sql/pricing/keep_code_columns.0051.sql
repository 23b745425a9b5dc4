-- Keeps a code's promotion and the columns in which the version before has it equal, whichever version writes. A write
-- that leaves the promotion as it was and changes those columns is the version before's.
CREATE OR REPLACE FUNCTION keep_code_columns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.promotion IS NULL OR (
        TG_OP = 'UPDATE' AND NEW.promotion IS NOT DISTINCT FROM OLD.promotion
        AND (NEW.percent, NEW.amount_cents, NEW.min_subtotal_cents)
            IS DISTINCT FROM (OLD.percent, OLD.amount_cents, OLD.min_subtotal_cents)
    ) THEN
        NEW.promotion := jsonb_build_object(
            'action', CASE
                WHEN NEW.percent IS NOT NULL THEN jsonb_build_object('kind', 'percent_off', 'percent', NEW.percent)
                ELSE jsonb_build_object('kind', 'amount_off', 'amount_cents', NEW.amount_cents)
            END,
            'conditions', CASE
                WHEN NEW.min_subtotal_cents = 0 THEN jsonb_build_array()
                ELSE jsonb_build_array(
                    jsonb_build_object('kind', 'min_subtotal', 'min_subtotal_cents', NEW.min_subtotal_cents)
                )
            END
        );
    ELSE
        NEW.percent := CASE WHEN NEW.promotion #>> '{action,kind}' = 'percent_off'
            THEN (NEW.promotion #>> '{action,percent}')::int END;
        NEW.amount_cents := CASE WHEN NEW.promotion #>> '{action,kind}' = 'amount_off'
            THEN (NEW.promotion #>> '{action,amount_cents}')::int END;
        NEW.min_subtotal_cents := coalesce(
            (jsonb_path_query_first(
                NEW.promotion, '$.conditions[*] ? (@.kind == "min_subtotal").min_subtotal_cents'
            ))::bigint, 0
        );
    END IF;
    RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER keep_code_columns BEFORE INSERT OR UPDATE ON discount_codes
    FOR EACH ROW EXECUTE FUNCTION keep_code_columns();
