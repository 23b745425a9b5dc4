"""Verification of Google's sign-in credentials."""

import asyncio
import re
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from server.identity.errors import GoogleRefused
from server.identity.rules import email_problem
from server.platform.core import tracing
from server.platform.core.errors import Unavailable
from server.platform.core.slots import release_slot

ISSUERS = ("accounts.google.com", "https://accounts.google.com")
CLOCK_SKEW_SECONDS = 10
LONGEST_LIFE_SECONDS = 86_400
"""Google's tokens last an hour. A used one is stored until it expires, so that must not be far off."""
SUBJECT = re.compile(r"[\x21-\x7e]{1,255}")
"""As Google documents it: at most 255 ASCII characters."""
REFETCH_SECONDS = 60
RETRY_SECONDS = 1
THREADS = 4
TIMEOUT_SECONDS = 5


@dataclass(frozen=True)
class GoogleIdentity:
    """What Google asserts about an account. `email` is verified by Google, in lower case."""

    subject: str
    email: str
    name: str
    expires_at: datetime


class GoogleVerifier:
    """Verifies credentials for one OAuth client. `certs_url` returns {kid: PEM certificate}."""

    def __init__(self, client_id: str, certs_url: str) -> None:
        self._client_id = client_id
        self._certs = _Certificates(certs_url)
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="google")

    async def verify(self, token: str) -> GoogleIdentity:
        """The identity in a credential. Raises GoogleRefused, or Unavailable without Google's certificates."""
        release_slot()
        with tracing.span("google", "client"):
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._verify, token)

    def _verify(self, token: str) -> GoogleIdentity:
        # Loaded with the first sign-in by Google, in its thread: the library takes 12 MB.
        from google.auth import exceptions

        try:
            return _identity(self._claims(token))
        except exceptions.TransportError as error:
            raise Unavailable("Google does not answer right now. Please try again in a moment.") from error
        except (ValueError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            # The library assumes that claims have the types that Google documents.
            raise GoogleRefused from error
        except exceptions.GoogleAuthError as error:
            raise GoogleRefused from error

    def _claims(self, token: str) -> Mapping[str, Any]:
        from google.auth import jwt
        from google.oauth2 import id_token

        self._certs.expect(jwt.decode_header(token).get("kid"))  # type: ignore[no-untyped-call]
        request: Any = self._certs
        return id_token.verify_token(
            token, request, self._client_id, self._certs.url, clock_skew_in_seconds=CLOCK_SKEW_SECONDS
        )


def _identity(claims: Mapping[str, Any]) -> GoogleIdentity:
    """Raises GoogleRefused unless the claims that google-auth does not check are valid."""
    subject, email, name, expiry = (claims.get(claim) for claim in ("sub", "email", "name", "exp"))
    if claims.get("iss") not in ISSUERS or claims.get("email_verified") is not True:
        raise GoogleRefused
    if not (isinstance(subject, str) and SUBJECT.fullmatch(subject) and isinstance(email, str)):
        raise GoogleRefused
    if type(expiry) is not int or not 0 <= expiry <= time.time() + LONGEST_LIFE_SECONDS or email_problem(email):
        raise GoogleRefused
    expires_at = datetime.fromtimestamp(expiry + CLOCK_SKEW_SECONDS, UTC)
    return GoogleIdentity(subject, email.lower(), name if isinstance(name, str) else "", expires_at)


@dataclass(frozen=True)
class _Document:
    """A response in the form that google-auth reads."""

    data: bytes
    stale_at: float
    status: int = 200


class _Certificates:
    """A google-auth transport for one document, cached as its Cache-Control allows; thread-safe."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._lock = Lock()
        self._cached: _Document | None = None
        self._fetched_at = float("-inf")
        self._failed_at = float("-inf")

    def expect(self, key_id: object) -> None:
        """Fetches the document anew for an unknown key, at most once a minute."""
        with self._lock:
            is_unknown = self._cached is not None and f'"{key_id}"'.encode() not in self._cached.data
            if is_unknown and time.monotonic() - self._fetched_at > REFETCH_SECONDS:
                self._cached = None

    def __call__(self, url: str, method: str = "GET", **_: object) -> _Document:
        with self._lock:
            if self._cached is None or self._cached.stale_at < time.monotonic():
                self._cached = self._fetch(url)
            return self._cached

    def _fetch(self, url: str) -> _Document:
        """Threads that waited for a failed attempt do not retry at once."""
        import httpx
        from google.auth import exceptions

        if time.monotonic() - self._failed_at < RETRY_SECONDS:
            raise exceptions.TransportError("certificates could not be had")  # type: ignore[no-untyped-call]
        self._fetched_at = time.monotonic()
        try:
            response = httpx.get(url, timeout=TIMEOUT_SECONDS).raise_for_status()
        except httpx.HTTPError as error:
            self._failed_at = time.monotonic()
            raise exceptions.TransportError("certificates cannot be had") from error  # type: ignore[no-untyped-call]
        age = re.search(r"max-age=(\d+)", response.headers.get("cache-control", ""))
        return _Document(response.content, stale_at=time.monotonic() + (int(age[1]) if age else 0))
