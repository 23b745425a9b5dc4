"""known devices"""

import sqlalchemy as sa

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "known_devices",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("knows_password", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_known_devices_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "token_hash", name=op.f("pk_known_devices")),
    )
    op.create_index(op.f("ix_known_devices_token_hash"), "known_devices", ["token_hash"], unique=False)
    op.create_index(op.f("ix_known_devices_expires_at"), "known_devices", ["expires_at"], unique=False)
    op.add_column("email_verifications", sa.Column("previous_email", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("email_verifications", "previous_email")
    op.drop_index(op.f("ix_known_devices_expires_at"), table_name="known_devices")
    op.drop_index(op.f("ix_known_devices_token_hash"), table_name="known_devices")
    op.drop_table("known_devices")
