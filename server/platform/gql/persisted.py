"""Operations of the client's build, which requests name by the SHA-256 of their document (Apollo's persisted queries).

Nothing that a request sends is added to them.
"""

from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from server.platform.core.errors import InvalidInput

FILE = "client/dist/.persisted-queries.json"
"""In the format of Apollo's manifest; `client/codegen/manifest.js` writes it."""
NOT_FOUND = {
    "data": None,
    "errors": [{"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}],
}
"""The response after which Apollo's clients send the whole document."""


class PersistedQueryNotFound(Exception):
    """A request names a document by a hash that no operation has."""


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
