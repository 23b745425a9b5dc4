"""How often the calls on the way to a purchase wait for the database."""

import asyncio

from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.statements import round_trips

ADD = """
mutation Add($id: ID!) {
  addToCart(variantId: $id) { __typename ... on Cart { count subtotal canCheckOut } ... on UserError { message } }
}
"""


async def test_adding_to_the_cart_is_two_round_trips_and_the_session(shop: Shop) -> None:
    wanted = str(shop.people.variants[1])
    for _ in range(2):
        await ask(shop, "shopper", ADD, id=wanted)

    with round_trips() as sent:
        added = await ask(shop, "shopper", ADD, id=wanted)
        await asyncio.sleep(0)

    assert added["addToCart"]["count"] == 2
    assert len(sent) == 3, sent
