-- One change made in the back office. Append-only: the database refuses to update, delete or truncate.
CREATE TABLE audit_entries (
    id uuid DEFAULT uuidv7() NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    actor_id uuid,
    actor_email text NOT NULL,
    action text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    subject_label text NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    CONSTRAINT pk_audit_entries PRIMARY KEY (id)
);
CREATE INDEX ix_audit_entries_action ON audit_entries (action, created_at);
CREATE INDEX ix_audit_entries_actor ON audit_entries (actor_email, created_at);
CREATE INDEX ix_audit_entries_created ON audit_entries (created_at, id);
CREATE INDEX ix_audit_entries_subject ON audit_entries (subject_kind, subject_id, created_at);
