"""Products, variants, colors and measurements; their index and cache in memory."""
