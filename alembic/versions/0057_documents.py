"""pages that the owner writes: drafts, what is published, versions, and the images they show"""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def _moment(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    default = None if nullable else sa.text("now()")
    return sa.Column(name, sa.DateTime(timezone=True), server_default=default, nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("draft", JSONB(), nullable=False),
        sa.Column("published", JSONB(), nullable=True),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.Column("publications", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        _moment("publish_at", nullable=True),
        _moment("published_at", nullable=True),
        sa.Column("updated_by", sa.Text(), nullable=False),
        _moment("updated_at"),
        _moment("created_at"),
        sa.CheckConstraint("kind IN ('page')", name="ck_documents_kind"),
        sa.CheckConstraint("key ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(key) <= 60", name="ck_documents_key"),
        sa.CheckConstraint("(published IS NULL) = (published_at IS NULL)", name="ck_documents_published"),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        sa.UniqueConstraint("kind", "key", name="uq_documents_kind_key"),
    )
    op.create_table(
        "document_versions",
        sa.Column("document_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("content", JSONB(), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("actor_email", sa.Text(), nullable=False),
        _moment("created_at"),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name="fk_document_versions_document_id_documents", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", "number", name="pk_document_versions"),
    )
    op.create_table(
        "document_images",
        sa.Column("document_id", sa.Uuid(), nullable=False),
        sa.Column("image_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name="fk_document_images_document_id_documents", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["image_id"], ["images.id"], name="fk_document_images_image_id_images"),
        sa.PrimaryKeyConstraint("document_id", "image_id", name="pk_document_images"),
    )
    op.create_index("ix_document_images_image_id", "document_images", ["image_id"])
    apply_sql("content", "document_image_references", at=revision)
    apply_sql("content", "announce_documents", at=revision)


def downgrade() -> None:
    op.execute("DROP VIEW document_image_references")
    for name in ("document_images", "document_versions", "documents"):
        op.drop_table(name)
    op.execute("DROP FUNCTION announce_document")
