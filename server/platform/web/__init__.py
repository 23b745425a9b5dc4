"""HTTP around the domains: which requests are let in, in what order, and what every response carries."""
