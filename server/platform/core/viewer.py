"""The signed-in account of a request, and who may call what."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from uuid import UUID

from server.platform.core import clock
from server.platform.core.errors import Forbidden, ReauthenticationRequired, SecondFactorMissing, Unauthenticated

IDLE = timedelta(minutes=16)
"""A sign-in is recent until a pause longer than this: 15 minutes, and the one within which activity is recorded."""
RECENT = timedelta(hours=8)
"""Maximal age of a sign-in for operations that need a recent one, however busy its session is."""
LONG_AGO = datetime.min.replace(tzinfo=UTC)


class Role(Enum):
    """What an account may do; the values are the specification's."""

    USER = "user"
    ADMIN = "admin"


@dataclass(frozen=True)
class Viewer:
    """The signed-in account of a request, read from the database each time."""

    user_id: UUID
    session_id: UUID
    email: str
    name: str
    role: Role
    is_primary: bool
    expires_at: datetime
    authenticated_at: datetime = LONG_AGO
    """When the session last authenticated: at its sign-in, or at a later reauthentication."""
    active_at: datetime = LONG_AGO
    """The last request that counts as activity, to a minute; requests after a pause longer than IDLE do not."""
    has_second_factor: bool = False
    used_second_factor: bool = False
    """Whether this session has used a second factor or a passkey."""
    lacks_second_factor: bool = False
    """True for an admin without a second factor in a shop that requires one; the back office is closed."""

    @property
    def is_admin(self) -> bool:
        """Whether the back office is open to this account."""
        return self.role is Role.ADMIN and not self.lacks_second_factor

    def require_recent_sign_in(self) -> None:
        """Raises ReauthenticationRequired without a recent sign-in; with a second factor, if the account has one."""
        is_half = self.has_second_factor and not self.used_second_factor
        now = clock.now()
        if is_half or now - self.active_at > IDLE or now - self.authenticated_at > RECENT:
            raise ReauthenticationRequired

    def require_recent_sign_in_for_credentials(self) -> None:
        """The same before a password, e-mail or provider changes; shoppers without a second factor are exempt.

        Raises ReauthenticationRequired.
        """
        if self.role is Role.ADMIN or self.has_second_factor:
            self.require_recent_sign_in()


class Access(Enum):
    """Who may call a field or a route. Each declares it; the app refuses to start when one does not."""

    ANYONE = "anyone"
    SIGNED_IN = "signed in"
    ADMIN = "admin"
    PRIMARY_ADMIN = "primary admin"

    def check(self, viewer: Viewer | None) -> None:
        """Raises Unauthenticated, SecondFactorMissing or Forbidden when the viewer may not."""
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
