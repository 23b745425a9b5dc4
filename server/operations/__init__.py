"""Operating the shop: failed background jobs."""
