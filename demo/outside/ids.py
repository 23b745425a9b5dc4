"""Opaque ids with Stripe's prefixes."""

import secrets
import string

_ALPHABET = string.ascii_letters + string.digits


def new(prefix: str, length: int = 24) -> str:
    """A random id with Stripe's prefix for its kind."""
    return prefix + "".join(secrets.choice(_ALPHABET) for _ in range(length))
