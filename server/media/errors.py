"""Errors of images."""

from dataclasses import dataclass

from server.platform.core.errors import StoreError, Unavailable


@dataclass(eq=False)
class UnusableImage(StoreError):
    """An upload that is not an accepted image; nothing of it is stored."""

    reason: str
    field: str | None = "image"

    def __str__(self) -> str:
        return f"This picture {self.reason}."


@dataclass(eq=False)
class NoRoom(Unavailable):
    """The disk of the image store is full."""

    message: str = "There is no room for another picture."
    retry_after: int = 60


@dataclass(eq=False)
class StorageUnavailable(Unavailable):
    """The bucket of the files does not respond."""
