"""Tables of operation: which processes there are."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import Base


class Heartbeat(Base):
    """What a process of the shop said of itself last. It renews the row while it lives, and deletes it when it ends."""

    __tablename__ = "heartbeats"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    role: Mapped[str]
    version: Mapped[str]
    host: Mapped[str]
    pid: Mapped[int]
    started_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    is_leader: Mapped[bool]
    index_age: Mapped[float | None]
    """Seconds for which its catalogue index may have been outdated; 0 while it is current, None without one."""
    replica_lag: Mapped[float | None]
    """Seconds; infinite while the replica does not answer, None without one."""
    archived_until: Mapped[datetime | None]
    """Everything that was committed before is in the continuous backups; None in a process that does not watch them."""
    base_backup_at: Mapped[datetime | None]
    backup_verified_at: Mapped[datetime | None]
    """When the backups were last read and compared with what they should be."""
    restorable_from: Mapped[datetime | None]
    """Any moment from here to `restorable_until` could be restored then."""
    restorable_until: Mapped[datetime | None]
    backup_problem: Mapped[str | None]
    """What cannot be restored, in words; empty when nothing was noticed."""
