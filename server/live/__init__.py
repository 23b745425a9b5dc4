"""Live events for the back office."""
