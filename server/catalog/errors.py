"""Errors of changes to the catalogue."""

from dataclasses import dataclass

from server.platform.core.errors import Conflict


@dataclass(eq=False)
class ChangedMeanwhile(Conflict):
    """The object differs from what the form showed; nothing was overwritten."""

    message: str = "Somebody else has changed this in the meantime. Nothing of yours is saved yet, and nothing lost."
