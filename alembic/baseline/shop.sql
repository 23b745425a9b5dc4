-- The one row of settings. A null means what the environment says, so that a shop needs no row to start.
CREATE TABLE shop_settings (
    only_row boolean DEFAULT true NOT NULL,
    seller text,
    contact_email text,
    cancel_minutes integer,
    return_days integer,
    low_stock_threshold integer,
    time_zone text,
    prices_include_tax boolean,
    updated_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_shop_settings PRIMARY KEY (only_row),
    CONSTRAINT ck_shop_settings_cancel_minutes CHECK (cancel_minutes BETWEEN 0 AND 43200),
    CONSTRAINT ck_shop_settings_low_stock_threshold CHECK (low_stock_threshold BETWEEN 0 AND 1000),
    CONSTRAINT ck_shop_settings_only_row CHECK (only_row),
    CONSTRAINT ck_shop_settings_return_days CHECK (return_days BETWEEN 0 AND 365)
);
