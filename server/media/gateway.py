"""The store of picture files: a folder, or a bucket at a provider."""

import errno
from pathlib import Path

from obstore.exceptions import GenericError
from obstore.store import LocalStore, ObjectStore, from_url

from server.media.errors import NoRoom


class ImageStore:
    """Files by key. Writing a key is atomic: a reader sees the whole file or none."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    @classmethod
    def open(cls, images_url: str, folder: Path) -> "ImageStore":
        """The bucket that the URL names (credentials from the environment), else the folder, made when missing."""
        if images_url:
            return cls(from_url(images_url))
        return cls(LocalStore(folder, mkdir=True))

    async def put(self, key: str, data: bytes) -> None:
        """Raises NoRoom when the disk is full."""
        try:
            await self._store.put_async(key, data)
        except GenericError as error:
            # Of the operating system's errors the store passes on the text alone.
            if any(f"(os error {code})" in str(error) for code in (errno.ENOSPC, errno.EDQUOT)):
                raise NoRoom from error
            raise

    async def get(self, key: str) -> bytes | None:
        """None when there is no such file."""
        try:
            found = await self._store.get_async(key)
            return bytes(await found.bytes_async())
        except FileNotFoundError:
            return None

    async def exists(self, key: str) -> bool:
        try:
            await self._store.head_async(key)
        except FileNotFoundError:
            return False
        return True

    async def delete(self, key: str) -> None:
        """Deleting what is not there is no error."""
        try:
            await self._store.delete_async(key)
        except FileNotFoundError:
            return
