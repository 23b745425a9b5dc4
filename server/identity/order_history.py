"""A port: reads of orders that REST shows with users. The orders domain is above this one and provides them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession


@dataclass(frozen=True)
class OrderHistoryPort:
    """The reads; registered among the process's resources by app.py."""

    ids: Callable[[AsyncSession, Sequence[UUID]], Awaitable[Mapping[UUID, Sequence[UUID]]]]
    """Order ids by user, newest first; users without orders may be missing."""
    whole: Callable[[AsyncSession, UUID], Awaitable[list[dict[str, Any]]]]
    """One account's orders as in GET /orders."""
    have_bought: Callable[[AsyncSession, UUID], Awaitable[bool]]
    """Whether an account has an order, or a payment that is processing."""
