"""Promotions as typed data: an action that takes cents off lines, under conditions.

A rule is a frozen dataclass with its parameters, entered in ACTIONS or CONDITIONS. How it is stored and validated, its
entry in the audit log, and its types in the API follow from the class, and the tests of all rules include it. What
triggers a promotion belongs to the row that has it: a discount code. Amounts are in cents.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, ClassVar, Protocol, TypeVar
from uuid import UUID

from server.platform.core import money
from server.platform.core.declarations import Declaration, declarations
from server.platform.core.rules import ANYTHING, CheckedBy, NumberRule, OneOf
from server.platform.core.text import camel_case
from server.pricing.totals import Allocation, percent_of, shared


class PromotionLine(Protocol):
    """What rules read of a cart's line that can be bought."""

    @property
    def product_id(self) -> UUID:
        """The product."""

    @property
    def category(self) -> str:
        """Gender and kind of clothing: `men_jeans`."""

    @property
    def quantity(self) -> int:
        """The number of items."""

    @property
    def unit_price_cents(self) -> int:
        """The current price of one item."""

    @property
    def total_cents(self) -> int:
        """Unit price times quantity."""


@dataclass(frozen=True)
class Parameter(Declaration):
    """A parameter of a rule: its name and type, its description in the API, and which numbers it accepts.

    A number whose name ends in `_cents` is an amount of money in the API.
    """

    description: str
    rule: NumberRule | OneOf | CheckedBy = ANYTHING

    @property
    def is_amount(self) -> bool:
        """Whether it is an amount of money, by its name."""
        return self.name.endswith("_cents")

    @property
    def api_name(self) -> str:
        """Its name in the API, in Python's spelling: an amount is named without its unit."""
        return self.name.removesuffix("_cents")

    @property
    def field_name(self) -> str:
        """The same in the spelling of GraphQL, as refusals name it."""
        return camel_case(self.api_name)


