"""Accounts, sessions, addresses."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from server.core.db import NOW, Base, Created, Id


class User(Base):
    """An account. `email` is kept lower-cased; `password_hash` is empty for Google-only accounts."""

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


class Session(Base):
    """A signed-in browser. Only the SHA-256 of its token is kept."""

    __tablename__ = "sessions"

    id: Mapped[Id]
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[Created]
    expires_at: Mapped[datetime] = mapped_column(index=True)
    last_seen_at: Mapped[datetime] = mapped_column(server_default=NOW)
    user_agent: Mapped[str] = mapped_column(server_default=text("''"))
    ip: Mapped[str] = mapped_column(server_default=text("''"))


class PasswordReset(Base):
    """A reset link: works once, for an hour; at most one per user."""

    __tablename__ = "password_resets"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    expires_at: Mapped[datetime]
    created_at: Mapped[Created]


class EmailVerification(Base):
    """A verification link for one address; at most one per user."""

    __tablename__ = "email_verifications"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    email: Mapped[str]
    expires_at: Mapped[datetime]
    created_at: Mapped[Created]


class GoogleToken(Base):
    """A Google token already used; kept until it expires by itself, so that it works once."""

    __tablename__ = "google_tokens"

    token_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)


class Address(Base):
    """Where a shopper wants parcels. At most one default per user."""

    __tablename__ = "addresses"
    __table_args__ = (Index("uq_addresses_default", "user_id", unique=True, postgresql_where=text("is_default")),)

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    address1: Mapped[str]
    address2: Mapped[str] = mapped_column(server_default=text("''"))
    city: Mapped[str]
    country: Mapped[str]
    postal_code: Mapped[str] = mapped_column(server_default=text("''"))
    phone: Mapped[str]
    is_default: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[Created]
