"""A cache of the totals, whose query reads every order: one read at a time, on the reports' connection."""

import asyncio
import time

from server.analytics import service
from server.analytics.reports.pool import ReportsPool
from server.analytics.service import AnalyticsTotals
from server.platform.core.slots import release_slot

KEPT_SECONDS = 2.0


class TotalsCache:
    """Parallel requests share one read, and occupy no shopper's connection."""

    def __init__(self, reports: ReportsPool) -> None:
        self._reports = reports
        self._cached: AnalyticsTotals | None = None
        self._kept_until = float("-inf")
        self._reading: asyncio.Task[AnalyticsTotals] | None = None

    async def get(self) -> AnalyticsTotals:
        """The totals, at most KEPT_SECONDS old."""
        if self._cached is not None and time.monotonic() < self._kept_until:
            return self._cached
        release_slot()
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
            self._reading.add_done_callback(self._done)
        return await asyncio.shield(self._reading)

    async def _read(self) -> AnalyticsTotals:
        async with self._reports.reading() as session:
            began = time.monotonic()
            self._cached = await service.totals(session)
        self._kept_until = began + KEPT_SECONDS
        return self._cached

    def _done(self, _reading: asyncio.Task[AnalyticsTotals]) -> None:
        self._reading = None
