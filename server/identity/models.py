"""Tables of accounts, credentials, sessions and addresses."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import NOW, Base, Created, Id


class User(Base):
    """An account. `email` is in lower case; `password_hash` is null for accounts without a password."""

    __tablename__ = "users"
    __table_args__ = (
        CheckConstraint("role IN ('user', 'admin')", name="role"),
        CheckConstraint("email = lower(email)", name="email_lower"),
        CheckConstraint("NOT is_primary OR role = 'admin'", name="primary_is_admin"),
        Index("uq_users_primary", "is_primary", unique=True, postgresql_where=text("is_primary")),
        Index(
            "ix_users_admin_requested", "admin_requested_at", postgresql_where=text("admin_requested_at IS NOT NULL")
        ),
    )

    id: Mapped[Id]
    email: Mapped[str] = mapped_column(unique=True)
    email_verified_at: Mapped[datetime | None]
    name: Mapped[str]
    password_hash: Mapped[str | None]
    google_sub: Mapped[str | None] = mapped_column(unique=True)
    role: Mapped[str] = mapped_column(server_default=text("'user'"))
    is_primary: Mapped[bool] = mapped_column(server_default=text("false"))
    admin_requested_at: Mapped[datetime | None]
    created_at: Mapped[Created]


class Passkey(Base):
    """A WebAuthn credential. `sign_count` is the authenticator's own counter, 0 where it has none."""

    __tablename__ = "passkeys"

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    credential_id: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    name: Mapped[str]
    created_at: Mapped[Created]
    last_used_at: Mapped[datetime | None]


class TotpSecret(Base):
    """The encrypted secret of an account's one-time codes. Unconfirmed, it is not a factor yet.

    `last_step` is the time step of the newest accepted code: none works twice.
    """

    __tablename__ = "totp_secrets"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    last_step: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    confirmed_at: Mapped[datetime | None]
    created_at: Mapped[Created]


class RecoveryCode(Base):
    """A code that replaces a lost second factor, once: it is deleted when used. Only its SHA-256 is stored."""

    __tablename__ = "recovery_codes"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    code_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    created_at: Mapped[Created]


class SignInChallenge(Base):
    """A sign-in, passkey registration or reauthentication in progress, for five minutes.

    It belongs to a session, or to the browser whose cookie has `browser_hash`; it is deleted when it succeeds.
    """

    __tablename__ = "sign_in_challenges"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    purpose: Mapped[str]
    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    session_id: Mapped[UUID | None] = mapped_column(ForeignKey("sessions.id", ondelete="CASCADE"), index=True)
    browser_hash: Mapped[bytes | None] = mapped_column(LargeBinary)
    webauthn_challenge: Mapped[bytes] = mapped_column(LargeBinary)
    method: Mapped[str | None]
    failures: Mapped[int] = mapped_column(server_default=text("0"))
    expires_at: Mapped[datetime] = mapped_column(index=True)
    created_at: Mapped[Created]


class Session(Base):
    """A signed-in browser. Only the SHA-256 of its token is stored.

    `method` and `second_factor` say how it signed in, or which second factor it has set up or used since;
    `authenticated_at` is its last authentication, `active_at` the last activity that kept it recent; null without any.
    """

    __tablename__ = "sessions"

    id: Mapped[Id]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[Created]
    expires_at: Mapped[datetime] = mapped_column(index=True)
    last_seen_at: Mapped[datetime] = mapped_column(server_default=NOW)
    authenticated_at: Mapped[datetime] = mapped_column(server_default=NOW)
    active_at: Mapped[datetime | None]
    method: Mapped[str] = mapped_column(server_default=text("'password'"))
    second_factor: Mapped[str | None]
    user_agent: Mapped[str] = mapped_column(server_default=text("''"))
    ip: Mapped[str] = mapped_column(server_default=text("''"))


class PasswordReset(Base):
    """A reset link: valid once, for an hour; at most one per account."""

    __tablename__ = "password_resets"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    expires_at: Mapped[datetime]
    created_at: Mapped[Created]


class EmailVerification(Base):
    """A verification link for one address; at most one per account.

    `previous_email` is the account's earlier address, if that was verified.
    """

    __tablename__ = "email_verifications"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    email: Mapped[str]
    previous_email: Mapped[str | None]
    expires_at: Mapped[datetime]
    created_at: Mapped[Created]


class KnownDevice(Base):
    """A browser that has signed in to an account. Only the SHA-256 of its device cookie is stored.

    `knows_password` is set by a sign-in with the present password; a browser may have rows for several accounts.
    """

    __tablename__ = "known_devices"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True, index=True)
    knows_password: Mapped[bool]
    created_at: Mapped[Created]
    last_used_at: Mapped[datetime] = mapped_column(server_default=NOW)
    expires_at: Mapped[datetime] = mapped_column(index=True)


class GoogleToken(Base):
    """A used Google credential, stored until it expires, so that it works once."""

    __tablename__ = "google_tokens"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)


class Address(Base):
    """A delivery address. At most one default per account.

    `country` is an ISO 3166 code, ZZ for one that could not be told from the words typed; `state` is the code that the
    country's post writes.
    """

    __tablename__ = "addresses"
    __table_args__ = (
        Index("uq_addresses_default", "user_id", unique=True, postgresql_where=text("is_default")),
        CheckConstraint("country ~ '^[A-Z]{2}$'", name="country_code"),
    )

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    address1: Mapped[str]
    address2: Mapped[str] = mapped_column(server_default=text("''"))
    city: Mapped[str]
    state: Mapped[str] = mapped_column(server_default=text("''"))
    country: Mapped[str]
    postal_code: Mapped[str] = mapped_column(server_default=text("''"))
    phone: Mapped[str]
    is_default: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[Created]
