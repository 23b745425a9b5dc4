"""Views of orders and content, higher domains, for this one: what they mean stands in `alembic/sql/`."""

from sqlalchemy import column, table

sold_pieces = table("sold_pieces", *map(column, ("product_id", "variant_id", "quantity", "unit_price_cents")))
reserved_pieces = table("reserved_pieces", *map(column, ("product_id", "variant_id", "quantity", "created_at")))
line_references = table("line_references", column("variant_id"), column("image_id"))
document_image_references = table("document_image_references", column("image_id"))
