"""The built client, served: HTML for every screen's address, and its assets."""
