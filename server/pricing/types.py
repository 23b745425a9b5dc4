"""The rules of promotions in the GraphQL schema: of each a type and an input, derived from its parameters."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Optional, TypeVar, Union

import strawberry

from server.platform.gql.scalars import Money
from server.pricing.promotions import ACTIONS, CONDITIONS, PARAMETERS, Action, Condition, Rule


def _class(name: str, fields: dict[str, tuple[Any, Any]]) -> type:
    """A class with fields of these types."""
    annotations = {each: of_type for each, (of_type, _) in fields.items()}
    values = {each: value for each, (_, value) in fields.items()}
    return type(name, (), {"__annotations__": annotations, "__module__": __name__, **values})


def _rule_class(kind: type[Rule], make: Callable[..., Any], suffix: str = "") -> Any:
    fields = {
        each.api_name: (Money if each.is_amount else each.type, strawberry.field(description=each.description))
        for each in PARAMETERS[kind]
    }
    return make(_class(kind.__name__ + suffix, fields), description=kind.__doc__)


_TYPES = {kind: _rule_class(kind, strawberry.type) for kind in PARAMETERS}
_INPUTS = {kind: _rule_class(kind, strawberry.input, "Input") for kind in PARAMETERS}


def _union(name: str, kinds: Sequence[type[Rule]], description: str) -> Any:
    types = tuple(_TYPES[kind] for kind in kinds)
    return Annotated[Union[types], strawberry.union(name, description=description)]  # noqa: UP007 - made of a tuple


def _choice(name: str, kinds: Sequence[type[Rule]], description: str, *, one_of: bool) -> Any:
    fields = {
        kind.kind: (
            Optional[_INPUTS[kind]],  # noqa: UP045
            strawberry.field(default=strawberry.UNSET if one_of else None, description=kind.__doc__),
        )
        for kind in kinds
    }
    return strawberry.input(_class(name, fields), one_of=one_of, description=description)


PromotionAction = _union("PromotionAction", ACTIONS, "What a promotion takes off.")
PromotionCondition = _union(
    "PromotionCondition", CONDITIONS, "For which carts a promotion counts, and which of their lines it reduces."
)
PromotionActionInput = _choice(
    "PromotionActionInput", ACTIONS, "What a promotion takes off; give exactly one.", one_of=True
)
PromotionConditionsInput = _choice(
    "PromotionConditionsInput",
    CONDITIONS,
    "For which carts a promotion counts, and which of their lines it reduces. All that are given have to hold.",
    one_of=False,
)


def to_graphql(rule: Rule) -> Any:
    """A rule as the API has it."""
    return _TYPES[type(rule)](**{each.api_name: getattr(rule, each.name) for each in PARAMETERS[type(rule)]})


def actions_of(choice: Any) -> list[Action]:
    """The action of a PromotionActionInput; empty for None."""
    return _rules(ACTIONS, choice)


def conditions_of(choice: Any) -> list[Condition]:
    """The conditions of a PromotionConditionsInput; empty for None."""
    return _rules(CONDITIONS, choice)


R = TypeVar("R", bound=Rule)


def _rules(kinds: Sequence[type[R]], choice: Any) -> list[R]:
    inputs = [(kind, getattr(choice, kind.kind, None)) for kind in kinds]
    return [
        kind(**{each.name: getattr(values, each.api_name) for each in PARAMETERS[kind]})
        for kind, values in inputs
        if values
    ]
