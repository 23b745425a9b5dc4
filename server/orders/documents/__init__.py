"""Invoices, packing slips and address labels as PDF."""
