"""Who may call a field: every field of Query and Mutation declares one of these classes."""

from typing import cast

import strawberry
from strawberry.permission import BasePermission

from server.platform.core.context import Context
from server.platform.core.viewer import Access

RECENT_SIGN_IN = "no pause of 15 minutes since, and at most eight hours ago; `reauthenticate` renews it"


class Declared(BasePermission):
    """Base of the declarations of access."""

    access: Access
    needs: str | None = None
    """Appended to the descriptions of its fields, so that the requirement shows in GraphiQL."""

    def has_permission(self, source: object, info: strawberry.Info, **kwargs: object) -> bool:
        """Raises Unauthenticated or Forbidden; otherwise true."""
        self.access.check(cast(Context, info.context).viewer)
        return True


class Anyone(Declared):
    """Open to visitors."""

    access = Access.ANYONE


class SignedInOnly(Declared):
    """Open to shoppers with an account."""

    access = Access.SIGNED_IN
    needs = "Needs a session."


class AdminOnly(Declared):
    """Open to the back office."""

    access = Access.ADMIN
    needs = "For admins."


class PrimaryAdminOnly(Declared):
    """Open to the primary admin's account."""

    access = Access.PRIMARY_ADMIN
    needs = "For the primary admin."


class RecentSignIn(BasePermission):
    """Requires a recent sign-in or reauthentication: no idle time over 15 minutes since, and at most eight hours old.

    An account with a second factor must have used it. Listed after the class that defines who may call the field.
    """

    needs = f"Needs a recent sign-in: {RECENT_SIGN_IN}."

    def has_permission(self, source: object, info: strawberry.Info, **kwargs: object) -> bool:
        """Raises ReauthenticationRequired; otherwise true."""
        cast(Context, info.context).signed_in.require_recent_sign_in()
        return True


class RecentSignInWithoutPassword(RecentSignIn):
    """Declares that the service requires a recent sign-in of an account without a password."""

    needs = f"An account without a password needs a recent sign-in instead: {RECENT_SIGN_IN}."

    def has_permission(self, source: object, info: strawberry.Info, **kwargs: object) -> bool:
        """Always true; the service decides."""
        return True


class RecentSignInForCredentials(RecentSignIn):
    """Declares that the service itself requires a recent sign-in in some cases.

    Those are changes to credentials of admins and of accounts with a second factor; it depends on the arguments.
    """

    needs = (
        "For a new e-mail, password or provider an admin, or an account with a second factor, needs a recent sign-in: "
        f"{RECENT_SIGN_IN}."
    )

    def has_permission(self, source: object, info: strawberry.Info, **kwargs: object) -> bool:
        """Always true; the service decides."""
        return True
