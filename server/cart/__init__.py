"""The cart of a signed-in shopper."""
