"""Processes: starting and stopping them, the embedded PostgreSQL, migrations, backups."""
