"""Errors that the shop expects. Each is a plain fact, and its text is for the person who meets it."""

from dataclasses import dataclass, field
from math import ceil
from typing import Any, ClassVar

from server.platform.core.error_codes import ErrorCode


class StoreError(Exception):
    """Base of every expected error.

    `status` is the HTTP status of REST, `code` is GraphQL's `extensions.code` for errors that a user cannot act on;
    `field` names the invalid input, where there is one.
    """

    status: ClassVar[int] = 400
    code: ClassVar[ErrorCode] = ErrorCode.BAD_USER_INPUT
    field: str | None = None

    @property
    def extensions(self) -> dict[str, Any]:
        """What GraphQL's `extensions` say of it: the code, and what a client can act on."""
        return {"code": self.code, **({"fields": {self.field: str(self)}} if self.field else {})}

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the HTTP response."""
        return {}


class SafeMessage:
    """Mixin for exceptions whose text names no person and holds no secret: it may be stored and shown to an admin."""


@dataclass(eq=False)
class InvalidInput(StoreError):
    """Input that breaks a rule: one message for each field, in the order of the form."""

    errors: dict[str, str]

    def __str__(self) -> str:
        return next(iter(self.errors.values()))

    @property
    def extensions(self) -> dict[str, Any]:
        """The code, and the message of each field."""
        return {"code": self.code, "fields": self.errors}


@dataclass(eq=False)
class Unauthenticated(StoreError):
    """The request needs a signed-in account."""

    status: ClassVar[int] = 401
    code: ClassVar[ErrorCode] = ErrorCode.UNAUTHENTICATED
    message: str = "Please sign in."

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class Forbidden(StoreError):
    """The account lacks the role that the request needs."""

    status: ClassVar[int] = 403
    code: ClassVar[ErrorCode] = ErrorCode.FORBIDDEN
    message: str = "You are not allowed to do this."

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class ReauthenticationRequired(StoreError):
    """The session's last sign-in is too old for this operation."""

    status: ClassVar[int] = 403
    code: ClassVar[ErrorCode] = ErrorCode.REAUTHENTICATION_REQUIRED

    def __str__(self) -> str:
        return "Please confirm that it is you, by signing in again."


@dataclass(eq=False)
class SecondFactorMissing(StoreError):
    """An admin of a shop that requires a second factor has not set one up."""

    status: ClassVar[int] = 403
    code: ClassVar[ErrorCode] = ErrorCode.SECOND_FACTOR_MISSING

    def __str__(self) -> str:
        return "Admins of this shop sign in with a second factor. Please set one up in your account first."


@dataclass(eq=False)
class NotFound(StoreError):
    """The object does not exist or belongs to another account; the response does not distinguish them."""

    status: ClassVar[int] = 404
    code: ClassVar[ErrorCode] = ErrorCode.NOT_FOUND
    what: str = "This"

    def __str__(self) -> str:
        return f"{self.what} does not exist."


@dataclass(eq=False)
class Conflict(StoreError):
    """Refused because of the present state; the same request may succeed after a reload."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    message: str = "This has changed in the meantime."

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class TooManyRequests(StoreError):
    """A rate limit is exhausted. `retry_after` is in seconds."""

    status: ClassVar[int] = 429
    code: ClassVar[ErrorCode] = ErrorCode.RATE_LIMITED
    retry_after: int = field(default=60)
    policy: str = ""
    """Name of the limit, which allows `most` attempts in `seconds`; empty when it is not known."""
    most: int = 0
    seconds: int = 0

    def __str__(self) -> str:
        return f"Too many attempts. Please try again in {duration(self.retry_after)}."

    @property
    def extensions(self) -> dict[str, Any]:
        """The code, and the seconds to wait."""
        return {**super().extensions, "retryAfter": self.retry_after}

    @property
    def headers(self) -> dict[str, str]:
        """Retry-After, and the policy if known: draft-ietf-httpapi-ratelimit-headers."""
        headers = {"retry-after": str(self.retry_after)}
        if self.policy:
            headers["ratelimit-policy"] = f'"{self.policy}";q={self.most};w={self.seconds}'
            headers["ratelimit"] = f'"{self.policy}";r=0;t={self.retry_after}'
        return headers


@dataclass(eq=False)
class TooLarge(StoreError):
    """A request or file that exceeds its limit."""

    status: ClassVar[int] = 413
    code: ClassVar[ErrorCode] = ErrorCode.TOO_LARGE
    message: str = "This is too large."

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class Unavailable(StoreError):
    """Something that the shop depends on does not respond."""

    status: ClassVar[int] = 503
    code: ClassVar[ErrorCode] = ErrorCode.UNAVAILABLE
    message: str = "The shop cannot answer right now. Please try again in a moment."
    retry_after: int = 2

    def __str__(self) -> str:
        return self.message

    @property
    def headers(self) -> dict[str, str]:
        """Retry-After."""
        return {"retry-after": str(self.retry_after)}


@dataclass(eq=False)
class MethodNotAllowed(StoreError):
    """The URL has no such method (RFC 9110, 15.5.6); `allowed` are those that it has."""

    status: ClassVar[int] = 405
    code: ClassVar[ErrorCode] = ErrorCode.METHOD_NOT_ALLOWED
    allowed: frozenset[str]
    message: str = "Method not allowed"

    def __str__(self) -> str:
        return self.message

    @property
    def headers(self) -> dict[str, str]:
        """Allow."""
        return {"allow": ", ".join(sorted(self.allowed))}


@dataclass(eq=False)
class NotAcceptable(StoreError):
    """The client accepts no media type in which there is a response (RFC 9110, 15.5.7)."""

    status: ClassVar[int] = 406
    code: ClassVar[ErrorCode] = ErrorCode.NOT_ACCEPTABLE
    media_types: tuple[str, ...]

    def __str__(self) -> str:
        return f"Responses are {' or '.join(self.media_types)}: none of these is in the Accept header."


def duration(seconds: int) -> str:
    """Rounded up: "40 seconds", "5 minutes", "3 hours"."""
    for unit, length in (("hour", 3_600), ("minute", 60)):
        if seconds > length:
            return f"{ceil(seconds / length)} {unit}s"
    return "a minute" if seconds == 60 else f"{seconds} second{'s' * (seconds != 1)}"
