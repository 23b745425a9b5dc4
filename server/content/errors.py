"""Errors of changes to pages."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.platform.core.errors import Conflict


@dataclass(eq=False)
class DocumentChanged(Conflict):
    """The draft differs from what the form showed; nothing was overwritten. `differences` name its parts."""

    message: str = "Somebody else has changed this in the meantime. Nothing of yours is saved yet, and nothing lost."
    differences: Sequence[str] = field(default=())
