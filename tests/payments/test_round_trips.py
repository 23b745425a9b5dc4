"""How often each step of a purchase waits for the database."""

import asyncio
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from tests.cart.stock import make_product, make_shopper
from tests.payments.checkout_documents import COMPLETE, START
from tests.payments.conftest import Customer, OpenShop
from tests.payments.provider import Provider
from tests.statements import round_trips

ADD = """
  mutation ($variant: ID!) {
    addToCart(variantId: $variant) { __typename ... on Cart { count subtotal } ... on UserError { message } }
  }
"""
SESSION = 1
"""Whose it is, and that it has not ended."""
TRANSACTION = 2
"""BEGIN and COMMIT."""
NAME = 1
"""The shop's, in the mail to the buyer."""
PICTURES = 1
"""Whose addresses the provider is told."""
_OF_A_NEW_CONNECTION = ("SET_CONFIG('JIT'", "TYPEINFO_TREE")
"""By these the driver learns what an array is."""


async def trips_of(buyer: Customer, document: str, **variables: object) -> tuple[list[str], Any]:
    with round_trips() as sent:
        answer = await buyer.browser.post("/graphql", json={"query": document, "variables": variables})
        await asyncio.sleep(0)
    [(_, value)] = answer.json()["data"].items()
    trips = sent[answer.headers["x-request-id"]]
    return [trip for trip in trips if not any(first in trip.upper() for first in _OF_A_NEW_CONNECTION)], value


async def test_each_step_of_a_purchase_waits_for_the_database_so_often(
    open_shop: OpenShop, session: AsyncSession, provider: Provider
) -> None:
    provider.quiet()
    goods = await make_product(session, stock=50)
    trips: dict[str, list[str]] = {}
    for _ in range(3):  # What is prepared or cached for the first buyer is there for the others.
        buyer = await open_shop.let_in(await make_shopper(session))
        await buyer.ask(ADD, variant=str(goods.variant_id))
        trips["add"], _ = await trips_of(buyer, ADD, variant=str(goods.variant_id))
        trips["start"], started = await trips_of(buyer, START)
        provider.pay(started["sessionId"])
        trips["complete"], completed = await trips_of(buyer, COMPLETE, session=started["sessionId"])
        assert completed["cart"] == {"count": 0}

    assert {step: len(sent) for step, sent in trips.items()} == {
        "add": SESSION + 1,
        "start": SESSION + TRANSACTION + 6 + PICTURES + 1,
        "complete": SESSION + 2 + TRANSACTION + 20 + 3 + NAME,
    }
