"""Encryption of secrets in the database, so that a copy of the database does not reveal them."""

import os
import secrets
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from server.platform.core.lazy_imports import load

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_FILE = "secret.key"
NONCE_BYTES = 12
LIBRARY = tuple(f"cryptography.hazmat.primitives.{module}" for module in ("ciphers.aead", "hashes", "kdf.hkdf"))


class Unsealable(Exception):
    """The value was sealed with another key or for another owner, or has been changed since."""


class Sealer:
    """AES-256-GCM with a key derived from `secret`; where that is empty, from a file that is made when first needed."""

    def __init__(self, secret: str, file: Path) -> None:
        self._secret = secret
        self._file = file

    async def load(self) -> None:
        """Loads the library in a thread, before the event loop seals or opens: it takes 7 MB and some 50 ms."""
        await load(*LIBRARY)

    def seal(self, secret: bytes, *, owner: bytes) -> bytes:
        """Encrypts a secret so that it can be opened only for the same owner."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, secret, owner)

    def open(self, sealed: bytes, *, owner: bytes) -> bytes:
        """Decrypts a sealed value. Raises Unsealable."""
        from cryptography.exceptions import InvalidTag

        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], owner)
        except (InvalidTag, ValueError) as error:
            raise Unsealable from error

    def can_open(self, sealed: bytes, *, owner: bytes) -> bool:
        """Whether it was sealed with this key, for this owner."""
        try:
            self.open(sealed, owner=owner)
        except Unsealable:
            return False
        return True

    @cached_property
    def _cipher(self) -> "AESGCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        material = self._secret.encode() or _kept_key(self._file)
        return AESGCM(HKDF(SHA256(), 32, salt=None, info=b"minimal sealing").derive(material))


def _kept_key(file: Path) -> bytes:
    """The key file's content. When several processes create it at the same moment, all use the first one's."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        own = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
        descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as written:
                written.write(secrets.token_urlsafe(48).encode())
                written.flush()
                os.fsync(descriptor)
            with suppress(FileExistsError):
                os.link(own, file)
        finally:
            own.unlink()
    return file.read_bytes()
