"""Who is asking."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from uuid import UUID

from server.core.errors import Forbidden, Unauthenticated


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

    @property
    def is_admin(self) -> bool:
        return self.role is Role.ADMIN


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
        if self is Access.ADMIN and not viewer.is_admin:
            raise Forbidden("Access Denied - Admin Only")
        if self is Access.PRIMARY_ADMIN and not viewer.is_primary:
            raise Forbidden("You lack privileges to use these controls")
