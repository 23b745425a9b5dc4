"""The demo: catalogue, accounts, orders and visits to fill a shop with, and stand-ins for outside services."""
