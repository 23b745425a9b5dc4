"""Tiny programs in place of the shop's, so that the supervisor can be tested in a second."""
