"""A provider for the books, and for the storm a whole shop that can be killed piece by piece."""

import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from tests.payments.conftest import provider, running_provider, settings
from tests.storm import shop as whole
from tests.storm.shop import StormShop
from tests.storm.storm import Outcome, Plan, Storm

__all__ = ["provider", "running_provider", "settings"]

SHORT = Plan(web=1, worker=1, postgres=2, stand_ins=1, each_point=1)
BUYERS = 4


@dataclass(frozen=True)
class Weathered:
    """A shop that has been through a storm, open and at rest again."""

    shop: StormShop
    outcome: Outcome

    @property
    def again(self) -> str:
        return again(self.outcome.seed)


@pytest.fixture(scope="session")
async def weathered() -> AsyncIterator[Weathered]:
    """The seed changes each time, for more to be found; what fails says how to sow it again."""
    seed = whole.any_seed()
    sys.stdout.write(f"{again(seed)}\n")
    with whole.open_shop() as shop:
        yield Weathered(shop, await Storm(shop, SHORT, seed, buyers=BUYERS).run())


def again(seed: int) -> str:
    """The command for the same storm, as far as chance leaves it the same."""
    plan = f"--server {SHORT.web} --postgres {SHORT.postgres} --stand-ins {SHORT.stand_ins}"
    return f"Again: just storm --seed {seed} {plan} --each-point {SHORT.each_point} --buyers {BUYERS}"
