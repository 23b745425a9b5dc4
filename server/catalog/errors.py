"""Why a change of the catalogue is refused."""

from dataclasses import dataclass

from server.core.errors import Conflict


@dataclass(eq=False)
class ChangedMeanwhile(Conflict):
    """What is to be changed is no longer what was looked at; nothing has been written over."""

    message: str = "Somebody else has changed this in the meantime. Nothing of yours is saved yet, and nothing lost."