class Rule:
    """What actions and conditions have in common: all of it follows from their parameters."""

    kind: ClassVar[str]
    """Its name where it is stored: `percent_off` of PercentOff."""

    def __init_subclass__(cls) -> None:
        cls.kind = re.sub("(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def problems(self) -> dict[str, str]:
        """Messages by the names of fields, for parameters that are out of bounds."""
        problems = {each.field_name: each.rule.problem(getattr(self, each.name)) for each in PARAMETERS[type(self)]}
        return {name: problem for name, problem in problems.items() if problem}

    def values(self) -> dict[str, Any]:
        """The parameters, as JSON has them."""
        own = {each.name: getattr(self, each.name) for each in PARAMETERS[type(self)]}
        return {name: value.value if isinstance(value, Enum) else value for name, value in own.items()}


class Action(Rule):
    """What a promotion takes off the lines that its conditions select."""

    def allocate(self, lines: Sequence[PromotionLine]) -> tuple[int, ...]:
        """Cents off each line, in the order of the lines: from 0 to the line's total."""
        raise NotImplementedError


class Condition(Rule):
    """To which carts a promotion applies, and which of their lines it reduces."""

    def problem(self, lines: Sequence[PromotionLine]) -> str | None:
        """Why it does not apply to a cart with these lines, as a whole sentence; None when it does."""
        return None

    def selects(self, line: PromotionLine) -> bool:
        """Whether the action may reduce this line."""
        return True


@dataclass(frozen=True)
class PercentOff(Action):
    """A percentage of the goods, rounded half up to a cent."""

    percent: Annotated[int, Parameter("Percent off the goods, 1 to 100.", NumberRule(1, 100))]

    def allocate(self, lines: Sequence[PromotionLine]) -> tuple[int, ...]:
        """Rounds once for all lines, and prorates."""
        amounts = [line.total_cents for line in lines]
        return shared(percent_of(self.percent, sum(amounts)), amounts)


@dataclass(frozen=True)
class AmountOff(Action):
    """An amount off the goods, at most what they cost."""

    amount_cents: Annotated[int, Parameter("What comes off the goods.", NumberRule(1, money.MAX_CENTS, "Above 0"))]

    def allocate(self, lines: Sequence[PromotionLine]) -> tuple[int, ...]:
        """Prorates the amount."""
        amounts = [line.total_cents for line in lines]
        return shared(min(self.amount_cents, sum(amounts)), amounts)


@dataclass(frozen=True)
class MinSubtotal(Condition):
    """The least that the goods must cost, those included that the promotion does not reduce."""

    min_subtotal_cents: Annotated[
        int, Parameter("The least that the goods must cost.", NumberRule(0, money.MAX_CENTS, "0 or more"))
    ]

    def problem(self, lines: Sequence[PromotionLine]) -> str | None:
        """Says how much is missing."""
        missing = self.min_subtotal_cents - sum(line.total_cents for line in lines)
        if missing <= 0:
            return None
        return f"This code counts from {money.dollars(self.min_subtotal_cents)}. {money.dollars(missing)} to go."


ACTIONS: tuple[type[Action], ...] = (PercentOff, AmountOff)
CONDITIONS: tuple[type[Condition], ...] = (MinSubtotal,)


@dataclass(frozen=True)
class Promotion:
    """An action on the lines that all conditions select, for carts that meet all conditions."""

    action: Action
    conditions: tuple[Condition, ...] = ()

    def problem(self, lines: Sequence[PromotionLine]) -> str | None:
        """Why it does not apply to a cart with these lines; None when it does."""
        return next((said for each in self.conditions if (said := each.problem(lines)) is not None), None)

    def allocate(self, lines: Sequence[PromotionLine], reason: str) -> Allocation:
        """What it takes off each line of a cart to which it applies. `reason` is the code."""
        selected = [at for at, line in enumerate(lines) if all(each.selects(line) for each in self.conditions)]
        cents = [0] * len(lines)
        for at, off in zip(selected, self.action.allocate([lines[at] for at in selected]), strict=True):
            cents[at] = off
        return Allocation(reason, tuple(cents))


def parameter_values(rules: Sequence[Rule]) -> dict[str, Any]:
    """The parameters of every rule that there is, as JSON has them: None where it is not among `rules`."""
    empty: dict[str, Any] = {each.name: None for parameters in PARAMETERS.values() for each in parameters}
    return empty | {name: value for rule in rules for name, value in rule.values().items()}


def to_json(promotion: Promotion) -> dict[str, Any]:
    """The promotion as it is stored."""
    action, *conditions = [{"kind": rule.kind, **rule.values()} for rule in (promotion.action, *promotion.conditions)]
    return {"action": action, "conditions": conditions}


def from_json(stored: Mapping[str, Any]) -> Promotion | None:
    """The promotion that is stored so; None when it has a rule that only a later version of the shop has."""
    action, conditions = stored["action"], stored["conditions"]
    if not {each["kind"] for each in (action, *conditions)} <= _KINDS:
        return None
    return Promotion(
        _rule(_ACTIONS[action["kind"]], action), tuple(_rule(_CONDITIONS[each["kind"]], each) for each in conditions)
    )


R = TypeVar("R", bound=Rule)


def _rule(kind: type[R], stored: Mapping[str, Any]) -> R:
    return kind(**{each.name: each.type(stored[each.name]) for each in PARAMETERS[kind]})


PARAMETERS: Mapping[type[Rule], tuple[Parameter, ...]] = {
    kind: declarations(kind, Parameter) for kind in (*ACTIONS, *CONDITIONS)
}
"""The parameters of every rule, in their order."""
_ACTIONS = {kind.kind: kind for kind in ACTIONS}
_CONDITIONS = {kind.kind: kind for kind in CONDITIONS}
_KINDS = _ACTIONS.keys() | _CONDITIONS.keys()
