"""Who is asking."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from uuid import UUID

from server.core.errors import Forbidden, ReauthenticationRequired, SecondFactorMissing, Unauthenticated

RECENT = timedelta(minutes=10)
"""How old a sign-in may be for acts that need a recent one."""
LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Role(Enum):
    """What an account may do; wire values are the specification's."""

    USER = "user"
    ADMIN = "admin"


@dataclass(frozen=True)
class Viewer:
    """The signed-in account behind a request, read from the database at each request."""

    user_id: UUID
    session_id: UUID
    email: str
    name: str
    role: Role
    is_primary: bool
    expires_at: datetime
    authenticated_at: datetime = LONG_AGO
    """When the session last proved who it is: at sign-in or at a reauthentication since."""
    has_second_factor: bool = False
    used_second_factor: bool = False
    """Whether the session itself has shown a second factor or a passkey, at sign-in or since."""
    lacks_second_factor: bool = False
    """An admin without a second factor in a shop that requires one: the back office is closed."""

    @property
    def is_admin(self) -> bool:
        """Whether the back office is open."""
        return self.role is Role.ADMIN and not self.lacks_second_factor

    def require_recent_sign_in(self) -> None:
        """For an account with a second factor, one that used it. Raises ReauthenticationRequired."""
        is_half = self.has_second_factor and not self.used_second_factor
        if is_half or datetime.now(UTC) - self.authenticated_at > RECENT:
            raise ReauthenticationRequired

    def require_recent_sign_in_for_credentials(self) -> None:
        """Before a password, e-mail or provider changes. Shoppers without a second factor change theirs at any time.

        Raises ReauthenticationRequired.
        """
        if self.role is Role.ADMIN or self.has_second_factor:
            self.require_recent_sign_in()


class Access(Enum):
    """Who may call a field or a route. Every one declares it; the app refuses to start when one does not."""

    ANYONE = "anyone"
    SIGNED_IN = "signed in"
    ADMIN = "admin"
    PRIMARY_ADMIN = "primary admin"

    def check(self, viewer: Viewer | None) -> None:
        """Raises Unauthenticated or Forbidden."""
        if self is Access.ANYONE:
            return
        if viewer is None:
            raise Unauthenticated
        if self is not Access.SIGNED_IN and viewer.lacks_second_factor:
            raise SecondFactorMissing
        if self is Access.ADMIN and not viewer.is_admin:
            raise Forbidden("Access Denied - Admin Only")
        if self is Access.PRIMARY_ADMIN and not viewer.is_primary:
            raise Forbidden("You lack privileges to use these controls")
