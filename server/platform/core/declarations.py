"""What the attributes of a dataclass say of themselves in their `Annotated` hints."""

import dataclasses
from dataclasses import dataclass
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
    """The declaration of each attribute, in their order, completed by the attribute's name, type and default.

    Raises TypeError for an attribute without one.
    """
    hints = get_type_hints(owner, include_extras=True)
    return tuple(_complete(hints[each.name], each, kind) for each in dataclasses.fields(owner))


def _complete(hint: Any, attribute: "dataclasses.Field[Any]", kind: type[D]) -> D:
    declaration = next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, kind)), None)
    if declaration is None:
        raise TypeError(f"{attribute.name} has no {kind.__name__}")
    is_required = attribute.default is dataclasses.MISSING and attribute.default_factory is dataclasses.MISSING
    return dataclasses.replace(declaration, name=attribute.name, type=hint.__origin__, is_required=is_required)
