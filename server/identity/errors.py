"""Errors of identity."""

from dataclasses import dataclass
from typing import ClassVar

from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import InvalidInput, StoreError

TAKEN = "An account with this email already exists"


@dataclass(eq=False)
class InvalidCredentials(StoreError):
    """Unknown e-mail, wrong password, or an account without a password; the response does not distinguish them."""

    status: ClassVar[int] = 401
    code: ClassVar[ErrorCode] = ErrorCode.UNAUTHENTICATED

    def __str__(self) -> str:
        return "Invalid credentials"


@dataclass(eq=False)
class GoogleRefused(StoreError):
    """A Google credential that is invalid, for another client, unverified, or used before."""

    status: ClassVar[int] = 401
    code: ClassVar[ErrorCode] = ErrorCode.UNAUTHENTICATED

    def __str__(self) -> str:
        return "Google authentication failed"


@dataclass(eq=False)
class EmailTaken(InvalidInput):
    """Another account has this e-mail."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT

    def __init__(self) -> None:
        super().__init__({"email": TAKEN})


@dataclass(eq=False)
class LinkExpired(StoreError):
    """A mailed link that is too old, was replaced or used, or never existed."""

    def __str__(self) -> str:
        return "This link has expired or was already used."


@dataclass(eq=False)
class ProofRequired(StoreError):
    """A confirmation link was opened in a browser where the account was never signed in."""

    status: ClassVar[int] = 403
    code: ClassVar[ErrorCode] = ErrorCode.FORBIDDEN
    has_password: bool

    def __str__(self) -> str:
        if self.has_password:
            return "Please enter the password of the account to confirm that it is yours."
        return "Please sign in to the account in this browser, then open the link again."


@dataclass(eq=False)
class EmailNotConfirmed(StoreError):
    """An account is to become an admin whose e-mail is unconfirmed: it may be another person's."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    email: str

    def __str__(self) -> str:
        return f"Nobody has confirmed that {self.email} belongs to whoever uses this account."


@dataclass(eq=False)
class GoogleTaken(StoreError):
    """The Google account signs in to another account of the shop."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT

    def __str__(self) -> str:
        return "This Google account belongs to another account here."


@dataclass(eq=False)
class LastCredential(StoreError):
    """Without this credential the account could not be signed in to."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT

    def __str__(self) -> str:
        return "Please set a password first: nothing else would sign in to your account."


@dataclass(eq=False)
class AddressLimitReached(StoreError):
    """The account has as many addresses as the shop allows."""

    limit: int

    def __str__(self) -> str:
        return "You have reached the maximum number of addresses."


@dataclass(eq=False)
class FactorRefused(StoreError):
    """A code or passkey that is wrong, used before, or another account's; the response does not distinguish them."""

    status: ClassVar[int] = 401
    code: ClassVar[ErrorCode] = ErrorCode.UNAUTHENTICATED
    message: str = "This code is wrong or was used already."

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False)
class ChallengeExpired(StoreError):
    """A step of a sign-in that began too long ago or in another browser, or has failed too often."""

    status: ClassVar[int] = 401
    code: ClassVar[ErrorCode] = ErrorCode.UNAUTHENTICATED

    def __str__(self) -> str:
        return "This took too long or failed too often. Please start again."


@dataclass(eq=False)
class SecondFactorNeeded(StoreError):
    """The first factor was right, and the account has a second one.

    `methods` are values of `factors.held.FactorMethod`; `passkey_options` are set when passkeys are among them.
    """

    status: ClassVar[int] = 401
    code: ClassVar[ErrorCode] = ErrorCode.UNAUTHENTICATED
    challenge: str
    methods: list[str]
    passkey_options: str | None

    def __str__(self) -> str:
        return "This account has a second factor. Please send one of its codes as `code` too."


@dataclass(eq=False)
class PasskeyLimitReached(StoreError):
    """The account has the maximal number of passkeys."""

    limit: int

    def __str__(self) -> str:
        return f"An account has at most {self.limit} passkeys."
