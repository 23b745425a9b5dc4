"""What the attributes of a dataclass say of themselves in their `Annotated` hints."""

from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, TypeVar, get_type_hints


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """Stands in the hint of an attribute, which has its name, type and default."""

    name: str = ""
    type: Any = None
    is_required: bool = True
    """Whether it has no default."""


D = TypeVar("D", bound=Declaration)


def declarations(owner: type, kind: type[D]) -> tuple[D, ...]:
    """The declaration in each attribute's hint, in their order, with the attribute's name, type and default."""
    hints = get_type_hints(owner, include_extras=True)
    return tuple(
        replace(
            next(part for part in hints[each.name].__metadata__ if isinstance(part, kind)),
            name=each.name,
            type=hints[each.name].__origin__,
            is_required=each.default is MISSING and each.default_factory is MISSING,
        )
        for each in fields(owner)
    )
