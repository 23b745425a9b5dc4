"""Errors that the shop expects. Each is a plain fact, and its text is for the person who meets it."""

from dataclasses import dataclass, field
from math import ceil
from typing import ClassVar


class StoreError(Exception):
    """Base of every expected error.

    `status` is the HTTP status of REST, `code` is GraphQL's `extensions.code` for errors that a user cannot act on;
    `field` names the invalid input, where there is one.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "BAD_USER_INPUT"
    field: str | None = None


class SafeMessage:
    """Mixin for exceptions whose text names no person and holds no secret: it may be stored and shown to an admin."""


@dataclass(eq=False)
class InvalidInput(StoreError):
    """Input that breaks a rule: one message for each field, in the order of the form."""

    errors: dict[str, str]

    def __str__(self) -> str:
        return next(iter(self.errors.values()))


@dataclass(eq=False)
class Unauthenticated(StoreError):
    """The request needs a signed-in account."""

    status: ClassVar[int] = 401
    code: ClassVar[str] = "UNAUTHENTICATED"
    message: str = "Please sign in."

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class Forbidden(StoreError):
    """The account lacks the role that the request needs."""

    status: ClassVar[int] = 403
    code: ClassVar[str] = "FORBIDDEN"
    message: str = "You are not allowed to do this."

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class ReauthenticationRequired(StoreError):
    """The session's last sign-in is too old for this operation."""

    status: ClassVar[int] = 403
    code: ClassVar[str] = "REAUTHENTICATION_REQUIRED"

    def __str__(self) -> str:
        return "Please confirm that it is you, by signing in again."


@dataclass(eq=False)
class SecondFactorMissing(StoreError):
    """An admin of a shop that requires a second factor has not set one up."""

    status: ClassVar[int] = 403
    code: ClassVar[str] = "SECOND_FACTOR_MISSING"

    def __str__(self) -> str:
        return "Admins of this shop sign in with a second factor. Please set one up in your account first."


@dataclass(eq=False)
class NotFound(StoreError):
    """The object does not exist or belongs to another account; the response does not distinguish them."""

    status: ClassVar[int] = 404
    code: ClassVar[str] = "NOT_FOUND"
    what: str = "This"

    def __str__(self) -> str:
        return f"{self.what} does not exist."


@dataclass(eq=False)
class Conflict(StoreError):
    """Refused because of the present state; the same request may succeed after a reload."""

    status: ClassVar[int] = 409
    code: ClassVar[str] = "CONFLICT"
    message: str = "This has changed in the meantime."

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class TooManyRequests(StoreError):
    """A rate limit is exhausted. `retry_after` is in seconds."""

    status: ClassVar[int] = 429
    code: ClassVar[str] = "RATE_LIMITED"
    retry_after: int = field(default=60)
    policy: str = ""
    """Name of the limit, which allows `most` attempts in `seconds`; empty when it is not known."""
    most: int = 0
    seconds: int = 0

    def __str__(self) -> str:
        return f"Too many attempts. Please try again in {duration(self.retry_after)}."


@dataclass(eq=False)
class TooLarge(StoreError):
    """A request or file that exceeds its limit."""

    status: ClassVar[int] = 413
    code: ClassVar[str] = "TOO_LARGE"
    message: str = "This is too large."

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class Unavailable(StoreError):
    """Something that the shop depends on does not respond."""

    status: ClassVar[int] = 503
    code: ClassVar[str] = "UNAVAILABLE"
    message: str = "The shop cannot answer right now. Please try again in a moment."
    retry_after: int = 2

    def __str__(self) -> str:
        return self.message


def duration(seconds: int) -> str:
    """Rounded up: "40 seconds", "5 minutes", "3 hours"."""
    for unit, length in (("hour", 3_600), ("minute", 60)):
        if seconds > length:
            return f"{ceil(seconds / length)} {unit}s"
    return "a minute" if seconds == 60 else f"{seconds} second{'s' * (seconds != 1)}"
