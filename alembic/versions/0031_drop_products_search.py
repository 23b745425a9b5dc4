"""drop products.search

Searches are answered from the catalogue's index in memory. Dropping a column that is stored locks the table for a
moment and rewrites nothing.
"""

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from alembic import op

revision = "0031"
down_revision = "0024"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {
    "ban-drop-column": "Older than this check; searches had moved to the index.",
    "require-concurrent-index-deletion": "Older than this check; the column goes with it, under the same lock.",
}


def upgrade() -> None:
    op.drop_index("ix_products_search", "products")
    op.drop_column("products", "search")


def downgrade() -> None:
    op.add_column(
        "products",
        sa.Column(
            "search",
            postgresql.TSVECTOR(),
            sa.Computed(
                "to_tsvector('simple', search_text(name || ' ' || title || ' ' || subtitle || ' ' || gender || ' '"
                " || subcategory))",
                persisted=True,
            ),
            nullable=False,
        ),
    )
    op.create_index("ix_products_search", "products", ["search"], postgresql_using="gin")
