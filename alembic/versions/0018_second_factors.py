"""second factors"""

from datetime import datetime

import sqlalchemy as sa

from alembic import op

revision = "0018"
down_revision = "0020"
branch_labels = None
depends_on = None

NOW = sa.text("now()")


def moment(name: str, *, nullable: bool = False, default: sa.TextClause | None = NOW) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), server_default=default, nullable=nullable)


def of_user(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["user_id"], ["users.id"], name=op.f(f"fk_{table}_user_id_users"), ondelete="CASCADE"
    )


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Uuid(), server_default=sa.text("uuidv7()"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("credential_id", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        moment("created_at"),
        moment("last_used_at", nullable=True, default=None),
        of_user("passkeys"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkeys")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_passkeys_credential_id")),
    )
    op.create_index(op.f("ix_passkeys_user_id"), "passkeys", ["user_id"])
    op.create_table(
        "totp_secrets",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("last_step", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        moment("confirmed_at", nullable=True, default=None),
        moment("created_at"),
        of_user("totp_secrets"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_totp_secrets")),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        moment("created_at"),
        of_user("recovery_codes"),
        sa.PrimaryKeyConstraint("user_id", "code_hash", name=op.f("pk_recovery_codes")),
    )
    op.create_table(
        "sign_in_challenges",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("session_id", sa.Uuid(), nullable=True),
        sa.Column("browser_hash", sa.LargeBinary(), nullable=True),
        sa.Column("webauthn_challenge", sa.LargeBinary(), nullable=False),
        sa.Column("method", sa.Text(), nullable=True),
        sa.Column("failures", sa.Integer(), server_default=sa.text("0"), nullable=False),
        moment("expires_at", default=None),
        moment("created_at"),
        of_user("sign_in_challenges"),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_sign_in_challenges_session_id_sessions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sign_in_challenges")),
    )
    for column in ("user_id", "session_id", "expires_at"):
        op.create_index(op.f(f"ix_sign_in_challenges_{column}"), "sign_in_challenges", [column])
    # Sessions that are there already count as signed in long ago. A constant needs no row to be written.
    long_ago = sa.Column(
        "authenticated_at", sa.TIMESTAMP(timezone=True), server_default=sa.text("'epoch'"), nullable=False
    )
    op.add_column("sessions", long_ago)
    op.alter_column("sessions", "authenticated_at", server_default=sa.text("now()"))
    op.add_column("sessions", sa.Column("method", sa.Text(), server_default=sa.text("'password'"), nullable=False))
    op.add_column("sessions", sa.Column("second_factor", sa.Text(), nullable=True))


def downgrade() -> None:
    for column in ("second_factor", "method", "authenticated_at"):
        op.drop_column("sessions", column)
    for table in ("sign_in_challenges", "recovery_codes", "totp_secrets", "passkeys"):
        op.drop_table(table)
