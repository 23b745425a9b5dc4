"""When a process that serves looks for garbage: whoever asks just then waits until it has been through everything.

What the modules, the schema and the first minutes have made stays for good, and is never looked through again. What is
young is looked through often and soon done; all the rest twice a minute, and in between only where much has come
together, as in a flood of refused documents: memory stays flat. What is free by then goes back to the system: glibc
keeps it otherwise, in an arena for each thread, however large the requests of one minute were.
"""

import asyncio
import ctypes
import gc
import sys

from sqlalchemy.orm import configure_mappers

from server.core.jobs import JobEnvironment

GC_THRESHOLDS = 500, 4, 40
"""So many objects more, and so many looks at the younger ones: a look at the middle takes a millisecond."""
FREEZING_COLLECTIONS = 4
SECONDS = 30.0
"""How often `collect` is to be called."""

_is_frozen = False
_collections = 0


def _glibc() -> ctypes.CDLL | None:
    """The C library of this process, where it has `malloc_trim`; musl and macOS have not."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    return library if library is not None and hasattr(library, "malloc_trim") else None


_LIBRARY = _glibc()


def freeze_startup_objects() -> None:
    """Call it in a process that is ready to serve, and will go on doing so."""
    global _is_frozen
    _is_frozen = True
    configure_mappers()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()


async def collect(_env: JobEnvironment) -> None:
    """Nothing where nothing has settled, as in tests."""
    global _collections
    if not _is_frozen:
        return
    gc.collect()
    if _LIBRARY is not None:
        # Without the GIL, and milliseconds long; a thread's arena is locked while it is gone through.
        await asyncio.to_thread(_LIBRARY.malloc_trim, 0)
    _collections += 1
    if _collections <= FREEZING_COLLECTIONS:
        gc.freeze()
