"""Accounts in the back office: listing, roles, and their sessions.

`IdentityAdminFields` and `IdentityUserFields` are this domain's parts of the types Admin and User; domains above add
theirs, server.schema combines them, and results here refer to the whole types by name.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, TypeAlias
from uuid import UUID

import strawberry

from server.audit import service as audit
from server.identity import admins, errors, models
from server.identity import service as identity
from server.identity.addresses_graphql import Address
from server.identity.factors import administration
from server.identity.graphql import MODULE, RoleName, Session
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.cursors import datetime_key, decode_cursor
from server.platform.core.db import begin
from server.platform.core.text import parse_id
from server.platform.gql.pagination import After, Connection, First, connection
from server.platform.gql.permissions import AdminOnly, Anyone, PrimaryAdminOnly, RecentSignIn
from server.platform.gql.types import Info, Success, UserError


@strawberry.type
class IdentityUserFields:
    """The identity fields of the type User."""

    id: strawberry.ID = strawberry.field(description="The account's id.")
    name: str = strawberry.field(description="Full name.")
    email: str = strawberry.field(description="In lower case.")
    role: RoleName = strawberry.field(description="What the account may do.")
    is_primary_admin: bool = strawberry.field(description="Cannot be demoted or deleted by anybody.")
    email_verified: bool = strawberry.field(
        description="Whether the link mailed to this address was opened. Otherwise it may be another person's."
    )
    admin_request: bool = strawberry.field(description="Asked for admin access and waits.")
    created_at: datetime = strawberry.field(description="When the account was made.")

    @strawberry.field(description="Where the account has parcels sent, oldest first. One statement for a whole page.")
    async def addresses(self, info: Info) -> list[Address]:
        rows = await info.context.load(identity.addresses_of_users, UUID(self.id))
        return [Address.of(row) for row in rows or []]

    @strawberry.field(
        description="Browsers that are signed in, the most recently used first. One statement for a whole page."
    )
    async def sessions(self, info: Info) -> list[Session]:
        rows = await info.context.load(identity.sessions_of_users, UUID(self.id))
        return [Session.of(row, info.context.signed_in) for row in rows or []]

    @strawberry.field(description="Whether a password alone no longer signs in. One statement for a whole page.")
    async def has_second_factor(self, info: Info) -> bool:
        return await info.context.load(administration.of_users, UUID(self.id)) or False


if TYPE_CHECKING:
    User: TypeAlias = IdentityUserFields
    Admin: TypeAlias = "IdentityAdminFields"

WholeUser = Annotated["User", strawberry.lazy(MODULE)]
WholeAdmin = Annotated["Admin", strawberry.lazy(MODULE)]


def user_of(row: models.User) -> IdentityUserFields:
    """The account as the type User."""
    return IdentityUserFields(
        id=strawberry.ID(str(row.id)),
        name=row.name,
        email=row.email,
        role=RoleName(row.role),
        is_primary_admin=row.is_primary,
        email_verified=row.email_verified_at is not None,
        admin_request=row.admin_requested_at is not None,
        created_at=row.created_at,
    )


UserId = Annotated[strawberry.ID, strawberry.argument(description="The account's id.")]


@strawberry.type
class IdentityAdminFields:
    """The accounts' fields of the back office. `Query.admin` returns it to admins only."""

    @strawberry.field(description="Accounts, newest first.")
    async def users(
        self,
        info: Info,
        search: Annotated[
            str | None, strawberry.argument(description="Part of a name or e-mail; all accounts without it.")
        ] = None,
        role: Annotated[RoleName | None, strawberry.argument(description="Only accounts of this role.")] = None,
        others: Annotated[bool, strawberry.argument(description="Leaves out who asks.")] = False,
        first: First = 50,
        after: After = None,
    ) -> Connection[WholeUser]:
        viewer = info.context.signed_in
        criteria = identity.UserFilter(search, role.value if role else None, viewer.user_id if others else None)
        return await connection(
            info,
            first,
            decode_cursor(after, datetime_key, UUID),
            lambda session, limit, place: identity.users(session, criteria, limit=limit, after=place),
            lambda session: identity.user_count(session, criteria),
            node=user_of,
            place=lambda row: (row.created_at, row.id),
        )

    @strawberry.field(description="One account; null when there is none with this id.")
    async def user(self, info: Info, id: UserId) -> WholeUser | None:
        try:
            row = await info.context.load(identity.by_ids, parse_id(id))
        except refusals.NotFound:
            return None
        if row is None:
            return None
        async with begin(info.context.sessions) as session:
            await audit.record_once(session, info.context.signed_in, "customer read", admins.subject(row))
        return user_of(row)

    @strawberry.field(description="Everybody who asked for admin access and is no admin yet, longest waiting first.")
    async def admin_requests(self, info: Info) -> list[WholeUser]:
        async with reading(info.context) as session:
            rows = await identity.admin_requests(session)
        return [user_of(row) for row in rows]

    @strawberry.field(description="How many `adminRequests` there are.")
    async def admin_request_count(self, info: Info) -> int:
        async with reading(info.context) as session:
            return await identity.admin_request_count(session)


