"""What holds for the rules of every promotion, those added later included; and the present ones by their formula."""

import random
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from uuid import uuid4

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.orders import proration
from server.orders.models import Order, OrderLine
from server.platform.core.rules import NumberRule
from server.pricing.promotions import (
    ACTIONS,
    CONDITIONS,
    PARAMETERS,
    AmountOff,
    Condition,
    MinSubtotal,
    PercentOff,
    Promotion,
    PromotionLine,
    from_json,
    to_json,
)
from server.pricing.totals import Allocation, TaxRule, Totals, add_up
from server.pricing.types import PromotionActionInput, PromotionConditionsInput, actions_of, conditions_of, to_graphql
from tests.pricing.rules import ACTION_RULES, CARTS, PROMOTIONS, Line, lines

TAXES = st.none() | st.builds(
    TaxRule, name=st.just("VAT"), basis_points=st.integers(0, 3_000), on_delivery=st.booleans(), included=st.booleans()
)


def totals(cart: list[Line], promotion: Promotion, tax: TaxRule | None = None) -> Totals:
    allocations = [] if promotion.problem(cart) else [promotion.allocate(cart, "CODE")]
    return add_up([line.total_cents for line in cart], allocations=allocations, shipping_cents=500, tax=tax)


@given(CARTS, PROMOTIONS)
def test_no_promotion_takes_more_off_a_line_than_it_costs(cart: list[Line], promotion: Promotion) -> None:
    allocation = promotion.allocate(cart, "CODE")

    assert len(allocation.line_cents) == len(cart)
    assert all(0 <= off <= line.total_cents for off, line in zip(allocation.line_cents, cart, strict=True))


@dataclass(frozen=True)
class Cheap(Condition):
    """Selects lines, as no registered rule does yet."""

    most_cents: int

    def selects(self, line: PromotionLine) -> bool:
        """By their total."""
        return line.total_cents <= self.most_cents


@given(CARTS, PROMOTIONS, st.integers(0, 20_000))
def test_lines_that_a_condition_leaves_out_have_no_part_in_a_discount(
    cart: list[Line], promotion: Promotion, most_cents: int
) -> None:
    conditions = (*promotion.conditions, Cheap(most_cents))
    selected = [line for line in cart if all(condition.selects(line) for condition in conditions)]

    allocation = Promotion(promotion.action, conditions).allocate(cart, "CODE")

    off = dict(zip(map(id, cart), allocation.line_cents, strict=True))
    assert sum(off[id(line)] for line in selected) == allocation.total_cents
    assert tuple(off[id(line)] for line in selected) == promotion.action.allocate(selected)


@given(CARTS, PROMOTIONS, TAXES)
def test_lines_add_up_to_the_discount_and_the_parts_to_the_total(
    cart: list[Line], promotion: Promotion, tax: TaxRule | None
) -> None:
    sums = totals(cart, promotion, tax)

    off = 0 if promotion.problem(cart) else promotion.allocate(cart, "CODE").total_cents
    assert off == sum(sums.line_discounts) == sums.discount_cents
    added = 0 if sums.tax_included else sums.tax_cents
    assert sums.total_cents == sum(line.total_cents for line in cart) - off + 500 + added


@given(CARTS, PROMOTIONS, st.randoms(use_true_random=False))
def test_the_order_of_lines_changes_no_discount_and_no_line_by_more_than_a_cent(
    cart: list[Line], promotion: Promotion, dice: random.Random
) -> None:
    order = dice.sample(range(len(cart)), len(cart))
    shuffled = [cart[at] for at in order]

    first, second = promotion.allocate(cart, "CODE"), promotion.allocate(shuffled, "CODE")

    assert first.total_cents == second.total_cents
    assert promotion.problem(cart) == promotion.problem(shuffled)
    # Of equal remainders, the earlier line gets the cent that is left.
    assert all(abs(first.line_cents[at] - off) <= 1 for at, off in zip(order, second.line_cents, strict=True))


@given(CARTS, PROMOTIONS, TAXES, st.randoms(use_true_random=False))
def test_refunds_piece_by_piece_come_to_what_was_charged_for_the_line(
    cart: list[Line], promotion: Promotion, tax: TaxRule | None, dice: random.Random
) -> None:
    sums = totals(cart, promotion, tax)
    order = Order(
        total_cents=sums.total_cents,
        tax_cents=sums.tax_cents,
        tax_included=sums.tax_included,
        shipping_cents=sums.shipping_cents,
    )
    rows = {
        uuid4(): OrderLine(
            unit_price_cents=line.unit_price_cents, quantity=line.quantity, discount_cents=off, tax_cents=its_tax
        )
        for line, off, its_tax in zip(cart, sums.line_discounts, sums.line_taxes, strict=True)
    }

    refunded = proration.of_delivery(order, rows)
    for row in rows.values():
        charged, returned = proration.of_line(order, row), 0
        while returned < row.quantity:
            more = dice.randint(1, row.quantity - returned)
            refund = proration.of_pieces(charged, row.quantity, returned, more)
            assert 0 <= refund <= charged
            refunded, returned = refunded + refund, returned + more

    assert refunded == sums.total_cents


