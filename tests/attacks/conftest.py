"""The shop that is attacked: somebody of every role, and something of everything that a person can own."""

import pytest

from tests.analytics.caught_up import facts_caught_up
from tests.api.conftest import Shop
from tests.api.conftest import shop as shop
from tests.attacks.world import World, furnish


@pytest.fixture
async def world(shop: Shop) -> World:
    furnished = await furnish(shop)
    await facts_caught_up(shop.sessions)
    return furnished
