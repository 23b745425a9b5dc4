"""baseline

All tables of the shop, and what they do by themselves. Tables are in `alembic/baseline/<room>.sql` as they were when
this was written; functions, triggers and views are in `alembic/sql/<room>/`.

Twenty-three migrations came to this; the number is that of the last of them, so that a database which had them all is
where this one ends, and goes on with the next.
"""

from server.platform.processes.sql_files import MIGRATIONS, apply_sql, run_file

revision = "0024"
down_revision = None
branch_labels = None
depends_on = None

ROOMS: dict[str, tuple[str, ...]] = {
    "core": ("search_text", "announce_change", "refuse_to_rewrite"),
    "audit": ("audit_entries_append_only",),
    "shop": ("announce_settings",),
    "identity": (),
    "mail": (),
    "media": (),
    "catalog": (
        "announce_catalog_change",
        "announce_settings_to_catalog",
        "announce_products",
        "announce_changed_products",
        "announce_changed_product_colors",
        "announce_changed_variants",
        "announce_falling_stock",
        "keep_discount_window",
        "stock_movements_append_only",
    ),
    "pricing": ("announce_rates",),
    "cart": (),
    "wishlist": (),
    "orders": ("check_returned_pieces",),
    "payments": (),
    "inventory": (),
    "analytics": (
        "sale_rows",
        "sale_rows_of",
        "sales_sums",
        "follow_sales",
        "build_sales",
        "sales",
        "visit_events",
        "follow_order",
        "follow_refund",
        "follow_product",
        "number_event",
    ),
}
"""Rooms from the lowest up: each needs those before it alone. The files of a room follow its tables."""


def upgrade() -> None:
    for room, names in ROOMS.items():
        run_file(MIGRATIONS / "baseline" / f"{room}.sql")
        apply_sql(room, *names, at=revision)


def downgrade() -> None:
    raise NotImplementedError("Nothing is before the baseline: start with an empty database instead.")
