"""Whether all processes of a shop keep pictures in one place.

Each names its place in the `application_name` of its LISTEN connection. So the database lists it as long as the process
lives, and no longer, with nothing to write down or to tidy up. A folder is identified by an id in it: hosts may
share one over a network, and two containers of one host may each have their own.
"""

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from uuid import uuid4

from server.config import Settings

PLACES = r"""
SELECT DISTINCT substring(application_name FROM ', pictures (\w+)$') FROM pg_stat_activity
WHERE datname = current_database() AND application_name ~ ', pictures \w+$'
"""
"""Where the processes that there are keep pictures."""


def image_folder(settings: Settings) -> Path:
    """Where images are stored unless a bucket is set."""
    return Path(settings.shop_data).absolute() / "images"


def place_of(settings: Settings) -> str:
    """A short name, the same for processes that keep pictures in the same place."""
    place = settings.images_url.rstrip("/") or _folder_id(settings.shop_data)
    return sha256(place.encode()).hexdigest()[:16]


def _folder_id(folder: Path) -> str:
    """Made at its first use, by one of the processes that ask at once."""
    file = folder.absolute() / "folder.id"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=file.parent, prefix="folder.id.") as temporary:
            temporary.write(uuid4().hex)
            temporary.flush()
            with suppress(FileExistsError):
                os.link(temporary.name, file)
    return file.read_text()
