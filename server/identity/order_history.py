"""What REST shows of users' orders. The orders domain stands above this one, so its readings are handed in."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession


@dataclass(frozen=True)
class OrderHistoryPort:
    """Found among the process's resources, where app.py puts it."""

    ids: Callable[[AsyncSession, Sequence[UUID]], Awaitable[Mapping[UUID, Sequence[UUID]]]]
    """Order ids by user, newest first; users without orders may be missing."""
    whole: Callable[[AsyncSession, UUID], Awaitable[list[dict[str, Any]]]]
    """One user's orders as GET /orders answers them."""
    have_bought: Callable[[AsyncSession, UUID], Awaitable[bool]]
    """Whether a user has an order, or money on its way for one."""
