"""How many connections the processes of a shop may open together, against what their database allows."""

import structlog
from sqlalchemy import text

from server.platform.core import metrics
from server.platform.core.db import autocommit
from server.platform.core.jobs import JobEnvironment

log = structlog.get_logger()

SECONDS = 60.0
"""How often `ConnectionBudget.check` runs; the first time soon after the start."""
_STATE = text(r"""
SELECT
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - current_setting('reserved_connections')::int AS available,
  current_setting('statement_timeout') <> '0' AS ends_statements,
  count(*) AS processes,
  coalesce(sum(substring(application_name FROM 'up to (\d+)')::int), 0)::int AS planned
FROM pg_stat_activity WHERE application_name ~ '^minimal up to \d+(,|$)'
""")


def name_of(connections: int, pictures: str = "") -> str:
    """What a process calls its LISTEN connection, of which it has exactly one, so that all of them can be added up.

    With `pictures`, it includes where the process stores pictures (`media/store_identity.py`).
    """
    return f"minimal up to {connections}" + (f", pictures {pictures}" if pictures else "")


class ConnectionBudget:
    """Logs whether the connections of all processes fit, once, and again whenever that changes.

    It also logs once that the database ends no statement after a timeout.
    """

    def __init__(self) -> None:
        self._fits: bool | None = None

    async def check(self, env: JobEnvironment) -> None:
        """Adds up what the running processes may open, and compares it with what is not reserved."""
        async with autocommit(env.sessions) as session:
            state = (await session.execute(_STATE)).one()
        metrics.CONNECTIONS_PLANNED.set(state.planned)
        metrics.CONNECTIONS_AVAILABLE.set(state.available)
        if not state.ends_statements and self._fits is None:
            # Behind a pooler, which takes no timeout from a client.
            log.warning("database.no_timeouts")
        fits = state.planned <= state.available
        if fits is not self._fits:
            tell = log.info if fits else log.warning
            event = "database.connections" if fits else "database.too_many_connections"
            tell(event, count=state.processes, total=state.planned, limit=state.available)
        self._fits = fits
