"""Which queue a request joins while it waits for a slot."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import IntEnum


class Priority(IntEnum):
    """The priority of a request; the most urgent first."""

    BUYER = 0
    """A session with something in its cart or an open checkout, or a signed webhook of the payment provider."""
    SIGNED_IN = 1
    ANONYMOUS = 2
    ANONYMOUS_WRITE = 3
    """A visitor's request that changes something, such as sign-in: it may wait longer than one that reads."""


@dataclass(frozen=True)
class Visitor:
    """Whom a request is from, used for its place in a queue and for nothing else."""

    priority: Priority
    client: Hashable
    """Account, network or provider. Requests of one client share its turns."""
