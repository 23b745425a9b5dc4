"""Code without any shop in it, which could serve another project: no module of it imports a domain or the settings."""
