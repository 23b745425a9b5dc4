-- Puts `returned` items of each variant back into stock and takes `taken`, all or nothing: unless every variant that
-- items are taken of exists and has enough, counting what is put back, no stock changes. Gives a row for each variant
-- that exists. Which of two checkouts gets the last item is decided here.
--
-- Rows are locked in the order of their ids, so that two checkouts of the same variants wait for each other instead of
-- deadlocking. The update is a second statement, since it must see the rows as they were locked: one that locks and
-- updates goes by the version from before its wait, and for that version it queues behind whoever waits for it, as soon
-- as a foreign key of a third transaction holds the version's key.
CREATE OR REPLACE FUNCTION change_stock(ids uuid[], taken integer[], returned integer[])
RETURNS TABLE (variant_id uuid, available integer, granted boolean) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM FROM variants WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
    RETURN QUERY
    WITH asked AS (SELECT * FROM unnest(ids, taken, returned) AS asked (id, taken, returned)),
    present AS (
        SELECT id, stock + asked.returned AS available, asked.taken, asked.returned FROM variants JOIN asked USING (id)
    ),
    verdict AS (
        SELECT count(*) FILTER (WHERE taken BETWEEN 1 AND available) = (SELECT count(*) FROM asked WHERE taken <> 0)
            AS granted
        FROM present
    ),
    changed AS (
        UPDATE variants SET stock = stock + present.returned - present.taken
        FROM present, verdict WHERE variants.id = present.id AND verdict.granted
    )
    SELECT present.id, present.available, verdict.granted FROM present, verdict;
END
$$;
