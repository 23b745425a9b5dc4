"""The outbox: a mail is a row in the same transaction as what it tells of."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from server.core.db import Base, Created, Id


class Mail(Base):
    """A message, rendered already; a job sends it. `key` makes it once per event; `message_id` never changes.

    The bodies are emptied once it is sent; who was written to, about what and when stays for a month.
    """

    __tablename__ = "mails"

    id: Mapped[Id]
    key: Mapped[str] = mapped_column(unique=True)
    message_id: Mapped[str] = mapped_column(unique=True)
    recipient: Mapped[str]
    subject: Mapped[str]
    text_body: Mapped[str]
    html_body: Mapped[str]
    unsubscribe_url: Mapped[str | None]
    """For the mail program's own button; erased with the bodies."""
    created_at: Mapped[Created]
    sent_at: Mapped[datetime | None] = mapped_column(index=True)
