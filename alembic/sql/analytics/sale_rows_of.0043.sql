DROP FUNCTION IF EXISTS sale_rows_of(uuid[]);
