"""A worker with an endless job: `python -m tests.platform.core.stuck_worker DATABASE_URL KIND LEASE [ends when told]`.

Told so, it ends when standard input does, and the process a moment later.
"""

import asyncio
import sys
from datetime import timedelta
from typing import Any

from server.platform.core import jobs
from server.platform.core.db import create_engine, sessionmaker
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.resources import Resources
from tests.due_jobs import run_due


async def main(database_url: str, kind: str, lease: str, *ends: str) -> None:
    jobs.LEASE = timedelta(seconds=float(lease))

    async def stuck(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        await (asyncio.to_thread(sys.stdin.read) if ends else asyncio.sleep(600))

    worker = Worker(JobEnvironment(sessionmaker(create_engine(database_url)), Resources()), {kind: stuck})
    await (run_due(worker) if ends else worker.run())


asyncio.run(main(*sys.argv[1:]))
