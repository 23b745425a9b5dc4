-- Puts an order whose facts are to follow into the outbox. Whoever writes many orders at once
-- sets minimal.bulk and rebuilds afterwards.
CREATE OR REPLACE FUNCTION follow_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('minimal.bulk', true), '') <> 'on' THEN
        INSERT INTO analytics_outbox (order_id) VALUES (NEW.id);
        PERFORM pg_notify('analytics_outbox', '');
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS sales_follow_new_orders ON orders;
CREATE CONSTRAINT TRIGGER sales_follow_new_orders AFTER INSERT ON orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.paid_at IS NOT NULL)
    EXECUTE FUNCTION follow_order();

DROP TRIGGER IF EXISTS sales_follow_orders ON orders;
CREATE CONSTRAINT TRIGGER sales_follow_orders AFTER UPDATE OF paid_at, payment_status, user_id, email ON orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (
        (OLD.paid_at, OLD.payment_status, OLD.user_id, OLD.email)
        IS DISTINCT FROM (NEW.paid_at, NEW.payment_status, NEW.user_id, NEW.email)
    )
    EXECUTE FUNCTION follow_order();
