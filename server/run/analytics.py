"""Maintenance of the facts behind the reports, from the command line."""

from server.analytics import facts
from server.config import Settings
from server.platform.core.db import create_engine, sessionmaker
from server.platform.processes.console import say
from server.shop import service as shop


async def rebuild(settings: Settings) -> None:
    """Rebuilds the facts in the shop's time zone and prints the progress. When interrupted, the server continues it."""
    engine = create_engine(settings.database_url)
    sessions = sessionmaker(engine)
    try:
        async with sessions() as session:
            zone = (await shop.settings(session, settings)).time_zone
        say(f"Counting orders in the days of {zone}")
        done = await facts.rebuild(sessions, settings, on_progress=say)
        say(f"{done:,} orders are counted")
    finally:
        await engine.dispose()
