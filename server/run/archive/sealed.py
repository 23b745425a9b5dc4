"""Encryption of backup files as streams: AES-256-GCM in chunks, so that no file has to fit into memory.

Each file has a key of its own, derived from BACKUP_KEY and a random salt. The nonce of a chunk is its number and
whether it is the last, and the file's name is authenticated with each: a chunk that is missing, moved, or taken from
another file is noticed, and so is a file that was cut off or renamed.
"""

import secrets
import struct
from collections.abc import Iterable, Iterator

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from server.platform.processes.console import CommandRefused

MAGIC = b"MINIMAL1"
SALT_BYTES = 16
CHUNK_BYTES = 1 << 20
TAG_BYTES = 16


class BrokenBackup(CommandRefused):
    """A file of a backup was written with another key, or is not as it was written."""


def seal(parts: Iterable[bytes], key: bytes, name: str) -> Iterator[bytes]:
    """Encrypts a stream; parts may be of any size."""
    salt = secrets.token_bytes(SALT_BYTES)
    cipher = _cipher(key, salt)
    yield MAGIC + salt
    for number, (chunk, is_last) in enumerate(_with_last(_cut(parts, CHUNK_BYTES))):
        yield cipher.encrypt(_nonce(number, is_last), chunk, name.encode())


def unseal(parts: Iterable[bytes], key: bytes, name: str) -> Iterator[bytes]:
    """Decrypts what `seal` made under this name. Raises BrokenBackup, at the latest at the end of the stream."""
    stream = _cut(parts, CHUNK_BYTES + TAG_BYTES, first=len(MAGIC) + SALT_BYTES)
    head = next(stream, b"")
    if len(head) != len(MAGIC) + SALT_BYTES or not head.startswith(MAGIC):
        raise BrokenBackup(f"{name} is no file of a backup.")
    cipher = _cipher(key, head[len(MAGIC) :])
    is_whole = False
    for number, (chunk, is_last) in enumerate(_with_last(stream)):
        try:
            yield cipher.decrypt(_nonce(number, is_last), chunk, name.encode())
        except InvalidTag as error:
            raise BrokenBackup(f"{name} was written with another BACKUP_KEY, or is damaged.") from error
        is_whole = is_last
    if not is_whole:
        raise BrokenBackup(f"{name} is cut off.")


def _cipher(key: bytes, salt: bytes) -> AESGCM:
    return AESGCM(HKDF(SHA256(), 32, salt=salt, info=b"minimal backup").derive(key))


def _nonce(number: int, is_last: bool) -> bytes:
    return struct.pack(">3xQ?", number, is_last)


def _cut(parts: Iterable[bytes], size: int, first: int | None = None) -> Iterator[bytes]:
    """The stream in pieces of `size`, the last one shorter; an empty stream is one empty piece."""
    held, length, any_yet = bytearray(), size if first is None else first, False
    for part in parts:
        held += part
        while len(held) > length:
            yield bytes(held[:length])
            del held[:length]
            length, any_yet = size, True
    if held or not any_yet:
        yield bytes(held)


def _with_last(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    iterator = iter(pieces)
    held = next(iterator, None)
    while held is not None:
        following = next(iterator, None)
        yield held, following is None
        held = following
