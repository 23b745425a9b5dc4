"""The store of files: a folder, or an S3 bucket."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, S3Store, from_url

from server.media.errors import NoRoom, StorageUnavailable
from server.platform.core.errors import TooLarge

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig, S3Config

_CLIENT: "ClientConfig" = {"connect_timeout": "2s", "timeout": "20s"}
_RETRIES: "RetryConfig" = {"max_retries": 2, "retry_timeout": timedelta(seconds=5)}
"""obstore's own would keep a request for three minutes."""


_NOBODY: "S3Config" = {"access_key_id": "nobody", "secret_access_key": "nothing"}


def bucket(url: str, config: "S3Config | None" = None) -> ObjectStore:
    """A bucket, with credentials from the environment, that says within seconds when it does not respond."""
    # obstore would read it itself, but not beside options of ours.
    plain = os.environ.get("AWS_ALLOW_HTTP", "").lower() == "true"
    return from_url(url, config=config, client_options={**_CLIENT, "allow_http": plain}, retry_config=_RETRIES)


def address_of(url: str, folder: str) -> str:
    """What the signed URLs of all files in a folder of the bucket begin with. Needs neither network nor credentials."""
    signed = obstore.sign(_of_s3(bucket(url, _NOBODY)), "PUT", f"{folder}/file", timedelta(seconds=1))
    return signed.partition("?")[0].removesuffix("file")


class FileStore:
    """Files by key. Writes are atomic: a reader sees the whole file or none.

    Every method raises StorageUnavailable when the bucket does not respond.
    """

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    @classmethod
    def open(cls, url: str, folder: Path) -> "FileStore":
        """The bucket of the URL (credentials from the environment), else the folder, created when missing."""
        return cls(bucket(url) if url else LocalStore(folder, mkdir=True))

    async def put(self, key: str, data: bytes) -> None:
        """Writes a file. Raises NoRoom when the disk is full."""
        with _own_errors():
            await self._store.put_async(key, data)

    async def get(self, key: str, max_bytes: int | None = None) -> bytes | None:
        """A file's content; None when it does not exist. Raises TooLarge, without reading it, above `max_bytes`."""
        with _own_errors():
            try:
                result = await self._store.get_async(key)
                if max_bytes is not None and result.meta["size"] > max_bytes:
                    raise TooLarge
                return bytes(await result.bytes_async())
            except FileNotFoundError:
                return None

    async def sign_put(self, key: str, lifetime: timedelta) -> str:
        """A URL at which any client may write this file, of any size, until it expires. Only for a bucket of S3."""
        with _own_errors():
            return await obstore.sign_async(_of_s3(self._store), "PUT", key, lifetime)

    async def exists(self, key: str) -> bool:
        """Whether there is a file with this key."""
        with _own_errors():
            try:
                await self._store.head_async(key)
            except FileNotFoundError:
                return False
            return True

    async def delete(self, key: str) -> None:
        """Deletes a file; has no effect when it does not exist."""
        with _own_errors():
            try:
                await self._store.delete_async(key)
            except FileNotFoundError:
                return

    async def written(self, prefix: str) -> dict[str, datetime]:
        """The files below a prefix, with the moment when each was last written."""
        with _own_errors():
            files = await self._store.list(prefix).collect_async()
            return {each["path"]: each["last_modified"] for each in files}


def _of_s3(store: ObjectStore) -> S3Store:
    if not isinstance(store, S3Store):
        raise TypeError("Only URLs of a bucket of S3 can be signed.")
    return store


@contextmanager
def _own_errors() -> Iterator[None]:
    try:
        yield
    except BaseError as error:
        # obstore passes on only the text of the operating system's errors.
        if any(f"(os error {code})" in str(error) for code in (errno.ENOSPC, errno.EDQUOT)):
            raise NoRoom from error
        raise StorageUnavailable from error
