"""When a process that serves looks for garbage: whoever asks just then waits until it has been through everything.

What the modules, the schema and the first minutes have made stays for good, and is never looked through again. What is
young is looked through often and soon done; all the rest twice a minute, and in between only where much has come
together, as in a flood of refused documents: memory stays flat.
"""

import gc

from sqlalchemy.orm import configure_mappers

from server.core.jobs import Env

YOUNG, MIDDLE, OLD = 500, 4, 40
"""So many objects more, and so many looks at the younger ones: a look at the middle takes a millisecond."""
FIRST_LOOKS = 4
SECONDS = 30.0
"""How often `collect` is to be called."""

_settled = False
_looks = 0


def settle() -> None:
    """Call it in a process that is ready to serve, and will go on doing so."""
    global _settled
    _settled = True
    configure_mappers()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)


async def collect(_env: Env) -> None:
    """Nothing where nothing has settled, as in tests."""
    global _looks
    if not _settled:
        return
    gc.collect()
    _looks += 1
    if _looks <= FIRST_LOOKS:
        gc.freeze()
