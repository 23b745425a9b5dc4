"""What was sold with discount codes, which analytics counts for every figure of the shop."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession


@dataclass(frozen=True)
class CodeSalesPort:
    """Reads net sales in cents by code; codes of no order may be missing. Registered by app.py."""

    read: Callable[[AsyncSession, Sequence[str]], Awaitable[Mapping[str, int]]]
