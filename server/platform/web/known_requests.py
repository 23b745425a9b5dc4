"""Visitors' requests that were answered from a cache before, found by their bytes alone.

Whoever asks the same again gets the cached response, if it is still current, before the request is parsed.
"""

from hashlib import sha256
from typing import Protocol

from starlette.responses import Response
from starlette.types import Scope

from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.web.headers import header

KNOWN_BYTES = 4_000_000
REQUEST_BYTES = 300
"""Estimated bytes of a known request beside its digest: the key of the response, and how it is sent."""
RESPONSE = "known_response"
"""Where the scope of a request holds the response that was found for it."""
BODY = "whole_body"
"""Where it holds the body, if all of that was read ahead."""
DIGEST = "known_digest"
"""Where it holds what the request is known by."""


class FindResponse(Protocol):
    """Looks a response up."""

    def __call__(self) -> Response | None:
        """The current response; None when it has to be made or renewed, which the ordinary way does."""


class KnownRequests:
    """Remembers which cached response each request got. It holds no response, and never a request's text.

    A request with a session cookie is not looked up, since only the database knows whose it is.
    """

    def __init__(self, session_cookie: str) -> None:
        self._cookie = session_cookie.encode()
        self._found = ByteLimitedCache[bytes, FindResponse]("known requests", KNOWN_BYTES)

    def find(self, scope: Scope, body: bytes) -> FindResponse | None:
        """The known request that this is. `body` is whole."""
        digest = scope[DIGEST] = self._digest(scope, body)
        return None if digest is None else self._found.get(digest)

    def remember(self, scope: Scope, body: bytes, response: FindResponse) -> None:
        """Has the same request find this response from now on."""
        digest = scope[DIGEST] if DIGEST in scope else self._digest(scope, body)
        if digest is not None:
            self._found.put(digest, response, REQUEST_BYTES)

    def _digest(self, scope: Scope, body: bytes) -> bytes | None:
        method, headers = scope["method"], scope["headers"]
        if method != "GET" and (method, scope["path"]) != ("POST", "/graphql"):
            return None
        if any(name == b"cookie" and self._cookie in value for name, value in headers):
            return None
        coding = header(scope, b"accept-encoding") or b""
        # Pages have one media type.
        media_types = (header(scope, b"accept") or b"") if scope["path"] == "/graphql" else b""
        parts = (method.encode(), scope["path"].encode(), scope["query_string"], coding, media_types, body)
        # The lengths keep two requests apart whose parts are divided differently.
        return sha256(b"%d,%d,%d,%d,%d," % tuple(map(len, parts[:5])) + b"".join(parts)).digest()
