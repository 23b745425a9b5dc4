"""The stockroom: why there are as many pieces as there are, corrections by hand, and whole ranges in and out as CSV."""
