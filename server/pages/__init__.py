"""HTML for every URL of the shop, its feeds, and the policy of its pages."""
