"""Operations of the client's build, which requests name by the SHA-256 of their document (Apollo's persisted queries).

Nothing that a request sends is added to them.
"""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import orjson

from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import InvalidInput, StoreError

FILE = "client/dist/.persisted-queries.json"
"""In the format of Apollo's manifest; `client/codegen/manifest.js` writes it."""


@dataclass(eq=False)
class PersistedQueryNotFound(StoreError):
    """A request names a document by a hash that no operation has."""

    code: ClassVar[ErrorCode] = ErrorCode.PERSISTED_QUERY_NOT_FOUND

    def __str__(self) -> str:
        # Clients of Apollo's protocol compare this text, and send the whole document.
        return "PersistedQueryNotFound"


class PersistedOperation(NamedTuple):
    """A document of one operation."""

    text: str
    name: str
    type: str


class PersistedOperations:
    """The operations of one manifest by the hash of their document; none when there is no such file."""

    def __init__(self, manifest: Path) -> None:
        read: dict[str, Any] = orjson.loads(manifest.read_bytes()) if manifest.exists() else {}
        self.by_hash = {
            each["id"]: PersistedOperation(each["body"], each["name"], each["type"])
            for each in read.get("operations", [])
        }

    def document(self, text: object, extensions: object) -> object:
        """The document of a request: what it sends, or what it names by its hash.

        Raises PersistedQueryNotFound for an unknown hash, and InvalidInput for a document with the hash of another.
        """
        persisted = extensions.get("persistedQuery") if isinstance(extensions, dict) else None
        digest = persisted.get("sha256Hash") if isinstance(persisted, dict) else None
        if not isinstance(digest, str):
            return text
        if text is None:
            if digest.lower() not in self.by_hash:
                raise PersistedQueryNotFound
            return self.by_hash[digest.lower()].text
        if isinstance(text, str) and sha256(text.encode("utf-8", "surrogatepass")).hexdigest() != digest.lower():
            raise InvalidInput({"extensions": "The hash in persistedQuery is not that of the query"})
        return text
