"""Where tests keep what they throw away."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_MEMORY = Path("/dev/shm")
_ENOUGH = 2_000_000_000


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that every user may pass through; in memory if it fits there, where making databases is far quicker."""
    roomy = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ENOUGH
    with TemporaryDirectory(prefix="minimal-", dir=_MEMORY if roomy else None, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
