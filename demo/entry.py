"""What the shop's commands know of the demo; its supervisor starts the stand-ins as `python -m demo`."""

import asyncio
from typing import TYPE_CHECKING

from server.platform.processes.console import CommandRefused

if TYPE_CHECKING:
    from server.config import Settings


def seed(settings: "Settings") -> None:
    """Fills an empty shop with the demo range, accounts, orders and visits.

    Raises CommandRefused unless the shop is on loopback and uses the stand-ins.
    """
    _check(settings, "Demo accounts have a public password: they are made only on loopback, where the stand-ins run.")
    from demo.seed import seed as fill
    from server.run.database import database

    with database(settings) as url:
        asyncio.run(fill(settings.model_copy(update={"database_url": url})))


def grow(settings: "Settings", orders: int, random_seed: int) -> None:
    """Gives a demo shop, filled first if it is empty, the past of a big one. Raises CommandRefused like `seed`."""
    _check(settings, "Made-up orders are only for a demo shop on loopback, where the stand-ins run.")
    from demo.big import open_big
    from demo.seed import seed as fill
    from server.run.database import database
    from server.run.migrations import upgrade

    with database(settings) as url:
        upgrade(url)
        here = settings.model_copy(update={"database_url": url})
        asyncio.run(fill(here))
        asyncio.run(open_big(here, orders, random_seed))


def _check(settings: "Settings", refusal: str) -> None:
    if not (settings.is_loopback and settings.uses_stand_ins):
        raise CommandRefused(refusal)