def of_the_formula(promotion: Promotion, amounts: list[int]) -> tuple[int, ...]:
    """Codes as they were before promotions: of the whole subtotal, half up, shares by largest remainders."""
    subtotal = sum(amounts)
    match promotion.action:
        case PercentOff(percent):
            off = floor(Fraction(subtotal * percent, 100) + Fraction(1, 2))
        case AmountOff(amount_cents):
            off = min(amount_cents, subtotal)
        case _:
            raise AssertionError(promotion)
    exact = [Fraction(off * amount, subtotal) for amount in amounts]
    shares = [floor(share) for share in exact]
    for _ in range(off - sum(shares)):
        behind = [share - whole for share, whole in zip(exact, shares, strict=True)]
        shares[behind.index(max(behind))] += 1
    return tuple(shares)


@given(CARTS, ACTION_RULES.filter(lambda action: isinstance(action, PercentOff | AmountOff)).map(Promotion))
def test_a_percentage_and_an_amount_come_to_the_cents_of_the_formula(cart: list[Line], promotion: Promotion) -> None:
    amounts = [line.total_cents for line in cart]

    assert promotion.allocate(cart, "CODE").line_cents == of_the_formula(promotion, amounts)


@pytest.mark.parametrize(
    ("action", "amounts", "off"),
    [
        (PercentOff(10), (4_995,), (500,)),
        (PercentOff(10), (5, 5, 5), (1, 1, 0)),
        (PercentOff(50), (1, 1, 1), (1, 1, 0)),
        (PercentOff(100), (1, 99), (1, 99)),
        (AmountOff(100), (1_000, 1_000, 1_000), (34, 33, 33)),
        (AmountOff(10), (999, 1, 999), (5, 0, 5)),
        (AmountOff(5_000), (20, 10), (20, 10)),
    ],
)
def test_shares_of_a_discount_to_the_cent(
    action: PercentOff | AmountOff, amounts: tuple[int, ...], off: tuple[int, ...]
) -> None:
    assert Promotion(action).allocate(lines(*amounts), "CODE") == Allocation("CODE", off)


def test_a_least_subtotal_says_how_much_is_missing() -> None:
    promotion = Promotion(PercentOff(10), (MinSubtotal(12_000),))

    assert promotion.problem(lines(6_000, 4_000)) == "This code counts from $120.00. $20.00 to go."
    assert promotion.problem(lines(6_000, 6_000)) is None


@given(PROMOTIONS)
def test_a_promotion_is_read_as_it_was_stored(promotion: Promotion) -> None:
    assert from_json(orjson.loads(orjson.dumps(to_json(promotion)))) == promotion


def test_rules_of_a_later_version_are_no_promotion_here() -> None:
    stored = to_json(Promotion(PercentOff(10), (MinSubtotal(100),)))
    later = {"kind": "buy_x_get_y", "buy": 2}

    assert from_json({**stored, "action": later}) is None
    assert from_json({**stored, "conditions": [*stored["conditions"], later]}) is None


@given(PROMOTIONS)
def test_a_promotion_is_the_same_in_the_api(promotion: Promotion) -> None:
    action = PromotionActionInput(**{promotion.action.kind: to_graphql(promotion.action)})
    conditions = PromotionConditionsInput(**{each.kind: to_graphql(each) for each in promotion.conditions})

    assert actions_of(action) == [promotion.action]
    assert conditions_of(conditions) == list(promotion.conditions)


@pytest.mark.parametrize("kind", [*ACTIONS, *CONDITIONS], ids=lambda kind: kind.kind)
def test_numbers_out_of_bounds_are_refused_at_their_field(kind: type) -> None:
    for parameter in PARAMETERS[kind]:
        if not isinstance(rule := parameter.rule, NumberRule):
            continue
        least, most = rule.least, rule.most
        others = {each.name: each.rule.least for each in PARAMETERS[kind] if isinstance(each.rule, NumberRule)}
        for value in (least - 1, most + 1):
            assert kind(**{**others, parameter.name: value}).problems() == {parameter.field_name: rule.message}
        assert kind(**{**others, parameter.name: least}).problems() == {}


def test_totals_refuse_to_take_more_off_a_line_than_it_costs() -> None:
    with pytest.raises(ValueError, match="more off a line"):
        add_up([100, 200], allocations=[Allocation("A", (60, 0)), Allocation("B", (41, 0))])


def test_totals_add_what_several_promotions_take_off_a_line() -> None:
    sums = add_up([100, 200], allocations=[Allocation("A", (60, 0)), Allocation("B", (40, 50))])

    assert (sums.line_discounts, sums.discount_cents, sums.total_cents) == ((100, 50), 150, 150)
