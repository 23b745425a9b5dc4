"""Settings of the shop that can be changed at run time."""
