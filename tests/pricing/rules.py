"""Random promotions over all rules that there are, and carts for them."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from hypothesis import strategies as st

from server.platform.core.rules import NumberRule, OneOf
from server.pricing.promotions import (
    ACTIONS,
    CONDITIONS,
    PARAMETERS,
    Action,
    AmountOff,
    Condition,
    Parameter,
    Promotion,
    Rule,
)
from server.pricing.totals import Allocation
from tests.catalog.specified import CATEGORIES


@dataclass(frozen=True)
class Line:
    """A line of a cart, as rules read it."""

    product_id: UUID
    category: str
    quantity: int
    unit_price_cents: int

    @property
    def total_cents(self) -> int:
        """Unit price times quantity."""
        return self.unit_price_cents * self.quantity


def lines(*amounts: int, category: str = "men_shirts") -> list[Line]:
    """Lines of one item each that cost these amounts in cents."""
    return [Line(uuid4(), category, 1, amount) for amount in amounts]


CARTS = st.lists(
    st.builds(
        Line,
        product_id=st.uuids(),
        category=st.sampled_from(list(CATEGORIES.by_key)),
        quantity=st.integers(1, 9),
        # Few prices, so that remainders of shares are often equal.
        unit_price_cents=st.sampled_from([1, 2, 99, 100, 999, 4_995, 8_900]) | st.integers(1, 50_000),
    ),
    min_size=1,
    max_size=8,
)


def rules_of(kind: type[Rule]) -> st.SearchStrategy[Rule]:
    """Rules of one kind, with parameters as it accepts them: amounts mostly of the size of a cart."""
    return st.builds(kind, **{each.name: _values(each) for each in PARAMETERS[kind]})


def _values(parameter: Parameter) -> st.SearchStrategy[object]:
    if isinstance(parameter.rule, OneOf):
        return st.sampled_from(parameter.rule.keys)
    if not isinstance(parameter.rule, NumberRule):
        return st.from_type(parameter.type)
    least, most = parameter.rule.least, parameter.rule.most
    return st.integers(least, min(most, 20_000)) | st.integers(least, most)


ACTION_RULES: st.SearchStrategy[Action] = st.one_of(*(rules_of(kind) for kind in ACTIONS))
CONDITION_RULES: st.SearchStrategy[tuple[Condition, ...]] = st.tuples(
    *(st.none() | rules_of(kind) for kind in CONDITIONS)
).map(lambda rules: tuple(rule for rule in rules if rule is not None))
PROMOTIONS = st.builds(Promotion, ACTION_RULES, CONDITION_RULES)


def amount_off(cents: int, amounts: list[int]) -> list[Allocation]:
    """What an amount takes off lines that cost these cents; nothing where it is 0."""
    return [Promotion(AmountOff(cents)).allocate(lines(*amounts), "CODE")] if cents else []
