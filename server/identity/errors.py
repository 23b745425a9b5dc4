"""What identity refuses."""

from dataclasses import dataclass
from typing import ClassVar

from server.core.errors import InvalidInput, StoreError


@dataclass(eq=False)
class InvalidCredentials(StoreError):
    """Unknown e-mail, wrong password, or an account without a password: never told apart."""

    status: ClassVar[int] = 401
    code: ClassVar[str] = "UNAUTHENTICATED"

    def __str__(self) -> str:
        return "Invalid credentials"


@dataclass(eq=False)
class GoogleRefused(StoreError):
    """A Google token that is not valid, not for this shop, not verified or used before."""

    status: ClassVar[int] = 401
    code: ClassVar[str] = "UNAUTHENTICATED"

    def __str__(self) -> str:
        return "Google authentication failed"


@dataclass(eq=False)
class EmailTaken(InvalidInput):
    """Another account has this e-mail."""

    status: ClassVar[int] = 409
    code: ClassVar[str] = "CONFLICT"

    def __init__(self) -> None:
        super().__init__({"email": "An account with this email already exists"})


@dataclass(eq=False)
class LinkExpired(StoreError):
    """A link from a mail that is too old, was replaced, used or never sent."""

    def __str__(self) -> str:
        return "This link has expired or was already used."


@dataclass(eq=False)
class AddressLimitReached(StoreError):
    limit: int

    def __str__(self) -> str:
        return "You have reached the maximum number of addresses."
