-- One uploaded picture, re-encoded. placeholder is a data URL of under 400 bytes.
CREATE TABLE images (
    id uuid DEFAULT uuidv7() NOT NULL,
    sha256 text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    size_bytes integer NOT NULL,
    placeholder text NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_images PRIMARY KEY (id)
);
CREATE INDEX ix_images_sha256 ON images (sha256);
