"""Views of orders, a higher domain, for this one: what their columns mean stands in `alembic/sql/orders/`."""

from sqlalchemy import column, table

sold_pieces = table("sold_pieces", *map(column, ("product_id", "variant_id", "quantity", "unit_price_cents")))
reserved_pieces = table("reserved_pieces", *map(column, ("product_id", "variant_id", "quantity", "created_at")))
line_references = table("line_references", column("variant_id"), column("image_id"))
