"""Inventory: the stock ledger, manual corrections, and the catalogue's import and export as CSV."""
