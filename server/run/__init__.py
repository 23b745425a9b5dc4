"""Processes of this shop by role, its migrations, archive and backups."""
