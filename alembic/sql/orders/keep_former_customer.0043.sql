-- An order whose account is deleted keeps which orders were of the same customer, and no way back to the account: the
-- hash of an id that is random and stands nowhere any more.
CREATE OR REPLACE FUNCTION keep_former_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.former_customer := md5('customer ' || OLD.user_id)::uuid;
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER orders_keep_former_customer BEFORE UPDATE OF user_id ON orders
    FOR EACH ROW WHEN (OLD.user_id IS NOT NULL AND NEW.user_id IS NULL) EXECUTE FUNCTION keep_former_customer();
