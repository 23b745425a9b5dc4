"""HTML for every URL of the shop, server-side rendering, and the client's built files."""
