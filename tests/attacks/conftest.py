"""The shop that is attacked: somebody of every role, and something of everything that a person can own."""

import pytest

from tests.api.conftest import Shop
from tests.api.conftest import shop as shop
from tests.attacks.world import World, furnish


@pytest.fixture
async def world(shop: Shop) -> World:
    return await furnish(shop)
