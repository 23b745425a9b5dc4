"""Checkouts, orders, shipments, returns and invoices."""
