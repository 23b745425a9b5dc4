"""Rules of values, and attributes that declare them."""

from dataclasses import dataclass, field
from typing import Annotated

import pytest

from server.platform.core.declarations import Declaration, declarations
from server.platform.core.rules import NumberRule


@dataclass(frozen=True)
class Column(Declaration):
    rule: NumberRule


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (NumberRule(1, 2_000), "1 to 2,000"),
        (NumberRule(1, 2_000, unit="days"), "1 to 2,000 days"),
        (NumberRule(1, 2_000, "Too long"), "Too long"),
    ],
)
def test_a_number_out_of_bounds_gets_the_message_of_its_rule(rule: NumberRule, message: str) -> None:
    assert [rule.problem(number) for number in (0, 1, 2_000, 2_001)] == [message, None, None, message]


def test_only_an_optional_number_may_be_missing() -> None:
    assert [NumberRule(1, 2, is_optional=each).problem(None) for each in (True, False)] == [None, "1 to 2"]


def test_declarations_have_the_names_types_and_defaults_of_their_attributes() -> None:
    rule = NumberRule(0, 1)

    @dataclass
    class Row:
        pages: Annotated[int, "of a book", Column(rule)]
        copies: Annotated[int | None, Column(rule)] = None
        notes: Annotated[list[str], Column(rule)] = field(default_factory=list)

    assert declarations(Row, Column) == (
        Column(rule, name="pages", type=int),
        Column(rule, name="copies", type=int | None, is_required=False),
        Column(rule, name="notes", type=list[str], is_required=False),
    )
