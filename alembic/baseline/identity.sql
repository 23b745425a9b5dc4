-- A Google token already used; kept until it expires by itself, so that it works once.
CREATE TABLE google_tokens (
    token_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT pk_google_tokens PRIMARY KEY (token_hash)
);
CREATE INDEX ix_google_tokens_expires_at ON google_tokens (expires_at);

-- An account. email is kept lower-cased; password_hash is empty for Google-only accounts.
CREATE TABLE users (
    id uuid DEFAULT uuidv7() NOT NULL,
    email text NOT NULL,
    email_verified_at timestamptz,
    name text NOT NULL,
    password_hash text,
    google_sub text,
    role text DEFAULT 'user' NOT NULL,
    is_primary boolean DEFAULT false NOT NULL,
    admin_requested_at timestamptz,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT uq_users_email UNIQUE (email),
    CONSTRAINT uq_users_google_sub UNIQUE (google_sub),
    CONSTRAINT ck_users_email_lower CHECK (email = lower(email)),
    CONSTRAINT ck_users_primary_is_admin CHECK (NOT is_primary OR role = 'admin'),
    CONSTRAINT ck_users_role CHECK (role IN ('user', 'admin'))
);
CREATE INDEX ix_users_admin_requested ON users (admin_requested_at) WHERE admin_requested_at IS NOT NULL;
CREATE UNIQUE INDEX uq_users_primary ON users (is_primary) WHERE is_primary;

-- Where a shopper wants parcels. At most one default per user.
CREATE TABLE addresses (
    id uuid DEFAULT uuidv7() NOT NULL,
    user_id uuid NOT NULL
        CONSTRAINT fk_addresses_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    address1 text NOT NULL,
    address2 text DEFAULT '' NOT NULL,
    city text NOT NULL,
    country text NOT NULL,
    postal_code text DEFAULT '' NOT NULL,
    phone text NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_addresses PRIMARY KEY (id)
);
CREATE INDEX ix_addresses_user_id ON addresses (user_id);
CREATE UNIQUE INDEX uq_addresses_default ON addresses (user_id) WHERE is_default;

-- A verification link for one address; at most one per user.
CREATE TABLE email_verifications (
    user_id uuid NOT NULL
        CONSTRAINT fk_email_verifications_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    token_hash bytea NOT NULL,
    email text NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    previous_email text,
    CONSTRAINT pk_email_verifications PRIMARY KEY (user_id),
    CONSTRAINT uq_email_verifications_token_hash UNIQUE (token_hash)
);

-- A browser that has signed in to an account. Only the SHA-256 of its device cookie is kept.
CREATE TABLE known_devices (
    user_id uuid NOT NULL
        CONSTRAINT fk_known_devices_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    token_hash bytea NOT NULL,
    knows_password boolean NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    last_used_at timestamptz DEFAULT now() NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT pk_known_devices PRIMARY KEY (user_id, token_hash)
);
CREATE INDEX ix_known_devices_expires_at ON known_devices (expires_at);
CREATE INDEX ix_known_devices_token_hash ON known_devices (token_hash);

-- A WebAuthn credential of an account. sign_count is the authenticator's own counter, 0 where it has none.
CREATE TABLE passkeys (
    id uuid DEFAULT uuidv7() NOT NULL,
    user_id uuid NOT NULL
        CONSTRAINT fk_passkeys_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint DEFAULT 0 NOT NULL,
    name text NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    last_used_at timestamptz,
    CONSTRAINT pk_passkeys PRIMARY KEY (id),
    CONSTRAINT uq_passkeys_credential_id UNIQUE (credential_id)
);
CREATE INDEX ix_passkeys_user_id ON passkeys (user_id);

-- A reset link: works once, for an hour; at most one per user.
CREATE TABLE password_resets (
    user_id uuid NOT NULL
        CONSTRAINT fk_password_resets_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    token_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_password_resets PRIMARY KEY (user_id),
    CONSTRAINT uq_password_resets_token_hash UNIQUE (token_hash)
);

-- A code that stands in for a lost second factor, once: it is deleted when used. Only its SHA-256 is kept.
CREATE TABLE recovery_codes (
    user_id uuid NOT NULL
        CONSTRAINT fk_recovery_codes_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    code_hash bytea NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_recovery_codes PRIMARY KEY (user_id, code_hash)
);

-- A signed-in browser. Only the SHA-256 of its token is kept.
CREATE TABLE sessions (
    id uuid DEFAULT uuidv7() NOT NULL,
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL
        CONSTRAINT fk_sessions_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz DEFAULT now() NOT NULL,
    expires_at timestamptz NOT NULL,
    last_seen_at timestamptz DEFAULT now() NOT NULL,
    user_agent text DEFAULT '' NOT NULL,
    ip text DEFAULT '' NOT NULL,
    authenticated_at timestamptz DEFAULT now() NOT NULL,
    method text DEFAULT 'password' NOT NULL,
    second_factor text,
    CONSTRAINT pk_sessions PRIMARY KEY (id),
    CONSTRAINT uq_sessions_token_hash UNIQUE (token_hash)
);
CREATE INDEX ix_sessions_expires_at ON sessions (expires_at);
CREATE INDEX ix_sessions_user_id ON sessions (user_id);

-- The secret of an account's one-time codes, encrypted. Unconfirmed it is an attempt to set them up, and no factor.
CREATE TABLE totp_secrets (
    user_id uuid NOT NULL
        CONSTRAINT fk_totp_secrets_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    sealed bytea NOT NULL,
    last_step bigint DEFAULT 0 NOT NULL,
    confirmed_at timestamptz,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_totp_secrets PRIMARY KEY (user_id)
);

-- A sign-in, passkey registration or reauthentication under way, for five minutes.
CREATE TABLE sign_in_challenges (
    token_hash bytea NOT NULL,
    purpose text NOT NULL,
    user_id uuid
        CONSTRAINT fk_sign_in_challenges_user_id_users REFERENCES users (id) ON DELETE CASCADE,
    session_id uuid
        CONSTRAINT fk_sign_in_challenges_session_id_sessions REFERENCES sessions (id) ON DELETE CASCADE,
    browser_hash bytea,
    webauthn_challenge bytea NOT NULL,
    method text,
    failures integer DEFAULT 0 NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz DEFAULT now() NOT NULL,
    CONSTRAINT pk_sign_in_challenges PRIMARY KEY (token_hash)
);
CREATE INDEX ix_sign_in_challenges_expires_at ON sign_in_challenges (expires_at);
CREATE INDEX ix_sign_in_challenges_session_id ON sign_in_challenges (session_id);
CREATE INDEX ix_sign_in_challenges_user_id ON sign_in_challenges (user_id);
