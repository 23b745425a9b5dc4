-- Keeps the counted uses of codes as they are until the transaction ends: rows of codes with a limit are locked in the
-- order of their text. The advisory lock (Lock.CODE_USES) is shared; only a new limit, which has to count, waits for it.
-- It is taken first, since a row that has no limit yet is not locked.
CREATE OR REPLACE FUNCTION lock_code_uses(codes text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7263018, hashtext(code)) FROM unnest(codes) AS code;
    PERFORM FROM discount_codes WHERE code = ANY (codes) AND max_uses IS NOT NULL ORDER BY code FOR NO KEY UPDATE;
END
$$;
