-- For pricing: each change of an order's or a checkout's state changes the counted uses of its code in the same
-- transaction, whichever path made the change.
CREATE OR REPLACE TRIGGER take_code_use AFTER INSERT ON orders FOR EACH ROW
    WHEN (NEW.discount_code IS NOT NULL AND is_code_use(NEW.payment_status, NEW.fulfilment, NEW.canceled_at))
    EXECUTE FUNCTION change_code_uses('1');

CREATE OR REPLACE TRIGGER take_code_use_again AFTER UPDATE ON orders FOR EACH ROW
    WHEN (
        NEW.discount_code IS NOT NULL
        AND is_code_use(NEW.payment_status, NEW.fulfilment, NEW.canceled_at)
        AND NOT is_code_use(OLD.payment_status, OLD.fulfilment, OLD.canceled_at)
    )
    EXECUTE FUNCTION change_code_uses('1');

CREATE OR REPLACE TRIGGER give_back_code_use AFTER UPDATE ON orders FOR EACH ROW
    WHEN (
        NEW.discount_code IS NOT NULL
        AND is_code_use(OLD.payment_status, OLD.fulfilment, OLD.canceled_at)
        AND NOT is_code_use(NEW.payment_status, NEW.fulfilment, NEW.canceled_at)
    )
    EXECUTE FUNCTION change_code_uses('-1');

CREATE OR REPLACE TRIGGER delete_code_use AFTER DELETE ON orders FOR EACH ROW
    WHEN (OLD.discount_code IS NOT NULL AND is_code_use(OLD.payment_status, OLD.fulfilment, OLD.canceled_at))
    EXECUTE FUNCTION change_code_uses('-1');

CREATE OR REPLACE TRIGGER take_code_use AFTER INSERT ON checkouts FOR EACH ROW
    WHEN (NEW.discount_code IS NOT NULL AND NEW.status = 'open')
    EXECUTE FUNCTION change_code_uses('1');

CREATE OR REPLACE TRIGGER take_code_use_again AFTER UPDATE ON checkouts FOR EACH ROW
    WHEN (NEW.discount_code IS NOT NULL AND NEW.status = 'open' AND OLD.status <> 'open')
    EXECUTE FUNCTION change_code_uses('1');

CREATE OR REPLACE TRIGGER give_back_code_use AFTER UPDATE ON checkouts FOR EACH ROW
    WHEN (NEW.discount_code IS NOT NULL AND NEW.status <> 'open' AND OLD.status = 'open')
    EXECUTE FUNCTION change_code_uses('-1');

CREATE OR REPLACE TRIGGER delete_code_use AFTER DELETE ON checkouts FOR EACH ROW
    WHEN (OLD.discount_code IS NOT NULL AND OLD.status = 'open')
    EXECUTE FUNCTION change_code_uses('-1');
