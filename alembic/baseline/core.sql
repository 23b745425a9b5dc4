-- Search compares letters without their accents, and finds words by three letters of them.
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- A dead letter: a job that is not tried again by itself. An admin starts it again or drops it.
CREATE TABLE failed_jobs (
    id uuid NOT NULL,
    kind text NOT NULL,
    key text,
    payload jsonb NOT NULL,
    attempts integer NOT NULL,
    error text NOT NULL,
    created_at timestamptz NOT NULL,
    failed_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_failed_jobs PRIMARY KEY (id),
    CONSTRAINT uq_failed_jobs_key UNIQUE (key)
);
CREATE INDEX ix_failed_jobs_kind ON failed_jobs (kind, failed_at);

-- Work to be done after a commit, at least once; retried until it succeeds or its kind's attempts are used up.
CREATE TABLE jobs (
    id uuid DEFAULT uuidv7() NOT NULL,
    kind text NOT NULL,
    key text,
    payload jsonb NOT NULL,
    run_at timestamptz DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    leased_until timestamptz,
    last_error text,
    created_at timestamptz DEFAULT now() NOT NULL,
    lease uuid,
    CONSTRAINT pk_jobs PRIMARY KEY (id),
    CONSTRAINT uq_jobs_key UNIQUE (key)
);
CREATE INDEX ix_jobs_kind_due ON jobs (kind, run_at);

-- Hits of one bucket in its present window. Unlogged: a crash may forget them, nothing else may.
CREATE UNLOGGED TABLE rate_limits (
    bucket text NOT NULL,
    hits integer DEFAULT 1 NOT NULL,
    ends_at timestamptz NOT NULL,
    CONSTRAINT pk_rate_limits PRIMARY KEY (bucket)
);
CREATE INDEX ix_rate_limits_ends_at ON rate_limits (ends_at);

-- A fact about the whole shop, such as demo (it holds demo data).
CREATE TABLE shop_facts (
    name text NOT NULL,
    value jsonb DEFAULT '{}' NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_shop_facts PRIMARY KEY (name)
);
