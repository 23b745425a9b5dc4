"""The wishlist, and alerts when a sold-out variant is back in stock. Knows nothing of the cart, nor the cart of it."""
