"""Tunes Python's garbage collector for a server, where every full collection pauses all requests.

Objects made by the start and the first minutes (modules, schema) live as long as the process, so they are frozen: no
collection looks at them again. Young generations are collected often and quickly; a full collection runs on a timer,
and earlier only when many objects have survived, as in a flood of refused documents. Freed memory is then returned to
the system, because glibc would keep it in each thread's arena.
"""

import asyncio
import gc

from sqlalchemy.orm import configure_mappers

from server.platform.core.jobs import JobEnvironment
from server.platform.core.memory import release_free_memory

GC_THRESHOLDS = 2_000, 4, 10
"""Thresholds of `gc.set_threshold`: new objects, then collections of the younger generation.

One of the middle generation takes a millisecond.
"""
FREEZING_COLLECTIONS = 4
"""Full collections after which the surviving objects are frozen too."""
SECONDS = 30.0
"""How often `collect` runs."""

_is_frozen = False
_collections = 0


def freeze_startup_objects() -> None:
    """Freezes what the start has made. Call it when a long-running process is ready to serve.

    Nothing is collected before: a start leaves some thousand unreachable objects, and looking for them takes a tenth
    of a second.
    """
    global _is_frozen
    _is_frozen = True
    configure_mappers()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()


def freeze() -> None:
    """Freezes what has been made by now: for something large that stays. Does nothing before `freeze_startup_objects`.

    Nothing is collected before: in a catalogue of a million products that takes 0.2 s.
    """
    if _is_frozen:
        gc.freeze()


async def collect(_env: JobEnvironment) -> None:
    """Runs a full collection and returns free memory to the system. Does nothing before `freeze_startup_objects`."""
    global _collections
    if not _is_frozen:
        return
    gc.collect()
    await asyncio.to_thread(release_free_memory)
    _collections += 1
    if _collections <= FREEZING_COLLECTIONS:
        gc.freeze()
