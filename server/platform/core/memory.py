"""Gives free memory back to the system, which glibc would keep in each thread's arena."""

import ctypes
import sys


def _glibc() -> ctypes.CDLL | None:
    """The process's C library if it has `malloc_trim`, as glibc does; None on musl and macOS."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    return library if library is not None and hasattr(library, "malloc_trim") else None


_LIBRARY = _glibc()


def release_free_memory() -> None:
    """Takes milliseconds and releases the GIL, but locks a thread's arena meanwhile. Does nothing without glibc."""
    if _LIBRARY is not None:
        _LIBRARY.malloc_trim(0)
