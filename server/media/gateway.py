"""The store of image files: a folder, or an S3 bucket."""

import errno
from pathlib import Path

from obstore.exceptions import GenericError
from obstore.store import LocalStore, ObjectStore, from_url

from server.media.errors import NoRoom


class ImageStore:
    """Files by key. Writes are atomic: a reader sees the whole file or none."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    @classmethod
    def open(cls, images_url: str, folder: Path) -> "ImageStore":
        """The bucket of the URL (credentials from the environment), else the folder, created when missing."""
        if images_url:
            return cls(from_url(images_url))
        return cls(LocalStore(folder, mkdir=True))

    async def put(self, key: str, data: bytes) -> None:
        """Writes a file. Raises NoRoom when the disk is full."""
        try:
            await self._store.put_async(key, data)
        except GenericError as error:
            # obstore passes on only the text of the operating system's errors.
            if any(f"(os error {code})" in str(error) for code in (errno.ENOSPC, errno.EDQUOT)):
                raise NoRoom from error
            raise

    async def get(self, key: str) -> bytes | None:
        """A file's content; None when it does not exist."""
        try:
            found = await self._store.get_async(key)
            return bytes(await found.bytes_async())
        except FileNotFoundError:
            return None

    async def exists(self, key: str) -> bool:
        """Whether there is a file with this key."""
        try:
            await self._store.head_async(key)
        except FileNotFoundError:
            return False
        return True

    async def delete(self, key: str) -> None:
        """Deletes a file; has no effect when it does not exist."""
        try:
            await self._store.delete_async(key)
        except FileNotFoundError:
            return
