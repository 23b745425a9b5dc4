"""The outbox: a mail is stored in the same transaction as the change that it reports."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import Base, Created, Id


class Mail(Base):
    """A rendered message, sent by a job. `key` makes it unique per event; `message_id` never changes.

    Its bodies are emptied once it is sent; recipient, subject and time are kept for a month.
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
    """For the List-Unsubscribe header; emptied with the bodies."""
    created_at: Mapped[Created]
    sent_at: Mapped[datetime | None] = mapped_column(index=True)
