"""Tables that belong to no domain: facts about this shop, jobs, rate limits."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import NOW, Base, Created, Id


class ShopFact(Base):
    """A fact about the whole shop, such as `demo` (it holds demo data)."""

    __tablename__ = "shop_facts"

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))
    created_at: Mapped[Created]


class Job(Base):
    """Work to be done after a commit, at least once; retried until it succeeds or its attempts are used up.

    `key` makes enqueueing idempotent while the job is open. A worker owns the job while `lease` holds the value that it
    was given when it claimed the job; no other worker claims it before `leased_until`.
    """

    __tablename__ = "jobs"
    __table_args__ = (Index("ix_jobs_kind_due", "kind", "run_at"),)

    id: Mapped[Id]
    kind: Mapped[str]
    key: Mapped[str | None] = mapped_column(unique=True)
    payload: Mapped[dict[str, Any]]
    run_at: Mapped[datetime] = mapped_column(server_default=NOW)
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease: Mapped[UUID | None]
    leased_until: Mapped[datetime | None]
    last_error: Mapped[str | None]
    created_at: Mapped[Created]


class FailedJob(Base):
    """A dead letter: a job that is not retried automatically. An admin restarts or drops it.

    `error` names no person and holds no secret. Of jobs with the same `key` only the latest is kept.
    """

    __tablename__ = "failed_jobs"
    __table_args__ = (Index("ix_failed_jobs_kind", "kind", "failed_at"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    """The job's own id."""
    kind: Mapped[str]
    key: Mapped[str | None] = mapped_column(unique=True)
    payload: Mapped[dict[str, Any]]
    attempts: Mapped[int]
    error: Mapped[str]
    created_at: Mapped[datetime]
    failed_at: Mapped[datetime] = mapped_column(server_default=NOW)


class RateLimit(Base):
    """Attempts in one bucket's current window. Unlogged: a crash of PostgreSQL may lose these, and only these."""

    __tablename__ = "rate_limits"
    __table_args__ = {"prefixes": ["UNLOGGED"]}

    bucket: Mapped[str] = mapped_column(primary_key=True)
    hits: Mapped[int] = mapped_column(server_default=text("1"))
    ends_at: Mapped[datetime] = mapped_column(index=True)
