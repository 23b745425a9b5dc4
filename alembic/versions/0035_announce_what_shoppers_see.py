"""announcements of what shoppers see of a product

Each product is announced by id when something that shoppers see of it has changed; no statement empties whole caches.

Each file or statement is a transaction of its own: one that held several tables, which buyers lock in another order,
would have them wait for each other, and the database may end the buyer. Begun again, it finds what is done.
"""

from alembic import op
from server.platform.processes.sql_files import apply_sql

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

SQUAWK_EXCEPTIONS = {"ban-drop-function": "Only the triggers called it, and they are dropped before it."}

CHANGED = ("announce_products", "announce_changed_products", "announce_changed_variants")
TABLES = ("products", "product_colors", "product_images", "variants")
EVENTS = ("insert", "update", "delete", "truncate")


def upgrade() -> None:
    with op.get_context().autocommit_block():
        apply_sql("catalog", *CHANGED, "announce_changed_product_images", at=revision)
        for table in TABLES:
            op.execute(f"DROP TRIGGER IF EXISTS announce_catalog_change ON {table}")
        apply_sql("catalog", "announce_catalog_change", at=revision)


def downgrade() -> None:
    apply_sql("catalog", "announce_catalog_change", *CHANGED, at="0024")
    for event in EVENTS:
        op.execute(f"DROP TRIGGER announce_products_{event} ON product_images")
    for change in ("inserted", "updated", "deleted"):
        op.execute(f"DROP FUNCTION announce_{change}_product_images")
