"""One of two servers is killed while people buy: the other sells on, and the books agree."""

import asyncio

import pytest

from tests.storm.conftest import BUYERS
from tests.storm.pair import PairShop, open_pair
from tests.storm.shop import any_seed
from tests.storm.storm import PATIENCE_SECONDS, Outcome, Plan, Storm

pytestmark = pytest.mark.io_bound

BEFORE, AFTER = 6, 12
"""Payments before the second server is killed, and in all."""
SERVED = 20
"""Requests that each of the two has had a part in the whole by."""


async def bought(shop: PairShop, storm: Storm) -> Outcome:
    """The first is killed twice, and started again each time; then the second, once and for all."""
    await shop.start_second()
    async with storm.shoppers() as outside:
        for payments in (BEFORE // 2, BEFORE):
            await storm.until_paid(payments)
            assert shop.kill_child("web")
            assert shop.kill_child("worker")
            await asyncio.sleep(1)
        await storm.recovered(outside)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not have_both_served(shop):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        shop.kill_second()
        await storm.until_paid(AFTER)
    return storm.outcome


def have_both_served(shop: PairShop) -> bool:
    return min(shop.served[shop.ports[0]], shop.served[shop.second_port]) > SERVED


async def test_whichever_of_two_servers_is_killed_the_other_sells_on_and_the_books_agree() -> None:
    seed = any_seed()
    with open_pair() as shop:
        outcome = await bought(shop, Storm(shop, Plan(), seed, BUYERS))

    assert outcome.problems == [], seed
    assert outcome.crowd.surprises == [], seed
    assert outcome.complaints == [], seed
    assert outcome.orders >= AFTER / 2
    assert have_both_served(shop)
