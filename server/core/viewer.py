"""Who is asking."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from uuid import UUID


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
