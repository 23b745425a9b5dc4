"""The outbox: a mail is a row in the same transaction as what it tells of."""

from datetime import datetime

from sqlalchemy import Index, text
from sqlalchemy.orm import Mapped, mapped_column

from server.core.db import NOW, Base, Created, Id


class Mail(Base):
    """A message to be sent, rendered already. `key` makes it once per event; `message_id` never changes."""

    __tablename__ = "mails"
    __table_args__ = (Index("ix_mails_due", "next_attempt_at", postgresql_where=text("sent_at IS NULL")),)

    id: Mapped[Id]
    key: Mapped[str] = mapped_column(unique=True)
    message_id: Mapped[str] = mapped_column(unique=True)
    recipient: Mapped[str]
    subject: Mapped[str]
    text_body: Mapped[str]
    html_body: Mapped[str]
    created_at: Mapped[Created]
    next_attempt_at: Mapped[datetime] = mapped_column(server_default=NOW)
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    sent_at: Mapped[datetime | None]
    last_error: Mapped[str | None]
