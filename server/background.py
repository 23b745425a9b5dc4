"""The work that no request waits for: jobs, the schedule, and the facts of the reports."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from functools import wraps

from server import wiring
from server.analytics import follower
from server.analytics.follower import FactsFollower
from server.config import Settings
from server.media.store_identity import place_of
from server.operations import measures
from server.operations.archive_status import Backups
from server.platform.core.jobs import JobEnvironment, Worker, every
from server.platform.core.locks import Lock
from server.shop_process import ShopProcess

Work = Callable[[JobEnvironment], Awaitable[None]]


class BackgroundWork(ShopProcess):
    """A worker process: any number of them share the queues of one shop, and one of them keeps its schedule.

    With `queues` it does the jobs of those alone, so that a shop can have processes for each kind of work.
    """

    role = "worker"

    def __init__(self, settings: Settings, queues: Collection[str] = frozenset(wiring.QUEUES)) -> None:
        super().__init__(settings, Lock.SCHEDULE, place_of(settings))
        self._workers = [
            Worker(self.env, queue.handlers, queue.concurrency)
            for name, queue in wiring.QUEUES.items()
            if name in queues
        ]
        for worker in self._workers:
            self.listener.on("jobs", worker.wake)
        self._facts_follower = FactsFollower(self.env)
        self.listener.on(follower.CHANNEL, self._facts_follower.wake)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Works until the end of the block; jobs under way go back to their queues then."""
        work = [worker.run() for worker in self._workers]
        work += [every(seconds, self.env, self._as_leader(task)) for seconds, task in wiring.PERIODIC]
        # Every worker's metrics have them, since Prometheus asks each.
        measuring = every(measures.SECONDS, self.env, measures.measure)
        if self.settings.backup_url:
            self.resources.add(Backups(self.settings.backup_url))
            work.append(every(measures.SECONDS, self.env, measures.measure_backups))
        async with self.doing(self._facts_follower.run(), measuring, *work):
            yield

    def _as_leader(self, task: Work) -> Work:
        @wraps(task)
        async def led(env: JobEnvironment) -> None:
            if self.listener.is_leader:
                await task(env)

        return led
