-- A message, rendered already; a job sends it. key makes it once per event; message_id never changes.
CREATE TABLE mails (
    id uuid DEFAULT uuidv7() NOT NULL,
    key text NOT NULL,
    message_id text NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    text_body text NOT NULL,
    html_body text NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    sent_at timestamptz,
    unsubscribe_url text,
    CONSTRAINT pk_mails PRIMARY KEY (id),
    CONSTRAINT uq_mails_key UNIQUE (key),
    CONSTRAINT uq_mails_message_id UNIQUE (message_id)
);
CREATE INDEX ix_mails_sent_at ON mails (sent_at);
