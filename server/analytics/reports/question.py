"""The question that one SQL statement of a report answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from server.analytics.reports.language import (
    Dimension,
)
from server.analytics.reports.ranges import Grain, Span

GRAINS: Mapping[Dimension, Grain] = {Dimension[grain.name]: grain for grain in Grain}
OTHER = "other"


@dataclass(frozen=True)
class Condition:
    """Keeps rows whose dimension has one of the values, or none of them."""

    dimension: Dimension
    values: tuple[Any, ...]
    negated: bool = False


@dataclass(frozen=True)
class Members:
    """The members of a dimension that keep their own rows; the rest become Other."""

    of: Dimension
    values: tuple[Any, ...]


@dataclass(frozen=True)
class ReportStatement:
    """The question that one statement answers. Stored local times are in `shop_zone`."""

    by: tuple[Dimension, ...]
    where: tuple[Condition, ...]
    span: Span
    shop_zone: str
    members: Members | None = None
    used: frozenset[Dimension] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "used", frozenset((*self.by, *(condition.dimension for condition in self.where))))

    @property
    def in_shop_zone(self) -> bool:
        """Whether the question counts days in the shop's time zone."""
        return self.span.zone.key == self.shop_zone


def member_text(member: Any) -> str:
    """A key as the database's text, for selecting members."""
    if member is None:
        return ""
    return str(member).lower() if isinstance(member, bool) else str(member)
