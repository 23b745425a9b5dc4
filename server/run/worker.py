"""`python -m server worker`: a process that does the shop's background work."""

from collections.abc import Collection

from server.background import BackgroundWork
from server.config import Settings
from server.platform.core import logs
from server.platform.processes.console import CommandRefused
from server.run.database import connected, look
from server.run.metrics import trace, with_metrics
from server.run.roles import run_until_terminated
from server.run.startup_checks import check_contents, check_pictures, check_settings
from server.wiring import QUEUES


def work(settings: Settings, queues: Collection[str] = ()) -> None:
    """Works until SIGTERM or SIGINT, on these queues or on all.

    Raises CommandRefused for an unknown queue, and when the shop may not open with these settings or this database.
    """
    logs.configure()
    check_settings(settings)
    trace(settings, "worker")
    if unknown := set(queues) - set(QUEUES):
        raise CommandRefused(f"There is no queue {', '.join(sorted(unknown))}. There are: {', '.join(QUEUES)}.")
    with connected(settings) as here:
        contents = look(here.direct_url)
        check_contents(here, contents)
        check_pictures(here, contents)
        run_until_terminated(lambda: with_metrics(BackgroundWork(here, queues or QUEUES)))
