-- A visit is numbered when its first event comes, whichever of two comes first; it keeps the number. What an event
-- holds besides is kept by its number in event_members, 0 for nothing.
CREATE OR REPLACE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.visit_number := coalesce(NEW.visit_number, (
        SELECT visit_number FROM shop_events WHERE visit = NEW.visit AND visit_number IS NOT NULL LIMIT 1
    ));
    IF NEW.visit_number IS NULL THEN
        PERFORM pg_advisory_xact_lock(uuid_hash_extended(NEW.visit, 0));
        NEW.visit_number := coalesce(
            (SELECT visit_number FROM shop_events WHERE visit = NEW.visit AND visit_number IS NOT NULL LIMIT 1),
            nextval('visit_numbers')
        );
    END IF;
    INSERT INTO event_members (member)
        SELECT member
        FROM unnest(ARRAY[
            NEW.product_id::text, NEW.category, split_part(NEW.category, '_', 1), split_part(NEW.category, '_', 2)
        ]) AS member
        WHERE member IS NOT NULL AND NOT EXISTS (SELECT FROM event_members known WHERE known.member = member.member)
        ORDER BY member ON CONFLICT DO NOTHING;
    NEW.product_number := coalesce(
        (SELECT number FROM event_members WHERE member = NEW.product_id::text), 0
    );
    NEW.category_number := coalesce(
        (SELECT number FROM event_members WHERE member = NEW.category), 0
    );
    NEW.gender_number := coalesce(
        (SELECT number FROM event_members WHERE member = split_part(NEW.category, '_', 1)), 0
    );
    NEW.subcategory_number := coalesce(
        (SELECT number FROM event_members WHERE member = split_part(NEW.category, '_', 2)), 0
    );
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER shop_events_number BEFORE INSERT OR UPDATE OF visit_number ON shop_events
    FOR EACH ROW WHEN (NEW.visit_number IS NULL) EXECUTE FUNCTION number_event();
CREATE OR REPLACE TRIGGER shop_events_number_category BEFORE UPDATE OF category ON shop_events
    FOR EACH ROW WHEN (NEW.category IS DISTINCT FROM OLD.category) EXECUTE FUNCTION number_event();
