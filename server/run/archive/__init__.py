"""Continuous backups: base backups and the log in a bucket, encrypted, from which any moment can be restored."""
