"""What knows nothing of shops, and could serve another project: no module of it imports a domain or the settings."""
