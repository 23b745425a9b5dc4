"""Record the color in which a product was added to a wishlist."""

from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE wishlist_items ADD COLUMN color_id uuid")


def downgrade() -> None:
    op.execute("ALTER TABLE wishlist_items DROP COLUMN color_id")
