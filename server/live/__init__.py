"""What the back office is told the moment it happens."""
