"""The shop under attack, with an account of every role and one of everything that an account can own."""

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
