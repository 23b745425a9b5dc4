-- Puts the order of a refund into the outbox that was paid back, or after all was not. Whoever writes many orders at
-- once sets minimal.bulk and rebuilds afterwards.
CREATE OR REPLACE FUNCTION follow_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('minimal.bulk', true), '') <> 'on' THEN
        INSERT INTO analytics_outbox (order_id)
            SELECT DISTINCT order_id FROM unnest(ARRAY[NEW.order_id, OLD.order_id]) AS order_id
            WHERE order_id IS NOT NULL;
        PERFORM pg_notify('analytics_outbox', '');
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS sales_follow_new_refunds ON refunds;
CREATE CONSTRAINT TRIGGER sales_follow_new_refunds AFTER INSERT ON refunds
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.status = 'succeeded')
    EXECUTE FUNCTION follow_refund();

DROP TRIGGER IF EXISTS sales_follow_refunds ON refunds;
CREATE CONSTRAINT TRIGGER sales_follow_refunds
    AFTER UPDATE OF status, order_id, amount_cents, shipping_cents, succeeded_at ON refunds
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (
        (OLD.status = 'succeeded' OR NEW.status = 'succeeded')
        AND (OLD.status, OLD.order_id, OLD.amount_cents, OLD.shipping_cents, OLD.succeeded_at)
            IS DISTINCT FROM (NEW.status, NEW.order_id, NEW.amount_cents, NEW.shipping_cents, NEW.succeeded_at)
    )
    EXECUTE FUNCTION follow_refund();
