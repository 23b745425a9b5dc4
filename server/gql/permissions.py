"""Who may call a field: each field of Query and Mutation declares one of these."""

from typing import cast

import strawberry
from strawberry.permission import BasePermission

from server.core.context import Context
from server.core.viewer import Access


class Declared(BasePermission):
    """What every field of Query and Mutation carries one of."""

    access: Access
    needs: str | None = None
    """What its fields' descriptions end with, so that nobody meets a refusal unwarned."""

    def has_permission(self, source: object, info: strawberry.Info, **kwargs: object) -> bool:
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
    """Open to one account."""

    access = Access.PRIMARY_ADMIN
    needs = "For the primary admin."


class RecentSignIn(BasePermission):
    """For acts that need a sign-in, or a reauthentication, of the last ten minutes: of an account with a second factor,
    one that used it. Stands after who may do them."""

    needs = "Needs a sign-in of the last ten minutes; `reauthenticate` renews it."

    def has_permission(self, source: object, info: strawberry.Info, **kwargs: object) -> bool:
        cast(Context, info.context).signed_in.require_recent_sign_in()
        return True


class RecentSignInForCredentials(RecentSignIn):
    """Declares that the service asks for a recent sign-in where credentials of an admin, or of an account with a second
    factor, change: what is given and who asks decide."""

    needs = (
        "For a new e-mail, password or provider an admin, or an account with a second factor, needs a sign-in of the "
        "last ten minutes; `reauthenticate` renews it."
    )

    def has_permission(self, source: object, info: strawberry.Info, **kwargs: object) -> bool:
        return True
