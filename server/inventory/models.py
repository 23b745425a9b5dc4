"""The table of imports."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import Base, Created, Id


class Import(Base):
    """One CSV file, from upload to the end.

    `checking` until it has been checked; then `refused` with its problems, or `ready` with what it would change;
    `running` once it is started; `done` when it is applied; `discarded` at any time before that. `content` is deleted
    when no step is left. `rows_done` is for display only: until the state is `done`, nothing has changed.
    """

    __tablename__ = "imports"
    __table_args__ = (
        CheckConstraint("state IN ('checking', 'refused', 'ready', 'running', 'done', 'discarded')", name="state"),
    )

    id: Mapped[Id]
    created_at: Mapped[Created]
    actor_id: Mapped[UUID]
    actor_email: Mapped[str]
    file_name: Mapped[str]
    content: Mapped[bytes | None] = mapped_column(deferred=True)
    state: Mapped[str] = mapped_column(server_default=text("'checking'"))
    rows: Mapped[int] = mapped_column(server_default=text("0"))
    rows_done: Mapped[int] = mapped_column(server_default=text("0"))
    problem_count: Mapped[int] = mapped_column(server_default=text("0"))
    problems: Mapped[list[Any]] = mapped_column(server_default=text("'[]'"))
    """The first ones, each {"row", "line", "column", "cell", "value", "message"}."""
    summary: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))
    changes: Mapped[list[Any]] = mapped_column(server_default=text("'[]'"))
    """The first ones, each {"row", "sku", "name", "column", "before", "after"}."""
    started_by_id: Mapped[UUID | None]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
