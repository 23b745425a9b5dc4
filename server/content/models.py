"""Tables of what the owner writes."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import NOW, Base, Created, Id

PAGE = "page"


class Document(Base):
    """Something that the owner writes, by its kind and key. A page's key is the last part of its address."""

    __tablename__ = "documents"
    __table_args__ = (
        UniqueConstraint("kind", "key"),
        CheckConstraint("kind IN ('page')", name="kind"),
        CheckConstraint("key ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(key) <= 60", name="key"),
        CheckConstraint("(published IS NULL) = (published_at IS NULL)", name="published"),
    )

    id: Mapped[Id]
    kind: Mapped[str]
    key: Mapped[str]
    draft: Mapped[dict[str, Any]]
    published: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """What shoppers see; null while it is not published."""
    version: Mapped[int] = mapped_column(BigInteger, server_default=text("1"))
    """Counts the changes of the draft."""
    publications: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    """Counts how often it was published: the number of its newest version."""
    publish_at: Mapped[datetime | None]
    """When the draft of that time is published."""
    published_at: Mapped[datetime | None]
    updated_by: Mapped[str]
    """The e-mail, at that time, of who changed the draft last."""
    updated_at: Mapped[datetime] = mapped_column(server_default=NOW)
    created_at: Mapped[Created]


class DocumentVersion(Base):
    """What was published once, and by whom. `actor_id` and `actor_email` are copies, which outlive the account."""

    __tablename__ = "document_versions"

    document_id: Mapped[UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    content: Mapped[dict[str, Any]]
    actor_id: Mapped[UUID | None]
    actor_email: Mapped[str]
    created_at: Mapped[Created]


class DocumentImage(Base):
    """An image that a document shows, or has shown in a draft or version; kept as long as the document."""

    __tablename__ = "document_images"

    document_id: Mapped[UUID] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    image_id: Mapped[UUID] = mapped_column(ForeignKey("images.id"), primary_key=True, index=True)
