-- What a refund pays back of each part of an order: first what it names, at most what is left of the part; the rest, or
-- all of a refund that names nothing, in proportion to what is then left of each. Running sums are rounded down, so
-- that the parts add up to the cent and none is paid back twice.
CREATE OR REPLACE FUNCTION divide_refund(amount bigint, named bigint[], remaining bigint[]) RETURNS bigint[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    paid_back bigint[] := remaining;
    rest bigint := amount;
    whole numeric := 0;
    running numeric := 0;
    shared bigint := 0;
    share bigint;
BEGIN
    FOR place IN 1..cardinality(remaining) LOOP
        paid_back[place] := least(named[place], remaining[place], rest);
        rest := rest - paid_back[place];
        whole := whole + remaining[place] - paid_back[place];
    END LOOP;
    rest := least(rest, whole);
    IF rest > 0 THEN
        FOR place IN 1..cardinality(remaining) LOOP
            running := running + remaining[place] - paid_back[place];
            share := div(rest * running, whole) - shared;
            paid_back[place] := paid_back[place] + share;
            shared := shared + share;
        END LOOP;
    END IF;
    RETURN paid_back;
END $$;
