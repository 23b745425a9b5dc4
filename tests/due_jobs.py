"""Does the jobs that are due, and leaves it at that."""

import asyncio

from server.platform.core.jobs import Worker


async def run_due(worker: Worker) -> bool:
    """Claims as many jobs as may run at once and waits for all of them. Returns whether there were any."""
    async with worker._leases_renewed():
        started = await worker._start_due()
        if started:
            await asyncio.wait(started)
    return bool(started)


async def run_all_due(worker: Worker) -> None:
    """Until none is due, those included that these jobs add."""
    while await run_due(worker):
        pass
