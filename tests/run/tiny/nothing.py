"""Does nothing, well."""
