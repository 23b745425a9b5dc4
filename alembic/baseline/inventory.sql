-- One CSV file, from upload to the end.
CREATE TABLE imports (
    id uuid DEFAULT uuidv7() NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    actor_id uuid NOT NULL,
    actor_email text NOT NULL,
    file_name text NOT NULL,
    content bytea,
    state text DEFAULT 'checking' NOT NULL,
    rows integer DEFAULT 0 NOT NULL,
    rows_done integer DEFAULT 0 NOT NULL,
    problem_count integer DEFAULT 0 NOT NULL,
    problems jsonb DEFAULT '[]' NOT NULL,
    summary jsonb DEFAULT '{}' NOT NULL,
    changes jsonb DEFAULT '[]' NOT NULL,
    started_by_id uuid,
    started_at timestamptz,
    finished_at timestamptz,
    CONSTRAINT pk_imports PRIMARY KEY (id),
    CONSTRAINT ck_imports_state CHECK (state IN ('checking', 'refused', 'ready', 'running', 'done', 'discarded'))
);
