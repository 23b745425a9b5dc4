"""The table of the audit log: who changed what in the back office."""

from typing import Any
from uuid import UUID

from sqlalchemy import Index
from sqlalchemy.orm import Mapped

from server.platform.core.db import Base, Created, Id


class AuditEntry(Base):
    """One change made in the back office. Append-only: the database refuses UPDATE, DELETE and TRUNCATE.

    `actor_id` and `actor_email` are copies, so that an entry outlives the account. `before` and `after` hold only
    values that differ; one of them is empty when something was created or deleted.
    """

    __tablename__ = "audit_entries"
    __table_args__ = (
        Index("ix_audit_entries_created", "created_at", "id"),
        Index("ix_audit_entries_subject", "subject_kind", "subject_id", "created_at"),
        Index("ix_audit_entries_actor", "actor_email", "created_at"),
        Index("ix_audit_entries_action", "action", "created_at"),
    )

    id: Mapped[Id]
    created_at: Mapped[Created]
    actor_id: Mapped[UUID | None]
    actor_email: Mapped[str]
    action: Mapped[str]
    subject_kind: Mapped[str]
    subject_id: Mapped[str]
    subject_label: Mapped[str]
    before: Mapped[dict[str, Any]]
    after: Mapped[dict[str, Any]]
