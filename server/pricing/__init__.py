"""Discount codes, shipping rates, tax, and the arithmetic of totals."""
