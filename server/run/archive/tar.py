"""The files of a base backup, as pg_basebackup writes them into one stream."""

import json
import tarfile
from collections.abc import Iterator
from hashlib import sha256
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import IO, Any

from server.run.archive.sealed import BrokenBackup

MANIFEST = "backup_manifest"
READ_BYTES = 1 << 20


class _Stream(RawIOBase):
    """A file of the parts of a stream, for reading once."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self._held = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._held:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._held = part
        size = min(len(buffer), len(self._held))
        buffer[:size] = self._held[:size]
        self._held = self._held[size:]
        return size


def unpack(parts: Iterator[bytes], folder: Path) -> None:
    """Writes the files. Raises BrokenBackup."""
    # Python 3.11 has no filters before 3.11.4. These are files that this shop has encrypted itself.
    filters: dict[str, Any] = {"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}
    with _opened(parts) as tar:
        tar.extractall(folder, **filters)  # noqa: S202
    _read_to_end(parts)


def check(parts: Iterator[bytes]) -> None:
    """Compares every file with the list that PostgreSQL wrote at the end. Raises BrokenBackup."""
    digests: dict[str, str] = {}
    manifest = b""
    with _opened(parts) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() else None
            if file and member.name == MANIFEST:
                manifest = file.read()
            elif file:
                digests[member.name.removeprefix("./")] = _digest(file)
    _read_to_end(parts)
    if not manifest:
        raise BrokenBackup("A backup has no list of its files.")
    for listed in json.loads(manifest)["Files"]:
        path = listed.get("Path") or bytes.fromhex(listed["Encoded-Path"]).decode(errors="surrogateescape")
        if listed.get("Checksum-Algorithm") == "SHA256" and digests.get(path) != listed["Checksum"]:
            raise BrokenBackup(f"{path} is missing in a backup, or is not as it was written.")


def _opened(parts: Iterator[bytes]) -> tarfile.TarFile:
    return tarfile.open(fileobj=BufferedReader(_Stream(parts), READ_BYTES), mode="r|")


def _digest(file: IO[bytes]) -> str:
    digest = sha256()
    while part := file.read(READ_BYTES):
        digest.update(part)
    return digest.hexdigest()


def _read_to_end(parts: Iterator[bytes]) -> None:
    """What follows the end of the archive belongs to the file's authentication."""
    for _ in parts:
        pass
