-- Puts the order of a refund that was paid back into the outbox. Whoever writes many orders at once
-- sets minimal.bulk and rebuilds afterwards.
CREATE OR REPLACE FUNCTION follow_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('minimal.bulk', true), '') <> 'on' THEN
        INSERT INTO analytics_outbox (order_id) VALUES (NEW.order_id);
        PERFORM pg_notify('analytics_outbox', '');
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS sales_follow_refunds ON refunds;
CREATE CONSTRAINT TRIGGER sales_follow_refunds AFTER INSERT OR UPDATE OF status ON refunds
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.status = 'succeeded' AND NEW.order_id IS NOT NULL)
    EXECUTE FUNCTION follow_refund();
