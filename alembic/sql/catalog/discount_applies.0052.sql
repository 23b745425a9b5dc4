-- Whether a discount between two moments applies now: without a beginning it has begun, without an end it goes on.
CREATE OR REPLACE FUNCTION discount_applies(starts_at timestamptz, ends_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(starts_at <= now(), true) AND coalesce(now() < ends_at, true);
