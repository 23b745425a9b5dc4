"""The shop: one package with a room for each domain, and the app that combines them."""
