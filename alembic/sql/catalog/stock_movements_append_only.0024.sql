-- What was written down in the stock ledger stays as it was written.
CREATE OR REPLACE TRIGGER stock_movements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON stock_movements
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_rewrite();
