"""Sells one piece after the other: `python -m tests.bench.sales URL RATE SECONDS`. Nothing runs short of it."""

import asyncio
import sys
import time
from itertools import cycle

import asyncpg

VARIANTS = 500


async def sell(url: str, rate: float, seconds: float) -> None:
    database = await asyncpg.connect(url)
    rows = await database.fetch(f"SELECT id FROM variants ORDER BY id LIMIT {VARIANTS}")
    began = time.monotonic()
    for sold, row in enumerate(cycle(rows)):
        await asyncio.sleep(max(0.0, began + sold / rate - time.monotonic()))
        if time.monotonic() - began > seconds:
            break
        await database.execute("UPDATE variants SET stock = stock - 1 WHERE id = $1", row["id"])
    await database.close()


if __name__ == "__main__":
    asyncio.run(sell(sys.argv[1], float(sys.argv[2]), float(sys.argv[3])))
