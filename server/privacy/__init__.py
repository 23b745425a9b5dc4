"""Data export and account deletion."""
