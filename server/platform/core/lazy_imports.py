"""Libraries that few requests need: imported in a thread, since an import on the event loop holds up all others."""

import asyncio
from importlib import import_module

_loaded: set[str] = set()
"""A module is in `sys.modules` before its import has ended, and who imports it then waits, so that is no sign."""


async def load(*modules: str) -> None:
    """Imports modules that are not loaded yet, so that the caller's own import of them takes no time."""
    if not _loaded.issuperset(modules):
        await asyncio.to_thread(_load, modules)


def _load(modules: tuple[str, ...]) -> None:
    for name in modules:
        import_module(name)
    _loaded.update(modules)
