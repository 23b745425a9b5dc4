-- Countries to which a parcel costs the same. At most one zone takes the rest of the world.
CREATE TABLE delivery_zones (
    id uuid DEFAULT uuidv7() NOT NULL,
    name text NOT NULL,
    is_rest boolean DEFAULT false NOT NULL,
    basis text DEFAULT 'total' NOT NULL,
    free_from_cents integer,
    min_days integer,
    max_days integer,
    position integer DEFAULT 0 NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_delivery_zones PRIMARY KEY (id),
    CONSTRAINT ck_delivery_zones_basis CHECK (basis IN ('weight', 'total')),
    CONSTRAINT ck_delivery_zones_both_days CHECK (num_nonnulls(min_days, max_days) IN (0, 2)),
    CONSTRAINT ck_delivery_zones_days CHECK (min_days BETWEEN 0 AND max_days AND max_days <= 365),
    CONSTRAINT ck_delivery_zones_free_from CHECK (free_from_cents >= 0)
);
CREATE UNIQUE INDEX uq_delivery_zones_rest ON delivery_zones (is_rest) WHERE is_rest;

-- Words that a shopper types for a lower price: a percentage, or an amount.
CREATE TABLE discount_codes (
    code text NOT NULL,
    percent integer,
    amount_cents integer,
    min_subtotal_cents bigint DEFAULT 0 NOT NULL,
    starts_at timestamptz,
    ends_at timestamptz,
    max_uses integer,
    max_uses_per_customer integer,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_discount_codes PRIMARY KEY (code),
    CONSTRAINT ck_discount_codes_amount CHECK (amount_cents > 0),
    CONSTRAINT ck_discount_codes_code CHECK (code ~ '^[A-Z0-9][A-Z0-9_-]{1,39}$'),
    CONSTRAINT ck_discount_codes_kind CHECK (num_nonnulls(percent, amount_cents) = 1),
    CONSTRAINT ck_discount_codes_limits CHECK (least(max_uses, max_uses_per_customer) >= 1),
    CONSTRAINT ck_discount_codes_min_subtotal CHECK (min_subtotal_cents >= 0),
    CONSTRAINT ck_discount_codes_percent CHECK (percent BETWEEN 1 AND 100),
    CONSTRAINT ck_discount_codes_window CHECK (starts_at < ends_at)
);

-- The tax on what is sent to a country, by its ISO 3166 code; a country without a row has none.
CREATE TABLE tax_rates (
    country text NOT NULL,
    name text DEFAULT 'Tax' NOT NULL,
    basis_points integer NOT NULL,
    on_delivery boolean DEFAULT true NOT NULL,
    CONSTRAINT pk_tax_rates PRIMARY KEY (country),
    CONSTRAINT ck_tax_rates_basis_points CHECK (basis_points BETWEEN 0 AND 10000)
);

-- A country of a zone, by its ISO 3166 code; a country is in one zone at most.
CREATE TABLE delivery_countries (
    country text NOT NULL,
    zone_id uuid NOT NULL
        CONSTRAINT fk_delivery_countries_zone_id_delivery_zones REFERENCES delivery_zones (id) ON DELETE CASCADE,
    CONSTRAINT pk_delivery_countries PRIMARY KEY (country)
);
CREATE INDEX ix_delivery_countries_zone_id ON delivery_countries (zone_id);

-- What a parcel costs from minimum (see the zone's basis) up to the next rate.
CREATE TABLE delivery_rates (
    zone_id uuid NOT NULL
        CONSTRAINT fk_delivery_rates_zone_id_delivery_zones REFERENCES delivery_zones (id) ON DELETE CASCADE,
    minimum integer NOT NULL,
    price_cents bigint NOT NULL,
    CONSTRAINT pk_delivery_rates PRIMARY KEY (zone_id, minimum),
    CONSTRAINT ck_delivery_rates_minimum CHECK (minimum >= 0),
    CONSTRAINT ck_delivery_rates_price CHECK (price_cents >= 0)
);
