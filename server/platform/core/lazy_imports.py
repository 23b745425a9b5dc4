"""Libraries that few requests need: imported in a thread, since an import on the event loop holds up all others."""

import asyncio
from importlib import import_module


async def load(*modules: str) -> None:
    """Imports modules that are not loaded yet, so that the caller's own import of them takes no time."""
    await asyncio.to_thread(_load, modules)


def _load(modules: tuple[str, ...]) -> None:
    for name in modules:
        import_module(name)
