"""A port: what an account collects beside its credentials and orders. Domains above this one keep and provide it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession


@dataclass(frozen=True)
class AccountContent:
    """One kind of content."""

    name: str
    """As a mail lists it: "The cart"."""
    remove: Callable[[AsyncSession, UUID], Awaitable[bool]]
    """Deletes an account's. Returns whether there was any."""


@dataclass(frozen=True)
class AccountContentsPort:
    """All kinds; registered among the process's resources by app.py."""

    contents: tuple[AccountContent, ...]
