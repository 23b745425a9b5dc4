-- Refuses returns of more pieces than were sent, whoever writes the row: the order's line is locked first, so that two
-- returns at once are counted one after the other.
CREATE OR REPLACE FUNCTION check_returned_pieces() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sent integer;
    asked bigint;
BEGIN
    SELECT shipped INTO sent FROM order_lines WHERE id = NEW.order_line_id FOR NO KEY UPDATE;
    SELECT sum(return_lines.quantity) INTO asked
    FROM return_lines JOIN returns ON returns.id = return_lines.return_id
    WHERE return_lines.order_line_id = NEW.order_line_id AND returns.status NOT IN ('refused', 'canceled');
    IF asked > sent THEN
        RAISE EXCEPTION 'more pieces of an order line are to come back than were sent'
            USING ERRCODE = 'check_violation', TABLE = 'return_lines', CONSTRAINT = 'ck_return_lines_sent';
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER check_returned_pieces AFTER INSERT OR UPDATE OF quantity, order_line_id ON return_lines
    FOR EACH ROW EXECUTE FUNCTION check_returned_pieces();
