"""Hashes of passwords at the shop's cost, and at that of tests which are about something else."""

from argon2 import PasswordHasher

from server.identity import passwords

COSTLY = passwords._HASHER
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""A twentieth of a millisecond instead of twenty."""
