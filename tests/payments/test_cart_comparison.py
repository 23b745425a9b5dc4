"""Comparing the client's cart with the server's."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from server.cart.queries import CartContents, PricedCartLine
from server.payments.service import same_items

OWNER = UUID(int=1)
Quantities = st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 2)), st.integers(1, 5), max_size=8)


def product(number: int) -> UUID:
    return UUID(int=1000 + number)


def variant(place: tuple[int, int]) -> UUID:
    return UUID(int=2000 + place[0] * 10 + place[1])


def basket(quantities: dict[tuple[int, int], int]) -> CartContents:
    return CartContents(OWNER, tuple(line(place, quantity) for place, quantity in quantities.items()))


def line(place: tuple[int, int], quantity: int) -> PricedCartLine:
    return PricedCartLine(
        variant_id=variant(place),
        product_id=product(place[0]),
        category="men_shirts",
        name="Shirt",
        sku="S",
        size="M",
        color_id=UUID(int=3),
        color="Sky",
        color_hex="#b7d0ea",
        available=9,
        retired=False,
        quantity=quantity,
        price_cents=100,
        discounted_price_cents=None,
        seen_price_cents=100,
        weight_grams=400,
        picture=None,
        fallback_image="",
    )


@given(Quantities, st.randoms())
def test_the_same_items_in_any_order_and_split_are_the_same(
    quantities: dict[tuple[int, int], int], dice: object
) -> None:
    pieces = [(variant(place), 1) for place, quantity in quantities.items() for _ in range(quantity)]
    dice.shuffle(pieces)  # type: ignore[attr-defined]

    assert same_items(basket(quantities), pieces)


@given(Quantities)
def test_products_stand_for_the_sum_of_their_variants(quantities: dict[tuple[int, int], int]) -> None:
    items = [(product(place[0]), quantity) for place, quantity in quantities.items()]

    assert same_items(basket(quantities), items)


@given(Quantities.filter(bool), st.integers(-2, 2).filter(bool))
def test_another_quantity_is_another_cart(quantities: dict[tuple[int, int], int], change: int) -> None:
    [first, *rest] = quantities.items()
    items = [(variant(first[0]), first[1] + change), *((variant(place), quantity) for place, quantity in rest)]

    assert not same_items(basket(quantities), items)


@given(Quantities.filter(bool))
def test_a_line_missing_or_too_many_is_another_cart(quantities: dict[tuple[int, int], int]) -> None:
    items = [(variant(place), quantity) for place, quantity in quantities.items()]

    assert not same_items(basket(quantities), items[1:])
    assert not same_items(basket(quantities), [*items, (UUID(int=9), 1)])
