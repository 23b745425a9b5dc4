"""Errors of reports."""

from dataclasses import dataclass
from typing import ClassVar

from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import StoreError


@dataclass(eq=False)
class IncompatibleDimensions(StoreError):
    """The parts of a report do not fit together or do not exist; the text says what would fit."""

    message: str
    field: str | None = None

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class QueryTooExpensive(StoreError):
    """A report that would cost more than the limit, found before it runs."""

    code: ClassVar[ErrorCode] = ErrorCode.TOO_COSTLY
    cost: int
    limit: int
    advice: str

    def __str__(self) -> str:
        return f"This report would cost {self.cost:,}; the limit is {self.limit:,}. {self.advice}"
