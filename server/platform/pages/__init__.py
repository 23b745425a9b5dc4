"""Server-side rendering in V8, and the client's built files."""