@strawberry.type(description="The account after the change.")
class RoleChanged:
    user: WholeUser = strawberry.field(description="With its new role and request.")


@strawberry.type(
    description="The account's e-mail is not confirmed. Ask the admin once more, and send the mutation again with "
    "`acceptUnconfirmed`."
)
class EmailNotConfirmed(UserError):
    pass


ToggleAdminResult = Annotated[
    RoleChanged | EmailNotConfirmed,
    strawberry.union("ToggleAdminResult", description="The account with its new role, or why it has its old one."),
]


@strawberry.type
class IdentityAdminQuery:
    """The entry to the back office."""

    @strawberry.field(permission_classes=[Anyone], description="The back office; null unless an admin asks.")
    def admin(self, info: Info) -> WholeAdmin | None:
        viewer = info.context.viewer
        return IdentityAdminFields() if viewer and viewer.is_admin else None


@strawberry.type
class IdentityAdminMutations:
    """Changes to accounts by admins."""

    @strawberry.mutation(
        permission_classes=[PrimaryAdminOnly, RecentSignIn],
        description="Makes a user an admin, which grants a pending request, or an admin a user.",
    )
    async def toggle_admin(
        self,
        info: Info,
        id: UserId,
        accept_unconfirmed: Annotated[
            bool, strawberry.argument(description="Also an account whose e-mail is not confirmed.")
        ] = False,
    ) -> ToggleAdminResult:
        user, viewer = parse_id(id, "This user"), info.context.signed_in
        try:
            async with transaction(info.context) as session:
                row = await identity.toggle_admin(session, viewer, user, accept_unconfirmed=accept_unconfirmed)
        except errors.EmailNotConfirmed as error:
            return EmailNotConfirmed(message=str(error))
        return RoleChanged(user=user_of(row))

    @strawberry.mutation(permission_classes=[PrimaryAdminOnly], description="Turns a request for admin access down.")
    async def reject_admin_request(self, info: Info, id: UserId) -> RoleChanged:
        async with transaction(info.context) as session:
            row = await identity.reject_admin_request(session, info.context.signed_in, parse_id(id, "This user"))
        return RoleChanged(user=user_of(row))

    @strawberry.mutation(
        permission_classes=[PrimaryAdminOnly, RecentSignIn],
        description="Deletes an account. Its orders stay, without the buyer.",
    )
    async def delete_user(self, info: Info, id: UserId) -> Success:
        async with transaction(info.context) as session:
            await identity.delete_user(session, info.context.signed_in, parse_id(id, "This user"))
        return Success()

    @strawberry.mutation(
        permission_classes=[PrimaryAdminOnly, RecentSignIn],
        description="Ends an account's passkeys, codes, recovery codes and sessions: for an admin who has lost them, "
        "since a reset by mail keeps an admin's. Without any it changes nothing.",
    )
    async def reset_second_factors(self, info: Info, id: UserId) -> WholeUser:
        user, shop_url = parse_id(id, "This user"), info.context.site.public_url
        async with transaction(info.context) as session:
            row = await administration.end(session, info.context.signed_in, user, shop_url=shop_url)
        return user_of(row)

    @strawberry.mutation(
        permission_classes=[AdminOnly],
        description="Ends one session of an account, or all of them. An admin's are for the primary admin to end.",
    )
    async def sign_out_user(
        self,
        info: Info,
        id: UserId,
        session_id: Annotated[
            strawberry.ID | None, strawberry.argument(description="One of `User.sessions`; all of them without it.")
        ] = None,
    ) -> WholeUser:
        one = parse_id(session_id, "This session") if session_id else None
        async with transaction(info.context) as session:
            row = await identity.sign_out_user(session, info.context.signed_in, parse_id(id, "This user"), one)
        return user_of(row)
